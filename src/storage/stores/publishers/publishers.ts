// Publishers in SQL: the domains for which a file speaks, and how much each of those files says about its domain.

import { isStorable } from '../../../lib/storable-text.ts'
import type { PublisherHead, PublisherStore } from '../../../registry/publishers/store.ts'
import type { Database } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { AFTER_PREFIX } from '../references/search.ts'

const COLUMNS = 'domain, file_id, discovery_method, verified_at'

export function createPublisherStore({ dialect, read }: Database): PublisherStore {
  return {
    some: async (domains) => {
      const rows = await read.all<PublisherHead>(
        `SELECT ${COLUMNS} FROM crawl_domains
         WHERE ${isIn(dialect, 'domain', 1)} AND file_id IS NOT NULL`,
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
    counts: async (domains) => {
      const [properties, agents] = await Promise.all([
        read.all<{ domain: string; n: number }>(
          `SELECT d.domain, count(DISTINCT p.property_id) AS n FROM crawl_domains d
           JOIN publisher_files f ON f.id = d.file_id
           JOIN publisher_file_properties p
             ON p.publisher_domain = d.domain AND p.file_id = d.file_id AND p.version = f.version
           WHERE ${isIn(dialect, 'd.domain', 1)} GROUP BY d.domain`,
          [listed(domains)],
        ),
        read.all<{ domain: string; n: number }>(
          `SELECT publisher_domain AS domain, count(DISTINCT agent_url) AS n FROM authorizations
           WHERE ${isIn(dialect, 'publisher_domain', 1)} AND status = 'live' GROUP BY publisher_domain`,
          [listed(domains)],
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
