// The audit log of the console in SQL.

import type { AuditRecord, AuditStore } from '../../../console/store.ts'
import { storable } from '../../../lib/storable-text.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'
import { readPage } from '../../sql/pages.ts'

const COLUMNS =
  'audit_id, at, actor_id AS principal_id, actor_name AS principal_name, action, target, outcome, detail'
const SWEEP_ROWS = 1_000

export function createAuditStore({ read, dialect }: Database): AuditStore {
  return {
    add: async (tx, entry) => {
      const { principal_id, principal_name, action, target, outcome, detail } = entry
      await sqlOf(tx).run(
        `INSERT INTO console_audit
           (at, actor_id, actor_name, action, target, outcome, detail)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [
          ...[await tx.now(), principal_id, principal_name, action],
          ...[kept(target), outcome, kept(detail)],
        ],
      )
    },
    list: async ({ principal_id, action, before, limit }) => {
      const conditions = createConditions(dialect)
      conditions.is('actor_id =', principal_id)
      conditions.is('action =', action)
      const { rows, hasMore } = await readPage<Nullable<AuditRecord>>(read, {
        select: `SELECT ${COLUMNS} FROM console_audit`,
        conditions,
        keys: ['audit_id'],
        direction: 'desc',
        after: before === undefined ? undefined : [before],
        limit,
      })
      return { rows: rows.map(withoutNulls<AuditRecord>), hasMore }
    },
    sweep: (tx, before) =>
      sqlOf(tx).run(
        `DELETE FROM console_audit WHERE audit_id IN (
           SELECT audit_id FROM (
             SELECT audit_id, at FROM console_audit ORDER BY audit_id LIMIT ${SWEEP_ROWS}) AS oldest
           WHERE at < $1)`,
        [before],
      ),
  }
}

const MAX_CHARS = 2_000

function kept(text: string | undefined): string | null {
  return text === undefined ? null : storable(text.slice(0, MAX_CHARS))
}
