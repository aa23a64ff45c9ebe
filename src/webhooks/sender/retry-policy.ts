// What follows an attempt (spec 6.4): whether and when the next one is made, what the attempt says about
// its endpoint, and whether the receiver is gone. Pure: the time and the randomness are arguments.
//
//   outcome                          then                                   the endpoint is
//   2xx                              delivered                              up
//   connection fault, timeout        tried again                            down
//   5xx, and any non-HTTP status     tried again                            down
//   429                              tried again                            down (*)
//   401, 408, 425                    tried again: 401 never disables        (unknown)
//   410                              ended; the receiver is gone for good   (unknown)
//   3xx, other 4xx                   ended: the same bytes would fail again (unknown)
//   not sent, by our own fault       tried again                            (unknown)
//
// (*) It requests a pause, which is what an open circuit provides. The other responses come
// from a live host, and one bad delivery must not hold up the others.

import type { AttemptResult, NextStep } from './store.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long a delivery is retried: as long as receivers must remember its key (spec 6.4, 8). */
export const HORIZON_MS = 24 * HOUR

export interface AttemptOutcome {
  status: AttemptResult['status']
  /** Undefined when there was no answer. */
  http_status_code: number | undefined
  /** The Retry-After header of the answer. */
  retryAfter?: string | undefined
}

export interface AttemptTimes {
  /** Attempts since the schedule began, including this one. */
  scheduledAttempt: number
  /** When the attempt ended, in milliseconds. */
  now: number
  /** No attempt begins at or after this time, in milliseconds. */
  expires_at: number
  /** From 0 to 1, to spread attempts that failed together. */
  random: number
}

export type Verdict = Pick<AttemptResult, 'next' | 'says' | 'isGone'>

export function checkAttempt(outcome: AttemptOutcome, times: AttemptTimes): Verdict {
  const { status, http_status_code: code } = outcome
  const isGone = code === 410
  if (status === 'success') return { next: { state: 'delivered' }, says: 'up', isGone }
  const says = saysOf(outcome)
  if (isGone) return { next: exhausted('the receiver is gone: it returned 410'), says, isGone }
  if (!isRetried(outcome)) return { next: exhausted(`the receiver answered ${code}`), says, isGone }
  return { next: nextAttempt(outcome, times), says, isGone }
}

/** The pause after each attempt; one more attempt follows the last. */
const PAUSES_MS = [
  SECOND,
  5 * SECOND,
  30 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
]
/** A delay varies by up to this fraction in both directions. */
const JITTER = 0.25
/** The longest pause that a receiver can request. */
const MAX_ASKED_MS = HOUR

const RETRIED_CODES: ReadonlySet<number> = new Set([401, 408, 425, 429])

function isRetried({ http_status_code: code }: AttemptOutcome): boolean {
  return code === undefined || code >= 500 || RETRIED_CODES.has(code)
}

function saysOf({ status, http_status_code: code }: AttemptOutcome): Verdict['says'] {
  if (status === 'timeout' || status === 'connection_error') return 'down'
  return code !== undefined && (code >= 500 || code === 429) ? 'down' : 'nothing'
}

function nextAttempt({ retryAfter }: AttemptOutcome, times: AttemptTimes): NextStep {
  const { scheduledAttempt, now, expires_at, random } = times
  const planned = PAUSES_MS[scheduledAttempt - 1]
  if (planned === undefined) return exhausted(`all ${scheduledAttempt} attempts failed`)
  const pauseMs = planned * (1 - JITTER + 2 * JITTER * random)
  const requestedMs = Math.min(requestedPauseMs(retryAfter, now) ?? 0, MAX_ASKED_MS)
  const inMs = Math.round(Math.max(pauseMs, requestedMs))
  if (now + inMs >= expires_at) {
    return exhausted(`the retry window ended after ${scheduledAttempt} failed attempts`)
  }
  return { state: 'pending', inMs }
}

function exhausted(reason: string): NextStep {
  return { state: 'exhausted', reason }
}

/** RFC 9110 §10.2.3: seconds, or a date in one of three forms. Anything else is ignored. */
function requestedPauseMs(retryAfter: string | undefined, now: number): number | undefined {
  const text = retryAfter?.trim() ?? ''
  if (/^[0-9]+$/.test(text)) return Number(text) * SECOND
  if (HTTP_DATE.test(text)) return requestedUntil(Date.parse(text), now)
  // The asctime form has no time zone and means UTC.
  if (ASCTIME_DATE.test(text)) return requestedUntil(Date.parse(`${text} GMT`), now)
  return undefined
}

const HTTP_DATE = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d\d(?:\d\d)? \d\d:\d\d:\d\d GMT$/
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/

function requestedUntil(date: number, now: number): number | undefined {
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
