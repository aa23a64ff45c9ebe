// The steps of a call before its work (spec 7): each uses the result of the step before it, and refuses by throwing.

import { defined } from '../lib/defined.ts'
import { isNestedTooDeep, MAX_NESTING } from '../lib/nesting.ts'
import { boundedIssues, sentenceOf } from '../protocol/error-limits.ts'
import { ProtocolError, type TaskError, taskError } from '../protocol/errors.ts'
import { chooseVersion } from '../protocol/releases/choose-version.ts'
import type { ReleaseTable, Version } from '../protocol/releases/release-table.ts'
import { servedWith } from '../protocol/releases/served-with.ts'
import { type AlsoRequired, changeRequires } from '../protocol/schemas/generation-rules.ts'
import { countedIssuesOf } from '../protocol/schemas/issues.ts'
import type { PushNotificationConfig } from '../protocol/schemas/push-notification-config.ts'
import type { AnyTask } from '../protocol/task.ts'
import type { AgentPorts, TaskCall } from './agent.ts'
import type { Admitted } from './authentication.ts'
import type { TableEntry } from './task-table.ts'

/** Who calls, and may. */
export function callerOf(entry: TableEntry, { admitted }: TaskCall): Admitted['principal'] {
  // Checked first, so that neither a missing key nor a bad request reveals what this caller may not see.
  const refusal = entry.task.refusedTo?.(admitted.principal)
  if (refusal) throw refusal
  const fault = keyFault(entry, admitted)
  if (fault) throw new ProtocolError(fault.code, fault.message)
  const { task, name } = entry
  const { principal } = admitted
  if (task.access !== 'public' && !principal?.scopes.includes(task.access)) {
    throw new ProtocolError(
      'PERMISSION_DENIED',
      `${name} requires a key with the scope ${task.access}`,
    )
  }
  return principal
}

export function keyFault(
  { task, name }: TableEntry,
  { principal }: Admitted,
): TaskError | undefined {
  if (task.access === 'public' || principal || task.refusedTo?.(principal)) return undefined
  return taskError('AUTH_MISSING', `${name} requires a key: send Authorization: Bearer adw_…`)
}

/** The request as an object that can be traversed. */
export function requestObject(value: unknown): Record<string, unknown> {
  const given = value === undefined ? {} : value
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const what = given === null ? 'null' : Array.isArray(given) ? 'a list' : `a ${typeof given}`
    throw new ProtocolError('INVALID_REQUEST', `the request must be a JSON object, not ${what}`, {
      suggestion: 'Send {} to provide no input.',
    })
  }
  if (isNestedTooDeep(given)) {
    const message = `the request must not be nested deeper than ${MAX_NESTING} levels`
    throw new ProtocolError('INVALID_REQUEST', message)
  }
  return given as Record<string, unknown>
}

/** The release that the request uses and is answered in. */
export function versionOf(
  { identifiers, releases }: Pick<AgentPorts, 'identifiers'> & { releases: ReleaseTable },
  { task }: TableEntry,
  request: Record<string, unknown>,
): Version {
  const choice = chooseVersion(request, identifiers, {
    newerMembers: task.newerMembers ?? [],
    releases,
  })
  if (choice.ok) return choice.version
  throw new ProtocolError('VERSION_UNSUPPORTED', choice.message, {
    details: { supported_versions: releases.supported, supported_majors: releases.majors },
  })
}

/** The first release that has the task, if the caller names none. Throws if it names one without the task. */
export function versionWith(
  { task, name }: TableEntry,
  version: Version,
  releases: ReleaseTable,
): Version {
  const { feature } = task
  if (!feature) return version
  const served = servedWith(feature, version, releases)
  if (served.version) return served.version
  const since = served.first === undefined ? '' : `: it is of ${served.first} and later`
  throw new ProtocolError(
    'INVALID_REQUEST',
    `there is no task ${name} in release ${version.release}${since}`,
    {
      suggestion: 'Name a later release, or call a task that get_agent_capabilities lists.',
    },
  )
}

function defaultRule({ changes }: AnyTask): AlsoRequired {
  return changes ? changeRequires : () => []
}

interface ParseOptions {
  version: Version
  notes: readonly string[]
  checkPush: AgentPorts['checkPush']
}

/** Parses the request with the task’s schema; all errors are reported at once. */
export function parseRequest(
  { task, request: schema }: TableEntry,
  request: Record<string, unknown>,
  { version, notes, checkPush }: ParseOptions,
): unknown {
  const parsed = schema.safeParse(request)
  const shape = parsed.success ? { issues: [], more: 0 } : countedIssuesOf(parsed.error, request)
  const issues = [...shape.issues, ...(task.alsoRequired ?? defaultRule(task))(request, version)]
  const push = parsed.success ? parsed.data.push_notification_config : undefined
  if (push) issues.push(...(checkPush?.(push as PushNotificationConfig) ?? []))
  if (issues.length === 0 && parsed.success) return withContextOf(request, parsed.data)
  const refusal = task.refusalFor?.(issues, request)
  const reported = boundedIssues(issues, shape.more)
  throw new ProtocolError(refusal ?? 'INVALID_REQUEST', sentenceOf(reported), {
    issues: reported,
    ...defined({ suggestion: notes.length > 0 ? notes.join(' ') : undefined }),
  })
}

/** The context as it was sent, since a task may pass it on: the schema's copy no longer has the original text. */
function withContextOf({ context }: Record<string, unknown>, parsed: object): object {
  return context === undefined ? parsed : { ...parsed, context }
}
