// One call of a task, whatever wire it came over: scope, version, schema, idempotency, handler, answer.
// Its caller was let in before its body was read. What a handler throws is caught here and nowhere else.

import { startDeadline } from '../lib/deadline.ts'
import { defined } from '../lib/defined.ts'
import { isLongerAsJson } from '../lib/json-size.ts'
import { isNestedTooDeep, MAX_NESTING } from '../lib/nesting.ts'
import { StorageUnavailable, type Transact } from '../lib/transaction.ts'
import {
  type ErrorCode,
  type Issue,
  ProtocolError,
  type TaskError,
  taskError,
} from '../protocol/errors.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import { anyCallRequires, changeRequires } from '../protocol/schemas/generation-rules.ts'
import { countedIssuesOf } from '../protocol/schemas/issues.ts'
import { misspeltMembers } from '../protocol/schemas/misspelt.ts'
import type { PushNotificationConfig } from '../protocol/schemas/push-notification-config.ts'
import {
  type AnyTask,
  type CallContext,
  type Deferred,
  isPrepared,
  type Wire,
} from '../protocol/task.ts'
import { sentenceOf, toldIssues } from '../protocol/told-faults.ts'
import { chooseVersion, SERVED_RELEASES } from '../protocol/versions.ts'
import {
  type Admission,
  type AdmissionPorts,
  type Admitted,
  admit,
  type Bearer,
  takeMore,
} from './admission.ts'
import {
  type Answer,
  doneAnswer,
  type Echo,
  echoOf,
  failedAnswer,
  isAboutTask,
  refusedAnswer,
} from './answer.ts'
import { type IdempotencyStore, runOnce } from './idempotency.ts'
import { CALL_LIMITS } from './limits.ts'
import type { TableEntry, TaskTable } from './task-table.ts'

export interface TaskCall {
  task: string
  /** The request object; anything else is refused. */
  arguments: unknown
  wire: Wire
  /** As it was let in. */
  admitted: Admitted
  calledOn: string
  /** Aborted when the caller has gone. */
  signal: AbortSignal
  /** What the wire has settled for work that is accepted for later. Default: nothing. */
  deferred?: Deferred | undefined
}

export interface CallRecord {
  task: string
  wire: Wire
  outcome: string
  duration_ms: number
  principal_id: string | undefined
}

export interface AgentPorts extends AdmissionPorts {
  tasks: TaskTable
  identifiers: Identifiers
  transact: Transact
  idempotency: IdempotencyStore
  /** How long a call whose process has died keeps its key, in milliseconds. Default 30000. */
  idempotencyLeaseMs?: number
  /** What is wrong with where a caller wants to be told, whatever the task. Default: nothing. */
  checkPush?: (config: PushNotificationConfig) => readonly Issue[]
  /** Longest time a caller waits, in milliseconds. */
  timeoutMs: number
  onCall?: (record: CallRecord) => void
  /** Hears of what a handler threw and should not have; the caller hears only that it failed. */
  onFault: (error: unknown, call: TaskCall) => void
}

export interface Agent {
  tasks: TaskTable
  identifiers: Identifiers
  /** Judges a request by its headers, once, and counts it. To be asked before its body is read. */
  admit(bearer: Bearer): Promise<Admission>
  /** Counts what a request holds beside its first call; an error when that is too much. */
  takeMore(admitted: Admitted, calls: number): TaskError | undefined
  /**
   * What a caller without a key is told by a task that needs one; undefined by one that does not, and by
   * one that refuses the caller for another reason when it is called.
   */
  keyFault(entry: TableEntry, admitted: Admitted): TaskError | undefined
  /** Undefined when there is no task of that name: each wire says so in its own way. */
  call(call: TaskCall): Promise<Answer | undefined>
}

export function createAgent(ports: AgentPorts): Agent {
  return {
    tasks: ports.tasks,
    identifiers: ports.identifiers,
    admit: (bearer) => admit(ports, bearer),
    takeMore: (admitted, calls) => {
      const taken = takeMore(ports, admitted, calls)
      return taken.ok ? undefined : taken.error
    },
    keyFault,
    call: async (call) => {
      const entry = ports.tasks.find(call.task)
      if (!entry) return undefined
      const started = performance.now()
      const state: CallState = { echo: echoOf(call.arguments) }
      const answer = await answerCall(ports, entry, call, state)
      ports.onCall?.({
        task: entry.task.name,
        wire: call.wire,
        outcome: answer.ok ? String(answer.body.status) : answer.code,
        duration_ms: Math.round((performance.now() - started) * 1e3) / 1e3,
        principal_id: call.admitted.principal?.principal_id,
      })
      return answer
    },
  }
}

/** What is known of a call so far, also when it fails half-way. */
interface CallState {
  echo: Echo
}

/** With these the request was not looked at, and nothing of it is sent back. */
const UNSEEN: readonly ErrorCode[] = ['AUTH_MISSING', 'AUTH_INVALID', 'RATE_LIMITED']

async function answerCall(
  ports: AgentPorts,
  entry: TableEntry,
  call: TaskCall,
  state: CallState,
): Promise<Answer> {
  const { area } = entry.task
  const { identifiers } = ports
  try {
    return await runCall(ports, entry, call, state)
  } catch (error) {
    const errors = errorsOf(ports, error, call)
    if (UNSEEN.includes(errors[0].code)) return refusedAnswer(errors[0], identifiers)
    const { version } = state.echo
    const echo = error instanceof AnswerTooLarge ? defined({ version }) : state.echo
    return failedAnswer(errors, echo, identifiers, area)
  }
}

const MAX_ANSWER_BYTES = CALL_LIMITS.answerBytes.value

class AnswerTooLarge extends ProtocolError {
  constructor() {
    const message = `the answer would be larger than ${MAX_ANSWER_BYTES} bytes: ask for less at once`
    super('UNSUPPORTED_FEATURE', message)
  }
}

/** Guessed first, because writing an answer that is much too large is what must not happen. */
function withinLimit(answer: Answer): Answer {
  const isTooLarge =
    isLongerAsJson(answer.body, MAX_ANSWER_BYTES) || answer.json().length > MAX_ANSWER_BYTES
  if (isTooLarge) throw new AnswerTooLarge()
  return answer
}

async function runCall(
  ports: AgentPorts,
  entry: TableEntry,
  call: TaskCall,
  state: CallState,
): Promise<Answer> {
  const { task } = entry
  const principal = principalOf(entry, call)
  const request = requestObject(call.arguments)
  state.echo.notes = misspeltMembers(entry.request, request)
  const choice = chooseVersion(request, ports.identifiers, task.newerMembers ?? [])
  if (!choice.ok) {
    throw new ProtocolError('VERSION_UNSUPPORTED', choice.message, {
      details: { supported_versions: SERVED_RELEASES },
    })
  }
  state.echo.version = choice.version
  const parsed = parseRequest(ports, entry, request, {
    generation: choice.version.generation,
    notes: state.echo.notes,
  })

  const deadline = startDeadline({ timeoutMs: ports.timeoutMs, signals: [call.signal] })
  const context: CallContext = {
    principal,
    wire: call.wire,
    version: choice.version,
    account: call.admitted.account,
    calledOn: call.calledOn,
    signal: deadline.signal,
    deferred: call.deferred,
  }
  const aboutTask = { isAboutTask: isAboutTask(task) }
  const answerOf = (response: object): Answer =>
    isPrepared(response)
      ? doneAnswer(response.value, state.echo, ports.identifiers, {
          ...aboutTask,
          prepared: response,
        })
      : doneAnswer(response, state.echo, ports.identifiers, aboutTask)
  const work = async () => {
    const response = await task.handle(parsed, context)
    const answer = answerOf(response)
    return isPrepared(response) ? answer : withinLimit(answer)
  }
  // A caller who stops waiting does not stop the work: its key stays taken until the work has ended.
  const once = task.changes
    ? runOnce(ports, { task: task.name, request, principal, answerOf }, work)
    : work()
  return untilAborted(once.finally(deadline.end), deadline.signal)
}

function requestObject(value: unknown): Record<string, unknown> {
  const given = value === undefined ? {} : value
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const what = given === null ? 'null' : Array.isArray(given) ? 'a list' : `a ${typeof given}`
    throw new ProtocolError('INVALID_REQUEST', `the request must be a JSON object, not ${what}`, {
      suggestion: 'Send {} when there is nothing to say.',
    })
  }
  if (isNestedTooDeep(given)) {
    const message = `the request must not be nested deeper than ${MAX_NESTING} levels`
    throw new ProtocolError('INVALID_REQUEST', message)
  }
  return given as Record<string, unknown>
}

/** Who calls, and may. */
function principalOf(entry: TableEntry, { admitted }: TaskCall): Admitted['principal'] {
  // Before all else, so that neither a missing key nor a bad request tells of what is not for the caller.
  const refusal = entry.task.refusedTo?.(admitted.principal)
  if (refusal) throw refusal
  const fault = keyFault(entry, admitted)
  if (fault) throw new ProtocolError(fault.code, fault.message)
  const { task, name } = entry
  const { principal } = admitted
  if (task.access !== 'public' && !principal?.scopes.includes(task.access)) {
    throw new ProtocolError(
      'PERMISSION_DENIED',
      `${name} needs a key with the scope ${task.access}`,
    )
  }
  return principal
}

function keyFault({ task, name }: TableEntry, { principal }: Admitted): TaskError | undefined {
  if (task.access === 'public' || principal || task.refusedTo?.(principal)) return undefined
  return taskError('AUTH_MISSING', `${name} needs a key: send Authorization: Bearer adw_…`)
}

function defaultRule(task: AnyTask) {
  return task.changes ? changeRequires : anyCallRequires
}

function parseRequest(
  { checkPush }: AgentPorts,
  { task, request: schema }: TableEntry,
  request: Record<string, unknown>,
  { generation, notes }: { generation: 'unversioned' | '3.x'; notes: readonly string[] },
): unknown {
  const parsed = schema.safeParse(request)
  const shape = parsed.success ? { issues: [], more: 0 } : countedIssuesOf(parsed.error, request)
  const issues = [...shape.issues, ...(task.alsoRequired ?? defaultRule(task))(request, generation)]
  const push = parsed.success ? parsed.data.push_notification_config : undefined
  if (push) issues.push(...(checkPush?.(push as PushNotificationConfig) ?? []))
  if (issues.length === 0 && parsed.success) return withContextOf(request, parsed.data)
  const refusal = task.refusalFor?.(issues, request)
  const told = toldIssues(issues, shape.more)
  throw new ProtocolError(refusal ?? 'INVALID_REQUEST', sentenceOf(told), {
    issues: told,
    ...defined({ suggestion: notes.length > 0 ? notes.join(' ') : undefined }),
  })
}

/** The context as it was sent, since a task may hand it on: the schema's copy has lost its text. */
function withContextOf({ context }: Record<string, unknown>, parsed: object): object {
  return context === undefined ? parsed : { ...parsed, context }
}

/** Ends when the work does or the signal is aborted; what the work does after that nobody waits for. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(
        new ProtocolError(
          'SERVICE_UNAVAILABLE',
          'the call took too long: repeat it, with the same idempotency_key if it had one',
          { retry_after: 5 },
        ),
      )
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function errorsOf(
  { onFault }: AgentPorts,
  error: unknown,
  call: TaskCall,
): readonly [TaskError, ...TaskError[]] {
  if (error instanceof ProtocolError) return error.errors
  onFault(error, call)
  const message =
    error instanceof StorageUnavailable
      ? 'the database is unavailable: nothing was accepted, repeat the call'
      : 'the call failed inside the server: repeat it, and tell the operator if it fails again'
  return [taskError('SERVICE_UNAVAILABLE', message, { retry_after: 5 })]
}
