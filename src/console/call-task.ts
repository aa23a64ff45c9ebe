// A task of this server, called for a signed-in user: as their own principal or one of the operator's, through the
// same steps as a call over a transport, and counted as one.

import type { Answer, Failed } from '../agent/answer.ts'
import type { Principal } from '../agent/principals.ts'
import type { ErrorCode, TaskError } from '../protocol/errors.ts'
import { type Refusal, Refused } from './refusal.ts'

interface CalledTask {
  principal: Principal
  task: string
  arguments: Readonly<Record<string, unknown>>
  /** Aborted when nobody waits for the result any more. */
  signal: AbortSignal
  /** How long to wait for work that may continue, in milliseconds. Default: as long as the task lets callers wait. */
  waitMs?: number
  /** The id of its task, if there is one. Default: a new one. */
  task_id?: string
  /** Whether a user watches its task, so that the call does not wait. Default false. */
  isFollowed?: boolean
}

export type CallTask = (called: CalledTask) => Promise<Answer>

/** A signed-in user may view whatever the console displays, whatever tasks their key may call. */
export function asReader(principal: Principal): Principal {
  const { scopes } = principal
  return scopes.includes('tasks') ? principal : { ...principal, scopes: [...scopes, 'tasks'] }
}

const STATUSES: Partial<Record<ErrorCode, Refusal['status']>> = {
  INVALID_REQUEST: 400,
  INVALID_FORMAT_ID: 400,
  VALIDATION_ERROR: 400,
  AUTH_MISSING: 403,
  AUTH_INVALID: 403,
  PERMISSION_DENIED: 403,
  FORMAT_NOT_SUPPORTED: 404,
  CREATIVE_NOT_FOUND: 404,
  TASK_NOT_FOUND: 404,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
}

/** How the console reports that a task was refused. */
export function refusalOfTask(failed: Failed): Refused {
  const [first] = errorsOf(failed)
  const status = STATUSES[failed.code] ?? 409
  return new Refused(status, failed.code.toLowerCase(), first?.message ?? 'the task failed')
}

export function errorsOf({ body }: Pick<Failed, 'body'>): readonly TaskError[] {
  return (body.errors ?? []) as readonly TaskError[]
}
