// Recoveries in SQL: the deliveries that each one selects, read a bounded number at a time along an index, and each
// recovery's progress.

import type { Transaction } from '../../../lib/transaction.ts'
import {
  RECOVERIES_TOPIC,
  type Recovery,
  type RecoveryRequest,
  type RecoveryStore,
} from '../../../webhooks/sender/recovery-store.ts'
import type { DeliveryState } from '../../../webhooks/sender/store.ts'
import { type Database, type Queryable, type SqlTransaction, sqlOf } from '../../sql/database.ts'
import { amongLocked, SKIP_LOCKED } from '../../sql/locks.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'
import { idsBetween } from './ids-by-time.ts'
import { laneOf } from './rows.ts'
import { sendAgain } from './send-again.ts'

/** Deliveries examined in one step: sending writes, counting only reads. */
const SENT_AT_ONCE = 200
const COUNTED_AT_ONCE = 2_000
/** Deliveries examined by a count without a recovery. */
const COUNTED_AHEAD = 20_000
const FORGOTTEN_AT_ONCE = 1_000

const DISPLAYED = `recovery_id, owner, endpoint, which, since, state, total, sent, passed_over, requested_by,
  created_at, updated_at, ended_at`

interface RecoveryRow extends Nullable<Recovery> {
  first_id: number
  last_id: number
  cursor_id: number
}

export function createRecoveryStore(database: Database): RecoveryStore {
  const { read } = database
  return {
    count: (selection) => countAhead(read, selection),
    begin: (tx, selection) => begin(database, sqlOf(tx), selection),
    list: async ({ owner, endpoint }, limit) => {
      const rows = await read.all<Nullable<Recovery>>(
        `SELECT ${DISPLAYED} FROM webhook_recoveries WHERE owner = $1 AND endpoint = $2
         ORDER BY recovery_id DESC LIMIT $3`,
        [owner, endpoint, limit],
      )
      return rows.map(withoutNulls<Recovery>)
    },
    get: async (recoveryId) => {
      const row = await read.get<Nullable<Recovery>>(
        `SELECT ${DISPLAYED} FROM webhook_recoveries WHERE recovery_id = $1`,
        [recoveryId],
      )
      return row && withoutNulls<Recovery>(row)
    },
    cancel: async (tx, recoveryId) =>
      (await sqlOf(tx).run(
        `UPDATE webhook_recoveries SET state = 'cancelled', ended_at = $2, updated_at = $2
         WHERE recovery_id = $1 AND ended_at IS NULL`,
        [recoveryId, await tx.now()],
      )) > 0,
    step: (tx, horizonMs, recoveryId) => step(database, tx, { horizonMs, recoveryId }),
    trim: (tx, endedBefore) =>
      sqlOf(tx).run(
        `DELETE FROM webhook_recoveries WHERE ${amongLocked(
          'recovery_id',
          `SELECT recovery_id FROM webhook_recoveries WHERE ended_at < $1
           ORDER BY ended_at LIMIT ${FORGOTTEN_AT_ONCE}`,
        )}`,
        [endedBefore],
      ),
  }
}

async function countAhead(
  read: Queryable,
  selection: RecoveryRequest,
): ReturnType<RecoveryStore['count']> {
  const { first_id, last_id } = await boundsOf(read, selection.since)
  const place = { after: first_id - 1, last_id }
  const { meant, isLast } = await look(read, selection, { ...place, limit: COUNTED_AHEAD })
  return { found: meant.length, isAll: isLast }
}

async function begin(
  { dialect }: Database,
  tx: SqlTransaction,
  { owner, endpoint, which, since, requested_by }: RecoveryRequest & { requested_by: string },
): Promise<Recovery | undefined> {
  const { first_id, last_id } = await boundsOf(tx, since)
  const now = await tx.now()
  // The index serializes two concurrent inserts: one waits for the other, and adds nothing.
  const only = dialect === 'postgres' ? '(owner, endpoint) WHERE ended_at IS NULL' : ''
  const row = await tx.get<Nullable<Recovery>>(
    `INSERT INTO webhook_recoveries (owner, endpoint, which, since, state, total, sent, passed_over,
       first_id, last_id, cursor_id, requested_by, created_at, updated_at)
     VALUES ($1, $2, $3, $4, 'counting', 0, 0, 0, $5, $6, $7, $8, $9, $9)
     ON CONFLICT ${only} DO NOTHING RETURNING ${DISPLAYED}`,
    [owner, endpoint, which, since, first_id, last_id, first_id - 1, requested_by, now],
  )
  if (!row) return undefined
  await tx.wake(RECOVERIES_TOPIC)
  return withoutNulls<Recovery>(row)
}

/** The range of ids that contains everything from then until now. */
async function boundsOf(
  read: Queryable,
  since: number,
): Promise<{ first_id: number; last_id: number }> {
  const { from = 0 } = await idsBetween(read, { since })
  const newest = await read.get<{ last: number | null }>(
    'SELECT max(delivery_id) AS last FROM webhook_deliveries',
  )
  return { first_id: from, last_id: newest?.last ?? 0 }
}

/** Locks one until the end of the transaction and advances it by one step. */
async function step(
  database: Database,
  transaction: Transaction,
  { horizonMs, recoveryId }: { horizonMs: number; recoveryId: number | undefined },
): Promise<Recovery | undefined> {
  const tx = sqlOf(transaction)
  await tx.useIndexes()
  const row = await tx.get<RecoveryRow>(
    `SELECT ${DISPLAYED}, first_id, last_id, cursor_id FROM webhook_recoveries
     WHERE ended_at IS NULL ${recoveryId === undefined ? '' : 'AND recovery_id = $1'}
     ORDER BY updated_at, recovery_id LIMIT 1 ${SKIP_LOCKED}`,
    recoveryId === undefined ? [] : [recoveryId],
  )
  if (!row) return undefined
  const now = await tx.now()
  const after =
    row.state === 'counting'
      ? await countOn(tx, row)
      : await sendOn({ dialect: database.dialect, tx, now }, row, horizonMs)
  const moved = { ...after, updated_at: now, ended_at: after.state === 'finished' ? now : null }
  await tx.run(
    `UPDATE webhook_recoveries SET state = $2, total = $3, sent = $4, passed_over = $5,
       cursor_id = $6, updated_at = $7, ended_at = $8 WHERE recovery_id = $1`,
    [
      row.recovery_id,
      moved.state,
      moved.total,
      moved.sent,
      moved.passed_over,
      moved.cursor_id,
      moved.updated_at,
      moved.ended_at,
    ],
  )
  const { first_id, last_id, cursor_id, ...returned } = moved
  return withoutNulls<Recovery>(returned)
}

async function countOn(tx: SqlTransaction, row: RecoveryRow): Promise<RecoveryRow> {
  const place = { after: row.cursor_id, last_id: row.last_id, limit: COUNTED_AT_ONCE }
  const { meant, last, isLast } = await look(tx, row, place)
  const total = row.total + meant.length
  if (!isLast) return { ...row, total, cursor_id: last }
  return { ...row, total, state: 'sending', cursor_id: row.first_id - 1 }
}

async function sendOn(
  on: { dialect: Database['dialect']; tx: SqlTransaction; now: number },
  row: RecoveryRow,
  horizonMs: number,
): Promise<RecoveryRow> {
  const place = { after: row.cursor_id, last_id: row.last_id, limit: SENT_AT_ONCE }
  const { meant, last, isLast } = await look(on.tx, row, place)
  const sent = await sendAgain(on, meant, { of: 'ended', horizonMs })
  return {
    ...row,
    sent: row.sent + sent,
    passed_over: row.passed_over + meant.length - sent,
    cursor_id: last,
    state: isLast ? 'finished' : 'sending',
  }
}

interface LookedAt {
  delivery_id: number
  owner: string
  state: DeliveryState
  created_at: number
  is_called_off: number | null
}

/** The selected deliveries among the next existing ones; `last`: the last one examined. */
async function look(
  read: Queryable,
  selection: RecoveryRequest,
  { after, last_id, limit }: { after: number; last_id: number; limit: number },
): Promise<{ meant: number[]; last: number; isLast: boolean }> {
  const { where, value } =
    selection.which === 'failed'
      ? { where: "lane = $1 AND state IN ('exhausted', 'cancelled')", value: laneOf(selection) }
      : { where: 'endpoint = $1', value: selection.endpoint }
  const rows = await read.all<LookedAt>(
    `SELECT delivery_id, owner, state, created_at, is_called_off FROM webhook_deliveries
     WHERE ${where} AND delivery_id > $2 AND delivery_id <= $3 ORDER BY delivery_id LIMIT $4`,
    [value, after, last_id, limit],
  )
  const meant = rows.filter((row) => isMeant(row, selection)).map(({ delivery_id }) => delivery_id)
  return { meant, last: rows.at(-1)?.delivery_id ?? after, isLast: rows.length < limit }
}

function isMeant(row: LookedAt, { which, owner, since }: RecoveryRequest): boolean {
  if (row.owner !== owner || row.created_at < since) return false
  if (which === 'failed') return row.is_called_off === null
  return row.state === 'delivered' || row.state === 'exhausted' || row.state === 'cancelled'
}
