// Publishers in SQL: the domains that have a file, and how much each file says about its domain.

import { isStorable } from '../../../lib/storable-text.ts'
import type { PublisherHead, PublisherStore } from '../../../registry/publishers/store.ts'
import type { Database } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { AFTER_PREFIX } from '../references/search.ts'

const COLUMNS = 'domain, file_id, discovery_method, verified_at'

/** The beginning of a name, as stored in its index. */
const NAME_START = {
  sqlite: 'substr(lower(p.name), 1, 60)',
  postgres: '(substr(lower(p.name), 1, 60) COLLATE "C")',
}
/** Maximum index entries that a search reads: a short query must not cost more than a long one. */
const LOOKED_AT = 1_000

export function createPublisherStore(database: Database): PublisherStore {
  const { dialect, read } = database
  return {
    ...publisherCounts(database),
    some: async (domains) => {
      const rows = await read.all<PublisherHead>(
        `SELECT ${COLUMNS} FROM crawl_domains
         WHERE ${isIn('domain', 1)} AND file_id IS NOT NULL`,
        [listed(domains)],
      )
      return new Map(rows.map((row) => [row.domain, row]))
    },
    list: async ({ prefix, limit, offset }) =>
      isStorable(prefix)
        ? read.all<PublisherHead>(
            `SELECT ${COLUMNS} FROM crawl_domains WHERE file_id IS NOT NULL AND domain >= $1 AND domain < $2
             ORDER BY domain LIMIT $3 OFFSET $4`,
            [prefix, prefix + AFTER_PREFIX, limit, offset],
          )
        : [],
    discovered: async ({ prefix, limit }) =>
      isStorable(prefix)
        ? read.all<{ domain: string; properties: number }>(
            `SELECT d.domain, (SELECT count(DISTINCT p.property_id) FROM publisher_file_properties p
               JOIN publisher_files f ON f.id = p.file_id AND f.version = p.version
               WHERE p.publisher_domain = d.domain) AS properties
             FROM ${DISCOVERED} AND d.domain >= $1 AND d.domain < $2 ORDER BY d.domain LIMIT $3`,
            [prefix, prefix + AFTER_PREFIX, limit],
          )
        : [],
    findProperties: async (prefix, limit) => {
      if (!isStorable(prefix)) return []
      const found = await Promise.all(
        [NAME_START[dialect], 'p.publisher_domain'].map((column) =>
          read.all<{ domain: string; name: string; is_confirmed: number }>(
            `SELECT DISTINCT domain, name, is_confirmed FROM (
               SELECT p.publisher_domain AS domain, p.name,
                 CASE WHEN d.file_id IS NULL THEN 0 ELSE 1 END AS is_confirmed
               FROM publisher_file_properties p
               JOIN publisher_files f ON f.id = p.file_id AND f.version = p.version
               LEFT JOIN crawl_domains d ON d.domain = p.publisher_domain
               WHERE ${column} >= $1 AND ${column} < $2 AND p.publisher_domain IS NOT NULL
                 AND (d.file_id IS NULL OR d.file_id = p.file_id)
               ORDER BY ${column} LIMIT ${LOOKED_AT}) AS looked_at
             ORDER BY is_confirmed DESC, name, domain LIMIT $3`,
            [prefix, prefix + AFTER_PREFIX, limit],
          ),
        ),
      )
      const byKey = new Map(found.flat().map((one) => [`${one.domain} ${one.name}`, one]))
      return [...byKey.values()]
        .map(({ is_confirmed, ...one }) => ({ ...one, isConfirmed: is_confirmed === 1 }))
        .sort((a, b) => Number(b.isConfirmed) - Number(a.isConfirmed))
        .slice(0, limit)
    },
  }
}

/** The crawler knows every domain that a file describes. */
const DISCOVERED = `crawl_domains d WHERE d.file_id IS NULL AND EXISTS (
  SELECT 1 FROM publisher_file_properties p
  JOIN publisher_files f ON f.id = p.file_id AND f.version = p.version WHERE p.publisher_domain = d.domain)`

/** How much the files of some domains say, and all files together. */
function publisherCounts({ read }: Database): Pick<PublisherStore, 'counts' | 'totals'> {
  return {
    counts: async (domains, now) => {
      const [properties, agents] = await Promise.all([
        read.all<{ domain: string; n: number }>(
          `SELECT d.domain, count(DISTINCT p.property_id) AS n FROM crawl_domains d
           JOIN publisher_files f ON f.id = d.file_id
           JOIN publisher_file_properties p
             ON p.publisher_domain = d.domain AND p.file_id = d.file_id AND p.version = f.version
           WHERE ${isIn('d.domain', 1)} GROUP BY d.domain`,
          [listed(domains)],
        ),
        read.all<{ domain: string; n: number }>(
          `SELECT publisher_domain AS domain, count(DISTINCT agent_url) AS n FROM authorizations
           WHERE ${isIn('publisher_domain', 1)} AND status = 'live'
             AND coalesce(effective_from, 0) <= $2 AND (effective_until IS NULL OR effective_until > $2)
           GROUP BY publisher_domain`,
          [listed(domains), now],
        ),
      ])
      const of = (rows: typeof properties) => new Map(rows.map(({ domain, n }) => [domain, n]))
      const [propertiesOf, agentsOf] = [of(properties), of(agents)]
      return new Map(
        domains.map((domain) => [
          domain,
          { properties: propertiesOf.get(domain) ?? 0, agents: agentsOf.get(domain) ?? 0 },
        ]),
      )
    },
    totals: async (most) => {
      const count = async (query: string) =>
        (
          await read.get<{ n: number }>(
            `SELECT count(*) AS n FROM (${query} LIMIT ${most}) AS counted`,
            [],
          )
        )?.n ?? 0
      return {
        publishers: await count('SELECT 1 FROM crawl_domains WHERE file_id IS NOT NULL'),
        discovered: await count(`SELECT 1 FROM ${DISCOVERED}`),
        properties: await count(
          `SELECT 1 FROM publisher_file_properties p
           JOIN publisher_files f ON f.id = p.file_id AND f.version = p.version`,
        ),
        authorizations: await count(`SELECT 1 FROM authorizations WHERE status = 'live'`),
        authorized_agents: await count(
          `SELECT DISTINCT agent_url FROM authorizations WHERE status = 'live'`,
        ),
        registered_agents: await count(
          `SELECT DISTINCT url FROM member_agents WHERE visibility = 'public'`,
        ),
      }
    },
  }
}
