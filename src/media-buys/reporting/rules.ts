// The rules for sending reports: how long to wait for figures, how long they can be corrected, and when to stop
// retrying.

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export interface ReportRules {
  /** How long after its end a window may still be corrected. */
  correctionMs: number
  /** Maximum time to wait for figures after the window's end. */
  giveUpMs: number
  /** How often windows in their correction period are read again. */
  recheckMs: number
}

export const DEFAULT_REPORT_RULES: ReportRules = {
  correctionMs: 48 * HOUR_MS,
  giveUpMs: 7 * 24 * HOUR_MS,
  recheckMs: HOUR_MS,
}

/** When to retry for missing figures: soon at first, then less and less often. */
export function askAgainAt(now: number, windowEnd: number, expectedAt: number | undefined): number {
  const soonest = now + MINUTE_MS
  const latest = now + HOUR_MS
  const wanted = expectedAt ?? now + (now - windowEnd) / 4
  return Math.ceil(Math.min(Math.max(wanted, soonest), latest))
}
