// What the crawler needs from a database: the domains, when to crawl each, and who requested it.

import type { ChooseSuspects } from '../../lib/poison-jobs.ts'
import type { Transaction } from '../../lib/transaction.ts'
import type { FileFault } from '../../protocol/adagents/faults.ts'
import type { DiscoveryMethod } from '../authorizations/authorization.ts'
import type { Speaker } from '../authorizations/store.ts'

/** `never` crawled, a `valid` file, an `invalid` one, none (`absent`), or no usable response (`failed`). */
export type CrawlStatus = 'never' | 'valid' | 'invalid' | 'absent' | 'failed'

export interface CrawledDomain {
  domain: string
  status: CrawlStatus
  file_id: string | null
  discovery_method: DiscoveryMethod | null
  manager_domain: string | null
  /** The address of the file that speaks for the domain. */
  location: string | null
  held_location: string | null
  held_since: number | null
  last_http_status: number | null
  last_bytes: number | null
  error_code: string | null
  error: string | null
  faults: FileFault[]
  status_since: number
  /** 0 for never. */
  checked_at: number
  /** When a valid file was last read, or found unchanged; 0 for never. */
  verified_at: number
  failures: number
  next_crawl_at: number
}

export interface ClaimedDomain extends CrawledDomain {
  id: string
  leaseToken: string
  lost: number
}

export type CrawlChange = Omit<CrawledDomain, 'domain' | 'checked_at' | 'next_crawl_at'>

export const CRAWL_REQUEST_STATUSES = [
  'queued',
  'running',
  'deferred',
  'retrying',
  'completed',
  'invalid',
  'failed',
] as const
type CrawlRequestStatus = (typeof CRAWL_REQUEST_STATUSES)[number]

export interface CrawlRequest {
  crawl_request_id: string
  domain: string
  requested_by: string
  status: CrawlRequestStatus
  attempts: number
  requested_at: number
  started_at: number | null
  last_attempted_at: number | null
  completed_at: number | null
  next_attempt_at: number | null
  last_error_code: string | null
}

export interface CrawlStore {
  get(domain: string): Promise<CrawledDomain | undefined>
  /** Adds domains. Existing ones are left unchanged. Returns how many are new. */
  add(
    tx: Transaction,
    domains: readonly string[],
    options: { foundBy: string; at: number },
  ): Promise<number>
  /** Moves a known domain to the front of the queue. */
  crawlNow(tx: Transaction, domain: string): Promise<void>
  claimDue(
    tx: Transaction,
    options: { limit: number; leaseMs: number; chooseLost?: ChooseSuspects },
  ): Promise<ClaimedDomain[]>
  renew(tx: Transaction, claim: ClaimedDomain, leaseMs: number): Promise<boolean>
  release(tx: Transaction, claim: ClaimedDomain, nextCrawlAt: number): Promise<void>
  /** Stores the findings, and keeps the lease. False if the lease was lost. */
  record(tx: Transaction, claim: ClaimedDomain, change: CrawlChange): Promise<boolean>
  /** Ends the lease. */
  finish(
    tx: Transaction,
    claim: ClaimedDomain,
    next: { at: number; isGivenUp: boolean },
  ): Promise<void>
  /** Locked until the transaction ends, so that what is computed from them is not outdated when it is written. */
  speakers(tx: Transaction, domains: readonly string[]): Promise<Speaker[]>
  /** Domains to crawl that references name, after a place. */
  counts(): Promise<Record<CrawlStatus, number>>

  addRequest(tx: Transaction, request: CrawlRequest): Promise<void>
  requestsSince(
    tx: Transaction,
    by: { domain: string } | { requested_by: string } | 'open',
    since: number,
  ): Promise<number>
  lastRequestOf(tx: Transaction, domain: string): Promise<number | undefined>
  openRequests(tx: Transaction, domain: string): Promise<CrawlRequest[]>
  updateRequest(tx: Transaction, request: CrawlRequest): Promise<void>
  getRequest(id: string): Promise<CrawlRequest | undefined>
  forgetRequests(tx: Transaction, before: number): Promise<number>
}
