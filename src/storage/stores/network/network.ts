// The publishers of a manager or an agent, and the stored data about each, in SQL.

import type {
  DomainRecord,
  NetworkAuthorization,
  NetworkStore,
  NetworkSubject,
} from '../../../registry/network/store.ts'
import type { Database } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { CRAWLED_COLUMNS, type CrawledRow, crawledDomain } from '../crawl/crawl.ts'

/** Files of one host that are examined. */
const FILES_OF_HOST = 20
const OF_AGENT = ['live', 'claimed', 'revoked'] as const

export function createNetworkStore(database: Database): NetworkStore {
  return {
    publishers: async (subject, page) => {
      const lists =
        'agent_url' in subject
          ? await ofAgent(database, subject.agent_url, page)
          : await ofManager(database, subject.manager_domain, page)
      const domains = [...new Set(lists.flat())].sort(inByteOrder)
      return domains.slice(0, page.limit)
    },
    records: (subject, domains) => records(database, subject, domains),
  }
}

/** As both databases order them. */
function inByteOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

interface Page {
  after: string
  limit: number
}

async function ofAgent({ read }: Database, agentUrl: string, { after, limit }: Page) {
  const lists: string[][] = []
  for (const status of OF_AGENT) {
    const rows = await read.all<{ domain: string }>(
      `SELECT DISTINCT publisher_domain AS domain FROM authorizations
       WHERE agent_url = $1 AND status = $2 AND publisher_domain > $3 ORDER BY publisher_domain LIMIT $4`,
      [agentUrl, status, after, limit],
    )
    lists.push(rows.map(({ domain }) => domain))
  }
  return lists
}

async function ofManager(database: Database, manager: string, { after, limit }: Page) {
  const { read } = database
  const domains = (rows: { domain: string }[]) => rows.map(({ domain }) => domain)
  const managed = await read.all<{ domain: string }>(
    `SELECT domain FROM crawl_domains WHERE manager_domain = $1 AND domain > $2 ORDER BY domain LIMIT $3`,
    [manager, after, limit],
  )
  const files = listed(await filesOf(database, manager))
  const described = await read.all<{ domain: string }>(
    `SELECT DISTINCT p.publisher_domain AS domain FROM publisher_file_properties p
     JOIN publisher_files f ON f.id = p.file_id AND f.version = p.version
     WHERE ${isIn('p.file_id', 1)} AND p.publisher_domain > $2 ORDER BY p.publisher_domain LIMIT $3`,
    [files, after, limit],
  )
  return [domains(managed), domains(described)]
}

async function filesOf({ read }: Database, host: string): Promise<string[]> {
  const rows = await read.all<{ id: string }>(
    'SELECT id FROM publisher_files WHERE host = $1 AND version > 0 ORDER BY id LIMIT $2',
    [host, FILES_OF_HOST],
  )
  return rows.map(({ id }) => id)
}

async function records(
  database: Database,
  subject: NetworkSubject,
  domains: readonly string[],
): Promise<DomainRecord[]> {
  const { read } = database
  const list = listed(domains)
  const crawled = await read.all<CrawledRow>(
    `SELECT ${CRAWLED_COLUMNS} FROM crawl_domains WHERE ${isIn('domain', 1)}`,
    [list],
  )
  const isOfAgent = 'agent_url' in subject
  const authorizations = await read.all<NetworkAuthorization>(
    `SELECT publisher_domain, agent_url, status, discovery_method, manager_domain, properties_authorized,
       effective_from, effective_until FROM authorizations
     WHERE ${isIn('publisher_domain', 1)} AND status <> 'ended' AND ($2 = '' OR agent_url = $2)
     ORDER BY publisher_domain, agent_url, id`,
    [list, isOfAgent ? subject.agent_url : ''],
  )
  const held = await read.all<{ publisher_domain: string; held_until: number }>(
    `SELECT publisher_domain, held_until FROM publisher_revocations
     WHERE ${isIn('publisher_domain', 1)}`,
    [list],
  )
  const files = isOfAgent ? [] : await filesOf(database, subject.manager_domain)
  const described = await domainsIn(database, 'publisher_file_properties', { files, list })
  const revoked = await domainsIn(database, 'publisher_file_revocations', { files, list })
  const known = new Map(crawled.map((row) => [row.domain, crawledDomain(row)]))
  const until = new Map(held.map((row) => [row.publisher_domain, row.held_until]))
  const of = new Map<string, NetworkAuthorization[]>(domains.map((domain) => [domain, []]))
  for (const row of authorizations) of.get(row.publisher_domain)?.push(row)
  return domains.map((domain) => ({
    domain,
    crawled: known.get(domain),
    authorizations: of.get(domain) ?? [],
    held_until: until.get(domain) ?? null,
    isDescribed: described.has(domain),
    isRevoked: revoked.has(domain),
  }))
}

async function domainsIn(
  { read }: Database,
  table: 'publisher_file_properties' | 'publisher_file_revocations',
  { files, list }: { files: readonly string[]; list: string },
): Promise<Set<string>> {
  if (files.length === 0) return new Set()
  const rows = await read.all<{ domain: string }>(
    `SELECT DISTINCT p.publisher_domain AS domain FROM ${table} p
     JOIN publisher_files f ON f.id = p.file_id AND f.version = p.version
     WHERE ${isIn('p.file_id', 1)} AND ${isIn('p.publisher_domain', 2)}`,
    [listed(files), list],
  )
  return new Set(rows.map(({ domain }) => domain))
}
