// Limits for a single crawl, and for how many crawls may be requested.

import { defineLimits } from '../../lib/limit.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const CRAWL_LIMITS = defineLimits({
  crawlSeconds: {
    what: 'one file of a crawl, redirects included',
    value: 10,
    unit: 'seconds',
    beyond: 'the crawl failed with `timeout`, and what was known stays',
  },
  crawlRequestGap: {
    what: 'between two crawl requests for one domain',
    value: 300,
    unit: 'seconds',
    beyond: '429 with `Retry-After`',
  },
  crawlRequestsOfOne: {
    what: 'crawl requests of one caller in an hour',
    value: 30,
    unit: '',
    beyond: '429 with `Retry-After`',
  },
  crawlRequestsOpen: {
    what: 'crawl requests that wait or are worked on',
    value: 10_000,
    unit: '',
    beyond: '503 with `Retry-After`',
  },
  validations: {
    what: 'files of domains that one caller, or one address, has fetched and checked',
    value: 30,
    unit: 'a minute',
    beyond: '429 with `Retry-After`',
  },
  crawlRequestAttempts: {
    what: 'attempts for one crawl request',
    value: 5,
    unit: '',
    beyond: 'its status is `failed`',
  },
  foundDomains: {
    what: 'domains of one file that are crawled because it names them',
    value: 10_000,
    unit: '',
    beyond: 'the others are crawled on request',
  },
})

export const CRAWL_MS = CRAWL_LIMITS.crawlSeconds.value * 1_000
export const REQUEST_KEPT_MS = 30 * DAY_MS
/** A changed pointer is followed once it has stayed unchanged for this long. */
export const POINTER_HOLD_MS = DAY_MS
/** How long the last valid file is used when it cannot be read again. */
export const LAST_GOOD_MS = 7 * DAY_MS
/** After this long without success, the data about a domain is stale. */
export const STALE_MS = DAY_MS
/** Clock difference within which an older `last_updated` is not a roll-back. */
export const SKEW_MS = MINUTE_MS
/** A file that several domains point to is not fetched again within this time. */
export const FRESH_MS = 5 * MINUTE_MS

const RETRY_REQUEST_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS]
const RETRY_FAILED_MS = [HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS]
const RETRY_ABSENT_MS = [DAY_MS, 7 * DAY_MS, 30 * DAY_MS]

/** When to look again; `failures` counts this one. */
export function nextCrawlMs(
  status: 'valid' | 'invalid' | 'absent' | 'failed',
  { failures, intervalMs }: { failures: number; intervalMs: number },
): number {
  if (status === 'valid' || status === 'invalid') return intervalMs
  const pauses = status === 'absent' ? RETRY_ABSENT_MS : RETRY_FAILED_MS
  return pauses[Math.min(failures, pauses.length) - 1] ?? intervalMs
}

/** The pause after an attempt that failed, the first being 1. */
export function retryRequestMs(attempts: number): number {
  return RETRY_REQUEST_MS[Math.min(attempts, RETRY_REQUEST_MS.length) - 1] ?? MINUTE_MS
}
