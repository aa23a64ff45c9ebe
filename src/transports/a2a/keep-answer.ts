// Decides which part of a response A2A stores, if any: bounded per task and per principal, because any caller with a
// key could otherwise fill the database.

import { type Answer, refusedAnswer } from '../../agent/answer.ts'
import { taskError } from '../../protocol/errors.ts'
import { lacksKey } from '../call-source.ts'
import { A2A_LIMITS } from './limits.ts'
import type { A2aContext, MethodAnswer } from './ports.ts'
import type { A2aTask } from './store.ts'
import { a2aStateOf, type StateSubject } from './task-state.ts'

const MAX_KEPT_BYTES = A2A_LIMITS.keptBytesOfTask.value

/** For a rejection, only the error is stored: storing its other content would be a way to fill the database. */
export function keptBody(answer: Answer): string {
  if (answer.ok) return answer.json()
  const { context: _context, context_id: _contextId, ...refusal } = answer.body
  return JSON.stringify(refusal)
}

/** A response that only reports a refusal before any work is not stored; work in progress always is. */
export async function mayKeep(
  { kept }: A2aContext,
  answer: Answer,
  { owner, body }: { owner: string; body: string },
): Promise<boolean> {
  if (!answer.ok && (lacksKey(answer) || answer.code === 'RATE_LIMITED')) return false
  const hasRoom = body.length <= MAX_KEPT_BYTES && (await kept.hasRoom(owner, body.length))
  return hasRoom || (answer.ok && answer.callStatus !== 'completed')
}

export function tooManyTasks({ identifiers }: A2aContext): MethodAnswer {
  const message = 'too many background tasks: wait for some of them, or wait for this one'
  const error = taskError('RATE_LIMITED', message, { retry_after: 5 })
  return { ok: false, refused: refusedAnswer(error, identifiers) }
}

function tooLargeToKeep(identifiers: A2aContext['identifiers']): string {
  const message = `the result is larger than the ${MAX_KEPT_BYTES} bytes that are kept: send the message again and wait for the response`
  const error = taskError('UNSUPPORTED_FEATURE', message)
  return refusedAnswer(error, identifiers).json()
}

/** The final state of a task whose caller did not wait. A result too large to store is lost, and that is reported. */
export function settledAs(
  answer: Answer,
  reports: StateSubject,
  identifiers: A2aContext['identifiers'],
): Pick<A2aTask, 'state' | 'body'> {
  const body = keptBody(answer)
  return body.length <= MAX_KEPT_BYTES
    ? { state: a2aStateOf(answer, reports), body }
    : { state: 'failed', body: tooLargeToKeep(identifiers) }
}
