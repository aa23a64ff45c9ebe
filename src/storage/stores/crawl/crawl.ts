// The domains that are crawled, in SQL, and the lease that lets several instances share them.

import { randomUUID } from 'node:crypto'
import type { PossiblyPoisonJob } from '../../../lib/poison-jobs.ts'
import type { FileFault } from '../../../protocol/adagents/faults.ts'
import type { Speaker } from '../../../registry/authorizations/store.ts'
import type {
  ClaimedDomain,
  CrawlChange,
  CrawledDomain,
  CrawlStatus,
  CrawlStore,
} from '../../../registry/crawler/store.ts'
import { type Database, type SqlValue, sqlOf } from '../../sql/database.ts'
import { insertRows } from '../../sql/insert-rows.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { FOR_UPDATE, SKIP_LOCKED } from '../../sql/locks.ts'
import { takeAny } from '../../sql/take-any.ts'
import { crawlRequests } from './requests.ts'

export type CrawledRow = Omit<CrawledDomain, 'faults'> & { faults: string }

export const CRAWLED_COLUMNS = `domain, status, file_id, discovery_method, manager_domain, location, held_location, held_since,
  last_http_status, last_bytes, error_code, error, faults, status_since, checked_at, verified_at,
  failures, next_crawl_at`

/** Lost domains that one claim examines. */
const LOST_AT_ONCE = 100

export function createCrawlStore(database: Database): CrawlStore {
  const { read } = database
  return {
    ...crawlLeases(),
    ...crawlRequests(database),
    get: async (domain) => {
      const row = await read.get<CrawledRow>(
        `SELECT ${CRAWLED_COLUMNS} FROM crawl_domains WHERE domain = $1`,
        [domain],
      )
      return row && crawledDomain(row)
    },
    add: async (tx, domains, { foundBy, at }) => {
      const now = await tx.now()
      return insertRows(database, sqlOf(tx), {
        table: 'crawl_domains',
        columns: [
          'domain',
          'status',
          'faults',
          'status_since',
          'checked_at',
          'verified_at',
          'failures',
          'found_by',
          'next_crawl_at',
          'lease_until',
          'lost',
        ],
        rows: domains.map((domain) => [domain, 'never', '[]', now, 0, 0, 0, foundBy, at, 0, 0]),
        suffix: 'ON CONFLICT (domain) DO NOTHING',
      })
    },
    crawlNow: async (tx, domain) => {
      await sqlOf(tx).run('UPDATE crawl_domains SET next_crawl_at = 0 WHERE domain = $1', [domain])
    },
    speakers: async (tx, domains) => {
      const rows = await sqlOf(tx).all<
        Pick<CrawledRow, 'domain' | 'status' | 'file_id' | 'discovery_method' | 'manager_domain'>
      >(
        `SELECT domain, status, file_id, discovery_method, manager_domain FROM crawl_domains
         WHERE ${isIn('domain', 1)} ORDER BY domain ${FOR_UPDATE}`,
        [listed(domains)],
      )
      const known = new Map(rows.map((row) => [row.domain, row]))
      return domains.map((domain): Speaker => {
        const row = known.get(domain)
        return {
          publisher_domain: domain,
          file_id: row?.file_id ?? null,
          discovery_method: row?.discovery_method ?? null,
          manager_domain: row?.manager_domain ?? null,
          isSilent: row === undefined || (row.file_id === null && row.status !== 'invalid'),
        }
      })
    },
    counts: async () => {
      const rows = await read.all<{ status: CrawlStatus; n: number }>(
        'SELECT status, count(*) AS n FROM crawl_domains GROUP BY status',
      )
      const counts = { never: 0, valid: 0, invalid: 0, absent: 0, failed: 0 }
      for (const { status, n } of rows) counts[status] = n
      return counts
    },
  }
}

/** Crawls of domains: each is leased to one instance, which ends it. */
function crawlLeases(): Pick<CrawlStore, 'claimDue' | 'renew' | 'release' | 'record' | 'finish'> {
  return {
    claimDue: (tx, options) => claimDue(tx, options),
    renew: async (tx, { id, leaseToken }, leaseMs) =>
      (await sqlOf(tx).run(
        'UPDATE crawl_domains SET lease_until = $3 WHERE domain = $1 AND lease_token = $2',
        [id, leaseToken, (await tx.now()) + leaseMs],
      )) > 0,
    release: async (tx, { id, leaseToken }, nextCrawlAt) => {
      await sqlOf(tx).run(
        `UPDATE crawl_domains SET lease_until = 0, lease_token = NULL, lost = lost - 1, next_crawl_at = $3
         WHERE domain = $1 AND lease_token = $2`,
        [id, leaseToken, nextCrawlAt],
      )
    },
    record: async (tx, { id, leaseToken }, change) => {
      const members = Object.entries(changeRow(change, await tx.now()))
      const sets = members.map(([name], index) => `${name} = $${index + 3}`)
      const changed = await sqlOf(tx).run(
        `UPDATE crawl_domains SET ${sets.join(', ')} WHERE domain = $1 AND lease_token = $2`,
        [id, leaseToken, ...members.map(([, value]) => value)],
      )
      return changed > 0
    },
    finish: async (tx, { id, leaseToken }, { at, isGivenUp }) => {
      await sqlOf(tx).run(
        `UPDATE crawl_domains SET lease_until = 0, lease_token = NULL,
           lost = CASE WHEN $4 = 1 THEN lost - 1 ELSE 0 END,
           next_crawl_at = CASE WHEN next_crawl_at = 0 THEN 0 ELSE CAST($3 AS BIGINT) END
         WHERE domain = $1 AND lease_token = $2`,
        [id, leaseToken, at, isGivenUp ? 1 : 0],
      )
    },
  }
}

async function claimDue(
  tx: Parameters<CrawlStore['claimDue']>[0],
  { limit, leaseMs, chooseLost }: Parameters<CrawlStore['claimDue']>[1],
): Promise<ClaimedDomain[]> {
  const now = await tx.now()
  const leaseToken = randomUUID()
  const due = (condition: string, place: number) =>
    `SELECT domain AS id, lost FROM crawl_domains
     WHERE next_crawl_at <= $${place} AND lease_until <= $${place} AND ${condition}
     ORDER BY next_crawl_at LIMIT $${place + 1} ${SKIP_LOCKED}`
  const lost = await sqlOf(tx).all<PossiblyPoisonJob>(due('lost > 0', 1), [now, LOST_AT_ONCE])
  const { lost: ids, others } = (chooseLost ?? takeAny(limit))(lost)
  const rows: (CrawledRow & { lost: number })[] = []
  const lease = async (those: string, params: readonly SqlValue[]) => {
    const taken = await sqlOf(tx).all<CrawledRow & { lost: number }>(
      `UPDATE crawl_domains SET lease_until = $1, lease_token = $2, lost = lost + 1,
         next_crawl_at = CASE WHEN next_crawl_at = 0 THEN $3 ELSE next_crawl_at END
       WHERE domain IN (${those}) RETURNING ${CRAWLED_COLUMNS}, lost`,
      [now + leaseMs, leaseToken, now, ...params],
    )
    rows.push(...taken)
  }
  if (ids.length > 0) await lease(ids.map((_, n) => `$${n + 4}`).join(), ids)
  if (others > 0) await lease(`SELECT id FROM (${due('lost = 0', 4)}) AS due`, [now, others])
  return rows.map(({ lost: losses, ...row }) => ({
    ...crawledDomain(row),
    id: row.domain,
    leaseToken,
    lost: losses,
  }))
}

export function crawledDomain(row: CrawledRow): CrawledDomain {
  return { ...row, faults: JSON.parse(row.faults) as FileFault[] }
}

function changeRow(change: CrawlChange, now: number): Record<string, SqlValue> {
  return {
    status: change.status,
    file_id: change.file_id,
    discovery_method: change.discovery_method,
    manager_domain: change.manager_domain,
    location: change.location,
    held_location: change.held_location,
    held_since: change.held_since,
    last_http_status: change.last_http_status,
    last_bytes: change.last_bytes,
    error_code: change.error_code,
    error: change.error,
    faults: JSON.stringify(change.faults),
    status_since: change.status_since,
    checked_at: now,
    verified_at: change.verified_at,
    failures: change.failures,
  }
}
