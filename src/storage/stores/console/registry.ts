// The registry as operators see it, in SQL: the status of verifications, and the feed from its end.

import type { RegistryQueries, VerificationFacts } from '../../../console/registry-queries.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import { createConditions } from '../../sql/conditions.ts'
import type { Database } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { lookPage } from '../../sql/look.ts'
import { CRAWLED_COLUMNS, type CrawledRow, crawledDomain } from '../crawl/crawl.ts'
import { agentTable } from '../organizations/member-agents.ts'
import { eventOf, FEED_COLUMNS, type FeedRow } from '../references/feed.ts'

const MOST_AGENTS = 100

export function createRegistryQueries(database: Database): RegistryQueries {
  const { read } = database
  return {
    facts: async (referenceIds) => {
      const rows = await read.all<
        Omit<VerificationFacts, 'is_proof_asked'> & { id: string; is_proof_asked: number }
      >(
        `SELECT id, next_verification_at, lease_until, failures, is_proof_asked
         FROM manifest_references WHERE ${isIn('id', 1)}`,
        [listed(referenceIds)],
      )
      return new Map(
        rows.map(({ id, is_proof_asked, ...facts }) => [
          id,
          { ...facts, is_proof_asked: is_proof_asked === 1 },
        ]),
      )
    },
    names: async (organizationIds) => {
      const rows = await read.all<{ organization_id: string; name: string }>(
        `SELECT organization_id, name FROM organizations
         WHERE ${isIn('organization_id', 1)}`,
        [listed(organizationIds)],
      )
      return new Map(rows.map(({ organization_id, name }) => [organization_id, name]))
    },
    organizationOf: async (domain) => {
      if (!isStorable(domain)) return undefined
      const row = await read.get<{ organization_id: string; name: string }>(
        'SELECT organization_id, name FROM organizations WHERE corporate_domain = $1',
        [domain],
      )
      if (!row) return undefined
      const agents = await agentTable.of(read, row.organization_id)
      return { ...row, agents: agents.slice(0, MOST_AGENTS) }
    },
    crawled: (filter) => crawled(database, filter),
    feed: async ({ domain, entity_type, after, limit }) => {
      const conditions = createConditions()
      conditions.is('domain =', domain)
      const kind = entity_type === undefined ? undefined : conditions.param(entity_type)
      const { rows, last } = await lookPage<FeedRow>(read, {
        columns: FEED_COLUMNS,
        from: 'feed_events',
        conditions,
        keys: ['seq'],
        limit,
        fits: kind && `entity_type = ${kind}`,
        after: after === undefined ? undefined : [after],
      })
      return { events: rows.map(eventOf), next: last?.seq }
    },
  }
}

/** Rows that one page scans to find those with a status. */
const LOOKED_AT = 2_000

async function crawled(
  { read }: Database,
  { prefix, status, after, limit }: Parameters<RegistryQueries['crawled']>[0],
): ReturnType<RegistryQueries['crawled']> {
  if (!isStorable(prefix)) return { domains: [], next: undefined }
  const most = status === undefined ? limit + 1 : LOOKED_AT
  // Sorts after every name that begins with the prefix: names are ASCII only.
  const end = prefix === '' ? '~' : `${prefix}~`
  const rows = await read.all<CrawledRow>(
    `SELECT ${CRAWLED_COLUMNS} FROM crawl_domains WHERE domain > $1 AND domain >= $2 AND domain < $3
     ORDER BY domain LIMIT $4`,
    [after, prefix, end, most],
  )
  const found = status === undefined ? rows : rows.filter((row) => row.status === status)
  const isCut = found.length > limit
  const returned = found.slice(0, limit)
  const last = isCut ? returned.at(-1) : rows.length === most ? rows.at(-1) : undefined
  return { domains: returned.map(crawledDomain), next: last?.domain }
}
