// Whether a failed request is sent again, and after which pause. Only safe requests are repeated: a read, or a change
// under the same idempotency key; and only if the result may differ.

import { backoffMs } from '../lib/backoff.ts'
import type { AgentError } from './outcome.ts'

export interface Attempt {
  /** From 1. */
  attempt: number
  attempts: number
  /** Whether sending it twice has no more effect than sending it once. */
  isSafe: boolean
  /** What is left of the total time of the call. */
  remainingMs: number
}

const PAUSES = { firstMs: 500, maxMs: 10_000 }
/** Transient only for a caller that reads again and sends a new request; the same request fails again. */
const NOT_BY_REPEATING = ['CONFLICT']

/** The pause before the next attempt, in milliseconds; undefined when there is no next one. `random` is in [0, 1). */
export function pauseBeforeRepeat(
  error: AgentError,
  { attempt, attempts, isSafe, remainingMs }: Attempt,
  random: () => number,
): number | undefined {
  if (!isSafe || attempt >= attempts) return undefined
  if (error.recovery !== 'transient' || NOT_BY_REPEATING.includes(error.code ?? ''))
    return undefined
  if (error.kind === 'cancelled' || error.kind === 'failed') return undefined
  const backoff = backoffMs(attempt, PAUSES)
  // Between half and all of it, so that callers that failed together do not retry together.
  const jittered = backoff / 2 + (backoff / 2) * random()
  const pauseMs = Math.max(jittered, (error.retry_after ?? 0) * 1_000)
  return pauseMs < remainingMs ? pauseMs : undefined
}
