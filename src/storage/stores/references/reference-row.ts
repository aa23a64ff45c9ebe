// A reference as a row of the database.

import type { ManifestReference, ReferenceRecord } from '../../../protocol/manifest-reference.ts'

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
