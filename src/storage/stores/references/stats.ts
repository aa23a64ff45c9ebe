// Counts over all references. PostgreSQL counts them in one pass, in its own process. SQLite would count on our own
// thread, for a second or more in a large registry: there, rows are counted in slices, and other callers are served
// between two slices.

import { setImmediate as turn } from 'node:timers/promises'
import type { ReferenceStats } from '../../../registry/store.ts'
import type { Database } from '../../sql/database.ts'

/** `slice` is how many rows are counted at once, where we control that. */
export function referenceStats(database: Database, slice = 1_000): Promise<ReferenceStats> {
  return database.dialect === 'postgres' ? countAtOnce(database) : countInSlices(database, slice)
}

const count = (condition: string) => `coalesce(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0)`

async function countAtOnce({ read }: Database): Promise<ReferenceStats> {
  const row = await read.get<ReferenceStats>(
    `SELECT count(*) AS total_references,
       ${count("manifest_type = 'brand.json'")} AS brand_json_count,
       ${count("manifest_type = 'adagents.json'")} AS adagents_json_count,
       ${count("verification_status = 'valid'")} AS verified_count,
       ${count("verification_status = 'pending'")} AS pending_count,
       ${count("verification_status = 'invalid'")} AS invalid_count,
       ${count("verification_status = 'unreachable'")} AS unreachable_count,
       ${count("reference_type = 'url'")} AS url_refs_count,
       ${count("reference_type = 'agent'")} AS agent_refs_count,
       count(DISTINCT domain) AS unique_domains,
       count(DISTINCT contributed_by_org_id) AS unique_orgs
     FROM manifest_references`,
  )
  if (!row) throw new Error('an aggregate always has a row')
  return { ...row }
}

interface Counted {
  place: number
  manifest_type: string
  verification_status: string
  reference_type: string
  contributed_by_org_id: string
}

async function countInSlices({ read }: Database, slice: number): Promise<ReferenceStats> {
  const counts = new Map<string, number>()
  const organizations = new Set<string>()
  const add = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  for (let after = 0; ; ) {
    const rows = await read.all<Counted>(
      `SELECT rowid AS place, manifest_type, verification_status, reference_type, contributed_by_org_id
       FROM manifest_references WHERE rowid > $1 ORDER BY rowid LIMIT ${slice}`,
      [after],
    )
    for (const row of rows) {
      for (const value of [row.manifest_type, row.verification_status, row.reference_type]) {
        add(value)
      }
      organizations.add(row.contributed_by_org_id)
    }
    await turn()
    if (rows.length < slice) break
    after = rows.at(-1)?.place ?? after
  }
  const of = (what: string) => counts.get(what) ?? 0
  return {
    total_references: of('url') + of('agent'),
    brand_json_count: of('brand.json'),
    adagents_json_count: of('adagents.json'),
    verified_count: of('valid'),
    pending_count: of('pending'),
    invalid_count: of('invalid'),
    unreachable_count: of('unreachable'),
    url_refs_count: of('url'),
    agent_refs_count: of('agent'),
    unique_domains: await countDomains(read, slice),
    unique_orgs: organizations.size,
  }
}

/** In the order of the index, which contains every column that this reads. */
async function countDomains(read: Database['read'], slice: number): Promise<number> {
  let total = 0
  for (let after = ''; ; ) {
    const rows = await read.all<{ domain: string }>(
      `SELECT domain FROM manifest_references WHERE domain > $1 ORDER BY domain LIMIT ${slice}`,
      [after],
    )
    total += new Set(rows.map(({ domain }) => domain)).size
    await turn()
    if (rows.length < slice) return total
    after = rows.at(-1)?.domain ?? after
  }
}
