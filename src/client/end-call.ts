// Turns what was received about a call into its outcome, the same for every source.

import { defined } from '../lib/defined.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import type { CallFailure } from '../transports/client.ts'
import { firstErrorIn } from '../transports/client-answer.ts'
import { agentError } from './agent-error.ts'
import { faultOfAnswer } from './check-answer.ts'
import type { AgentOptions } from './options.ts'
import type { AcceptedCall, CallIdentity, CallOutcome, FailedCall } from './outcome.ts'
import type { TaskUpdate } from './task-update.ts'

export interface Ending {
  task: string
  names: Identifiers
  check: AgentOptions['check']
  identity: CallIdentity
}

/** The outcome of a call whose task has ended. */
export function endedCall(update: TaskUpdate, ending: Ending): CallOutcome {
  const { by, status, body } = update
  const identity = { ...ending.identity, ...defined({ taskId: update.taskId }) }
  if (status !== 'completed') {
    const message = firstErrorIn(body).message ?? update.message ?? `the task ended ${status}`
    const hasBegun = by !== 'answer' || update.taskId !== undefined
    const error = agentError({ ok: false, body, message }, { hasBegun })
    return { ok: false, error, status, body, ...identity }
  }
  const fault = faultOfAnswer(body, ending)
  if (fault === undefined) return { ok: true, status, body, by, ...identity }
  const error = { kind: 'invalid-answer' as const, message: fault }
  return { ok: false, error, status, body, ...identity }
}

const ACCEPTED: readonly AcceptedCall['status'][] = [
  'submitted',
  'working',
  'input-required',
  'unknown',
]

/** The outcome of a call whose task is still in progress, or waits for something. */
export function acceptedCall(update: TaskUpdate, { identity }: Ending): CallOutcome {
  const { by, body } = update
  const status = ACCEPTED.find((one) => one === update.status)
  if (status) return { ok: true, status, body, by, ...identity }
  const message = `the agent answered with ${JSON.stringify(update.status.slice(0, 40))}, which is not a task status`
  return { ok: false, error: { kind: 'invalid-answer', message }, body, ...identity }
}

export function failedCall(failure: CallFailure, identity: CallIdentity): FailedCall {
  const { body } = failure
  const status = typeof body?.status === 'string' ? body.status : undefined
  return { ok: false, error: agentError(failure), ...defined({ status, body }), ...identity }
}
