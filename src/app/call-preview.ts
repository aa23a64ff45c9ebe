// The outcome of a call as the console displays it: without the key, limited in size, and human-readable.

import { answerFault } from '../caller/answer-fault.ts'
import { CALLER_LIMITS } from '../caller/limits.ts'
import { largeWithoutToken, plainLine, withoutToken } from '../caller/other-party.ts'
import type { CallProgress } from '../client/options.ts'
import type { AgentError, CallOutcome } from '../client/outcome.ts'
import type { CallAnswer } from '../console/api/agents.ts'
import { defined } from '../lib/defined.ts'
import { isFinalStatus } from '../protocol/final-status.ts'
import type { Transport } from '../protocol/task.ts'
import type { AgentWay } from './ask-agent.ts'

interface Called {
  way: AgentWay
  task: string
  startedMs: number
}

const MAX_ID_CHARS = 255

export async function answerOf(
  outcome: CallOutcome,
  { way, task, startedMs }: Called,
): Promise<CallAnswer> {
  const { auth, exchanges } = way
  const line = (text: string) => plainLine(withoutToken(text, auth), CALLER_LIMITS.errorText.value)
  const id = (text: string) => plainLine(withoutToken(text, auth), MAX_ID_CHARS)
  const { body, transport, taskId } = outcome
  const status = outcome.status === undefined ? undefined : id(outcome.status)
  const fault = body && (await bodyFault(body))
  const message = typeof body?.message === 'string' ? line(body.message) : fault
  const goes_on = outcome.ok && taskId !== undefined && !isFinalStatus(outcome.status)
  return {
    ok: outcome.ok,
    task,
    goes_on,
    exchanges: [...exchanges],
    duration_ms: Math.round(performance.now() - startedMs),
    ...defined({
      transport,
      status,
      message,
      task_id: taskId === undefined ? undefined : id(taskId),
      error: outcome.ok ? undefined : errorOf(outcome.error, line),
      body: body && fault === undefined ? await largeWithoutToken(body, auth) : undefined,
    }),
  }
}

/** For a task that is still in progress. */
export async function healthOf(
  { status, message, progress }: CallProgress,
  { way, task, startedMs, transport, taskId }: Called & { transport: Transport; taskId: string },
): Promise<CallAnswer> {
  const line = (text: string) => plainLine(withoutToken(text, way.auth), MAX_ID_CHARS)
  const mayShow = progress && (await bodyFault(progress)) === undefined
  return {
    ok: true,
    task,
    transport,
    task_id: taskId,
    goes_on: true,
    exchanges: [...way.exchanges],
    duration_ms: Math.round(performance.now() - startedMs),
    ...defined({
      status: status === undefined ? undefined : line(status),
      message: message === undefined ? undefined : line(message),
      progress: mayShow ? await largeWithoutToken(progress, way.auth) : undefined,
    }),
  }
}

function errorOf(error: AgentError, line: (text: string) => string): CallAnswer['error'] {
  const { kind, code, message, recovery, field, httpStatus, retry_after } = error
  return {
    kind,
    message: line(message),
    ...defined({
      code: code === undefined ? undefined : line(code),
      field: field === undefined ? undefined : line(field),
      recovery,
      http_status: httpStatus,
      retry_after,
    }),
  }
}

/** Why an answer is not displayed in full; what was sent is still among the exchanges. */
async function bodyFault(body: Record<string, unknown>): Promise<string | undefined> {
  const fault = await answerFault(body)
  return fault && `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`
}
