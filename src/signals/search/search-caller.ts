// The caller of a search, and what callers without a key may request: a lower rate, and a shorter description of the
// audience (spec 4.3, 8: the spec does not publish limits, so we choose them and name them in the refusal).

import type { RateLimit } from '../../lib/token-bucket.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { GetSignalsRequest } from '../../protocol/schemas/get-signals.ts'
import { MAX_SPEC_LENGTH } from '../../protocol/spec-length.ts'
import type { CallContext } from '../../protocol/task.ts'
import type { SearchCaller } from './signal-search.ts'

export interface KeylessLimits {
  /** Maximum length of an audience description, in characters. */
  maxSpecLength: number
  /** Searches of one address. */
  rate: RateLimit
}

export function searchCallerOf({ principal, account = 'unknown' }: SearchingCall): SearchCaller {
  return principal
    ? { caller: `principal ${principal.principal_id}`, hasKey: true }
    : { caller: account, hasKey: false }
}

type SearchingCall = Pick<CallContext, 'principal' | 'account'>

/** Throws if a caller without a key may not send this request. */
export function limitKeyless(
  { signal_spec, brief }: GetSignalsRequest,
  { caller, hasKey }: SearchCaller,
  { maxSpecLength, rate }: KeylessLimits,
): void {
  if (hasKey) return
  const taken = rate.take(caller)
  if (!taken.ok) {
    const seconds = Math.min(taken.retryAfterSeconds, 3_600)
    const message = `too many searches without a key: retry after ${seconds} s, or send a key`
    throw new ProtocolError('RATE_LIMITED', message, { retry_after: seconds })
  }
  const length = (signal_spec ?? brief ?? '').length
  if (length <= maxSpecLength) return
  const pointer = signal_spec === undefined ? '/brief' : '/signal_spec'
  const message = `This must have at most ${maxSpecLength} characters without a key, and ${MAX_SPEC_LENGTH} with one (got ${length}).`
  throw new ProtocolError('INVALID_REQUEST', `${pointer}: ${message}`, {
    issues: [{ pointer, message, keyword: 'maxLength' }],
  })
}
