// The history of contributed entries in SQL.

import type { RevisionStore } from '../../../registry/revisions.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { isoTime } from '../../sql/iso-time.ts'

interface RevisionRow {
  revision_number: number
  editor_name: string
  edit_summary: string
  source: string | null
  rolled_back_to: number | null
  created_at: number
}

export function createRevisionStore({ read }: Database): RevisionStore {
  return {
    add: async (tx, { kind, key, editorName, summary, source, rolledBackTo }) => {
      const row = await sqlOf(tx).get<{ revision_number: number }>(
        `INSERT INTO registry_revisions
           (entity_kind, entity_key, revision_number, editor_name, edit_summary, source, rolled_back_to, created_at)
         SELECT $1, $2, coalesce(max(revision_number), 0) + 1, $3, $4, $5, CAST($6 AS INTEGER), CAST($7 AS BIGINT)
         FROM registry_revisions WHERE entity_kind = $1 AND entity_key = $2
         RETURNING revision_number`,
        [kind, key, editorName, summary, source, rolledBackTo, await tx.now()],
      )
      if (!row) throw new Error('an aggregate always has a row')
      return row.revision_number
    },
    page: async ({ kind, key }, { limit, offset }) => {
      const counted = await read.get<{ n: number }>(
        'SELECT count(*) AS n FROM registry_revisions WHERE entity_kind = $1 AND entity_key = $2',
        [kind, key],
      )
      const rows = await read.all<RevisionRow>(
        `SELECT revision_number, editor_name, edit_summary, source, rolled_back_to, created_at
         FROM registry_revisions WHERE entity_kind = $1 AND entity_key = $2
         ORDER BY revision_number DESC LIMIT $3 OFFSET $4`,
        [kind, key, limit, offset],
      )
      return { total: counted?.n ?? 0, revisions: rows.map(revisionOf) }
    },
  }
}

function revisionOf({ source, rolled_back_to, created_at, ...row }: RevisionRow) {
  return {
    ...row,
    ...(source === null ? {} : { source }),
    is_rollback: rolled_back_to !== null,
    ...(rolled_back_to === null ? {} : { rolled_back_to }),
    created_at: isoTime(created_at),
  }
}
