// `POST /api/registry/crawl-request`: a caller requests an immediate crawl of a domain. Limits for one caller, one
// domain and in total are checked before anything is fetched, and the request is stored before it is accepted.

import { isIP } from 'node:net'
import { normaliseDomain } from '../../lib/host-name.ts'
import type { Transact } from '../../lib/transaction.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { CRAWL_TOPIC } from './crawl-worker.ts'
import { CRAWL_LIMITS } from './limits.ts'
import type { CrawlRequest, CrawlStore } from './store.ts'

const HOUR_MS = 60 * 60 * 1_000

export interface RequestCrawlPorts {
  transact: Transact
  crawl: CrawlStore
  /** Whether this instance, or another one, runs crawls at all. */
  isCrawling: boolean
}

export async function requestCrawl(
  { transact, crawl, isCrawling }: RequestCrawlPorts,
  caller: string,
  input: unknown,
): Promise<{ ok: true; request: CrawlRequest } | Refusal> {
  const { domain: text } = (typeof input === 'object' && input !== null ? input : {}) as Record<
    string,
    unknown
  >
  const named = typeof text === 'string' && isIP(text) === 0 ? normaliseDomain(text) : undefined
  if (!named?.ok) {
    const why = named ? named.reason : 'must be a host name such as example.com'
    return refuse(400, `domain: ${why}`)
  }
  if (isReserved(named.domain)) {
    return refuse(400, `domain: ${named.domain} is not a name of the public Internet`)
  }
  if (!isCrawling) {
    return refuse(503, 'The crawler is off', { code: 'crawl_queue_unavailable', retryAfter: 3_600 })
  }
  return transact(async (tx) => {
    const now = await tx.now()
    const refused = await refusedFor({ tx, crawl, now }, caller, named.domain)
    if (refused) return refused
    const request: CrawlRequest = {
      crawl_request_id: uuid7(now),
      domain: named.domain,
      requested_by: caller,
      status: 'queued',
      attempts: 0,
      requested_at: now,
      started_at: null,
      last_attempted_at: null,
      completed_at: null,
      next_attempt_at: now,
      last_error_code: null,
    }
    await crawl.addRequest(tx, request)
    await crawl.add(tx, [named.domain], { foundBy: 'crawl_request', at: 0 })
    await crawl.crawlNow(tx, named.domain)
    await tx.wake(CRAWL_TOPIC)
    return { ok: true as const, request }
  })
}

async function refusedFor(
  { tx, crawl, now }: { tx: Parameters<CrawlStore['add']>[0]; crawl: CrawlStore; now: number },
  caller: string,
  domain: string,
): Promise<Refusal | undefined> {
  const gapMs = CRAWL_LIMITS.crawlRequestGap.value * 1_000
  const last = await crawl.lastRequestOf(tx, domain)
  if (last !== undefined && now - last < gapMs) {
    return tooMany(
      'this domain was requested a moment ago',
      Math.ceil((last + gapMs - now) / 1_000),
    )
  }
  const ofOne = await crawl.requestsSince(tx, { requested_by: caller }, now - HOUR_MS)
  if (ofOne >= CRAWL_LIMITS.crawlRequestsOfOne.value) {
    return tooMany(`at most ${CRAWL_LIMITS.crawlRequestsOfOne.value} crawl requests an hour`, 600)
  }
  const open = await crawl.requestsSince(tx, 'open', 0)
  if (open < CRAWL_LIMITS.crawlRequestsOpen.value) return undefined
  return refuse(503, 'Too many crawl requests are waiting', {
    code: 'crawl_queue_at_capacity',
    retryAfter: 60,
  })
}

function tooMany(message: string, seconds: number): Refusal {
  return refuse(429, 'Too many requests', { message, retry_after: seconds, retryAfter: seconds })
}

/** RFC 6761, RFC 6762 and RFC 8375: names that do not resolve publicly, or resolve to the local network. */
function isReserved(domain: string): boolean {
  return /(?:^|\.)(?:localhost|local|internal|invalid|home\.arpa|onion)$/.test(domain)
}
