// The audit log of the console in SQL.

import { type AuditRecord, type AuditStore, UNKNOWN_PRINCIPAL } from '../../../console/store.ts'
import { storable } from '../../../lib/storable-text.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'
import { readPage } from '../../sql/pages.ts'

const COLUMNS =
  'audit_id, at, actor_id AS principal_id, actor_name AS principal_name, action, target, outcome, detail, address, key_id, attempts, last_at'
const SWEEP_ROWS = 1_000
const OUTCOMES = ['done', 'refused'] as const

export function createAuditStore({ read }: Database): AuditStore {
  return {
    add: async (tx, entry) => {
      const { principal_id, principal_name, action, target, outcome, detail } = entry
      const { address, key_id, attempts = 1 } = entry
      const now = await tx.now()
      const row = await sqlOf(tx).get<{ audit_id: number }>(
        `INSERT INTO console_audit (at, actor_id, actor_name, action, target, outcome, detail,
           address, key_id, attempts, last_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING audit_id`,
        [
          now,
          principal_id,
          principal_name,
          action,
          kept(target),
          outcome,
          kept(detail),
          kept(address),
          key_id ?? null,
          attempts,
          attempts > 1 ? now : null,
        ],
      )
      return (row as { audit_id: number }).audit_id
    },
    addAttempts: async (tx, auditId, attempts) => {
      await sqlOf(tx).run(
        'UPDATE console_audit SET attempts = attempts + $2, last_at = $3 WHERE audit_id = $1',
        [auditId, attempts, await tx.now()],
      )
    },
    list: async ({ principal_id, action, outcome, address, before, limit }) => {
      const conditions = createConditions()
      conditions.is('actor_id =', principal_id)
      conditions.is('action =', action)
      conditions.isOneOf('outcome', OUTCOMES, outcome)
      conditions.is('address =', address)
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
    sweepUnknown: (tx, most) =>
      sqlOf(tx).run(
        `DELETE FROM console_audit WHERE actor_id = $1 AND audit_id <= (
           SELECT audit_id FROM console_audit WHERE actor_id = $1
           ORDER BY audit_id DESC LIMIT 1 OFFSET $2)
         AND audit_id IN (
           SELECT audit_id FROM console_audit WHERE actor_id = $1
           ORDER BY audit_id LIMIT ${SWEEP_ROWS})`,
        [UNKNOWN_PRINCIPAL, most],
      ),
  }
}

const MAX_CHARS = 2_000

function kept(text: string | undefined): string | null {
  return text === undefined ? null : storable(text.slice(0, MAX_CHARS))
}
