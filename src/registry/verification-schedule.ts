// When a reference is verified again: a day after it was valid; sooner, but with growing intervals, while it fails.

import { backoffMs } from '../lib/backoff.ts'
import type { VerificationStatus } from '../protocol/manifest-reference.ts'

/** The topic on which new and changed references wake the verification worker. */
export const VERIFICATION_TOPIC = 'registry.verify'

const DAY_MS = 24 * 60 * 60 * 1_000
const FAILING = { firstMs: 5 * 60 * 1_000, maxMs: DAY_MS }

/** `failures` counts the consecutive ones before this result. */
export function nextVerificationAt(
  now: number,
  status: VerificationStatus,
  failures: number,
): number {
  return now + (status === 'valid' ? DAY_MS : backoffMs(failures + 1, FAILING))
}
