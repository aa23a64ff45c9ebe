// Authorizations for a bench, written to the database as the crawler leaves them: publishers with one property each, and
// for each publisher some agents, the first of which sells for all of them.
import { openStorage } from '../../dist/app/open-storage.js'

const AT_ONCE = 500
const NOW = Date.now()
const FILE = 'https://network.example/.well-known/adagents.json'

export const publisherOf = (n) => `pub-${n.toString(36).padStart(6, '0')}.example`
export const agentOf = (n) => `https://agent-${n}.example/mcp`

const TERMS = JSON.stringify({
  authorized_for: 'Display',
  countries: null,
  placement_ids: null,
  placement_tags: null,
  collections: null,
  delegation_type: null,
  exclusive: false,
  effective_from: null,
  effective_until: null,
  signing_keys: null,
})

/** @param {{ rows: number, agentsEach: number }} options */
export async function writeAuthorizations(config, { rows, agentsEach }) {
  const storage = await openStorage({ databasePool: 4, ...config })
  const { database, transact, publisherFiles } = storage
  const file = await transact(async (tx) => {
    const begun = await publisherFiles.begin(tx, FILE)
    await publisherFiles.finish(tx, begun, {
      etag: null,
      last_modified: null,
      digest: 'bench',
      bytes: 0,
      property_count: 0,
      entry_count: agentsEach,
      last_updated: null,
      contact: null,
      counts: { formats: 0, placements: 0, signals: 0, collections: 0 },
      faults: [],
      total_faults: 0,
      verified_at: NOW,
      checked_at: NOW,
    })
    await publisherFiles.applied(tx, begun)
    return begun
  })
  const publishers = Math.ceil(rows / agentsEach)
  for (let start = 0; start < publishers; start += AT_ONCE) {
    const many = Array.from({ length: Math.min(AT_ONCE, publishers - start) }, (_, n) => start + n)
    await database.transact(async (tx) => {
      await insert(tx, 'crawl_domains', many.map(domainRow(file)))
      await insert(tx, 'publisher_file_properties', many.map(propertyRow(file)))
      await insert(tx, 'publisher_file_identifiers', many.map(identifierRow(file)))
      for (let agent = 0; agent < agentsEach; agent++) {
        await insert(tx, 'authorizations', many.map(authorizationRow(file, agent)))
      }
    })
  }
  await storage.close()
  return publishers
}

async function insert(tx, table, rows) {
  const columns = Object.keys(rows[0])
  const values = rows
    .map(
      (_, row) => `(${columns.map((_name, n) => `$${row * columns.length + n + 1}`).join(', ')})`,
    )
    .join(', ')
  await tx.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values}`,
    rows.flatMap((row) => Object.values(row)),
  )
}

const domainRow = (file) => (n) => ({
  domain: publisherOf(n),
  status: 'valid',
  file_id: file.id,
  discovery_method: 'authoritative_location',
  manager_domain: 'network.example',
  location: FILE,
  faults: '[]',
  status_since: NOW,
  checked_at: NOW,
  verified_at: NOW,
  failures: 0,
  found_by: 'bench',
  next_crawl_at: NOW + 86_400_000,
  lease_until: 0,
  lost: 0,
})

const propertyRow = (file) => (n) => ({
  file_id: file.id,
  version: file.version,
  n,
  publisher_domain: publisherOf(n),
  property_id: `site-${n}`,
  property_type: 'website',
  name: publisherOf(n),
  identifiers: JSON.stringify([{ type: 'domain', value: publisherOf(n) }]),
  tags: '[]',
})

const identifierRow = (file) => (n) => ({
  type: 'domain',
  value: publisherOf(n),
  file_id: file.id,
  version: file.version,
  n,
})

const authorizationRow = (file, agent) => (n) => ({
  id: `${n.toString(36).padStart(8, '0')}-${agent}`,
  publisher_domain: publisherOf(n),
  // The first agent is that of every publisher; the others are spread.
  agent_url: agentOf(agent === 0 ? 0 : 1 + ((n * 7 + agent) % 1_000)),
  authorization_type: 'property_ids',
  status: 'live',
  file_id: file.id,
  entry: agent,
  discovery_method: 'authoritative_location',
  manager_domain: 'network.example',
  property_ids: JSON.stringify([`site-${n}`]),
  properties_authorized: 1,
  properties_total: 1,
  terms: TERMS,
  is_pinned: 0,
  digest: 'bench',
  created_at: NOW,
  updated_at: NOW,
})
