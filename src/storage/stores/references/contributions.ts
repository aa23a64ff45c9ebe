// All references of one contributor in SQL, for when it is deleted. No index groups them: they are read along the
// primary key, once.

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

  /** Those after `after`, by id. Their history and words are deleted with them. */
  async removeSome(
    tx: SqlTransaction,
    organizationId: string,
    { after, limit, columns }: { after: string; limit: number; columns: string },
  ): Promise<ReferenceRow[]> {
    // One statement, so that every deleted row is returned; the order is undefined.
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
