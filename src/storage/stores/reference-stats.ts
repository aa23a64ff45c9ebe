// Counts over all references, in one pass.

import type { ReferenceStats } from '../../registry/store.ts'
import type { Queryable } from '../sql/database.ts'

const count = (condition: string) => `coalesce(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0)`

export async function referenceStats(read: Queryable): Promise<ReferenceStats> {
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
