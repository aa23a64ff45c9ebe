// A reference as a row of the database.

import type { ManifestReference, ReferenceRecord } from '../../../protocol/manifest-reference.ts'
import { isoTime } from '../../sql/iso-time.ts'

export interface ReferenceRow extends ManifestReference {
  id: string
  domain: string
  manifest_type: ReferenceRecord['manifest_type']
  proved_by: ReferenceRecord['proved_by']
  completeness_score: number
  contributed_by_org_id: string
  last_verified_at: number
  created_at: number
  updated_at: number
}

export const REFERENCE_COLUMNS = `id, domain, manifest_type, reference_type, manifest_url, agent_url, agent_id,
  verification_status, proved_by, completeness_score, contributed_by_org_id, last_verified_at, created_at, updated_at`

export function referenceOf(row: ReferenceRow): ReferenceRecord {
  return {
    id: row.id,
    domain: row.domain,
    manifest_type: row.manifest_type,
    reference_type: row.reference_type,
    manifest_url: row.manifest_url,
    agent_url: row.agent_url,
    agent_id: row.agent_id,
    verification_status: row.verification_status,
    proved_by: row.proved_by,
    completeness_score: row.completeness_score,
    contributed_by_org_id: row.contributed_by_org_id,
    last_verified_at: row.last_verified_at === 0 ? null : isoTime(row.last_verified_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}
