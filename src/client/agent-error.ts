// The failures of every transport as one type (spec 7): the kind, what can be done, and when to retry.

import { defined } from '../lib/defined.ts'
import { ERROR_CODES, type Recovery } from '../protocol/errors.ts'
import type { CallFailure } from '../transports/client.ts'
import { firstErrorIn } from '../transports/client-answer.ts'
import type { AgentError, AgentErrorKind } from './outcome.ts'

const RECOVERIES: readonly Recovery[] = ['transient', 'correctable', 'terminal']
const KNOWN_RECOVERY: ReadonlyMap<string, Recovery> = new Map(Object.entries(ERROR_CODES))
const MAX_MESSAGE_CHARS = 500
/** HTTP statuses that mean: try again later. */
const BUSY = [408, 425, 429, 502, 503, 504]

/** `hasBegun`: whether this ends a task that was accepted before, rather than refusing the call. */
export function agentError(failure: CallFailure, { hasBegun = false } = {}): AgentError {
  const { body, httpStatus } = failure
  const reported = body ? firstErrorIn(body) : {}
  const code = reported.code ?? failure.code
  const retry_after = reported.retry_after ?? failure.retryAfterSeconds
  const kind = kindOf(failure, { code, hasBegun })
  return {
    kind,
    ...defined({ code }),
    message: oneLine(failure.message),
    ...defined({
      recovery: recoveryOf(failure, { kind, reported: reported.recovery, code }),
      retry_after,
      field: reported.field,
      httpStatus,
    }),
  }
}

interface Read {
  code: string | undefined
  hasBegun: boolean
}

function kindOf(failure: CallFailure, { code, hasBegun }: Read): AgentErrorKind {
  const { kind, httpStatus, body } = failure
  const isKeyless = code?.startsWith('AUTH_') || (code === undefined && httpStatus === 403)
  if (httpStatus === 401 || isKeyless) return 'unauthorized'
  if (kind) return kind
  if (hasBegun || body?.status === 'rejected' || body?.status === 'canceled') return 'failed'
  return 'refused'
}

function recoveryOf(
  { httpStatus }: CallFailure,
  {
    kind,
    reported,
    code,
  }: { kind: AgentErrorKind; reported: string | undefined; code: string | undefined },
): Recovery | undefined {
  const said = RECOVERIES.find((recovery) => recovery === reported)
  if (said) return said
  const known = code === undefined ? undefined : KNOWN_RECOVERY.get(code)
  if (known) return known
  if (kind === 'unreachable' || kind === 'timeout') return 'transient'
  if (httpStatus !== undefined && BUSY.includes(httpStatus)) return 'transient'
  return kind === 'unauthorized' ? 'correctable' : undefined
}

/** One line, however long the agent's message is. */
function oneLine(message: string): string {
  const line = message.slice(0, MAX_MESSAGE_CHARS).replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
  return message.length > MAX_MESSAGE_CHARS ? `${line}…` : line
}
