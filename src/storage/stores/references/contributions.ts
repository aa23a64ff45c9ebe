// All references of one contributor in SQL, for when it goes. No index has them together: they are walked
// along the primary key, once.

import type { SqlTransaction } from '../../sql/database.ts'
import type { ReferenceRow } from './reference-row.ts'

export const contributions = {
  async count(tx: SqlTransaction, organizationId: string) {
    const row = await tx.get<{ references: number; valid_references: number }>(
      `SELECT count(*) AS "references",
         coalesce(sum(CASE WHEN verification_status = 'valid' THEN 1 ELSE 0 END), 0)
           AS valid_references
       FROM manifest_references WHERE contributed_by_org_id = $1`,
      [organizationId],
    )
    if (!row) throw new Error('an aggregate always has a row')
    return { ...row }
  },

  /** By id, those after `after`. Their history and words go with them. */
  async removeSome(
    tx: SqlTransaction,
    organizationId: string,
    { after, limit, columns }: { after: string; limit: number; columns: string },
  ): Promise<ReferenceRow[]> {
    // One statement, so that whatever goes is answered; in no order of its own.
    const rows = await tx.all<ReferenceRow>(
      `DELETE FROM manifest_references WHERE id IN (
         SELECT id FROM manifest_references
         WHERE contributed_by_org_id = $1 AND id > $2 ORDER BY id LIMIT $3)
       RETURNING ${columns}`,
      [organizationId, after, limit],
    )
    return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
  },
}
