// New deliveries in SQL: due at once, in the transaction of the change they report (spec 6.4).

import { groupsOf } from '../../../lib/chunks.ts'
import { createPacer } from '../../../lib/pacer.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import { DELIVERIES_TOPIC, type NewDelivery } from '../../../webhooks/sender/store.ts'
import { type Database, placeholders, sqlOf } from '../../sql/database.ts'
import { rowsOf } from '../../sql/lists.ts'

const COLUMNS = {
  channel_id: 'TEXT',
  owner: 'TEXT',
  subject: 'TEXT',
  endpoint: 'TEXT',
  task_id: 'TEXT',
  operation_id: 'TEXT',
  notification_type: 'TEXT',
  sequence_number: 'INTEGER',
  idempotency_key: 'TEXT',
  state: 'TEXT',
  reason: 'TEXT',
  attempts: 'INTEGER',
  attempts_before: 'INTEGER',
  due_at: 'BIGINT',
  created_at: 'BIGINT',
  expires_at: 'BIGINT',
  ended_at: 'BIGINT',
  token: 'TEXT',
  token_at: 'INTEGER',
  token_bytes: 'INTEGER',
} as const
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]
const INSERT = `INSERT INTO webhook_deliveries (${NAMES.join(', ')}, body)`
/** Maximum bytes written at once, unless one delivery is larger; and the size of a row besides its body. */
const MOST_BYTES = 512 * 1_024
const ROW_BYTES = 1_000

type Row = Record<keyof typeof COLUMNS, string | number | null>

export async function addDeliveries(
  { dialect }: Database,
  tx: Transaction,
  { deliveries, horizonMs }: { deliveries: readonly NewDelivery[]; horizonMs: number },
): Promise<void> {
  if (deliveries.length === 0) return
  const now = await tx.now()
  const pacer = createPacer({ isInTransaction: true })
  for (const group of groupsOf(deliveries, ({ body }) => ROW_BYTES + body.byteLength, MOST_BYTES)) {
    // SQLite is fastest row by row; on PostgreSQL the round trip is the cost.
    if (dialect === 'sqlite') {
      await sqlOf(tx).runEach(
        `${INSERT} VALUES ${placeholders(1, NAMES.length + 1)}`,
        group.map((delivery) => {
          const row = rowOf(delivery, now, horizonMs)
          return [...NAMES.map((name) => row[name]), delivery.body]
        }),
      )
    } else {
      const rows = group.map((delivery) => ({
        ...rowOf(delivery, now, horizonMs),
        body: base64(delivery.body),
      }))
      await sqlOf(tx).run(
        `${INSERT} SELECT ${NAMES.join(', ')}, decode(body, 'base64')
         FROM ${rowsOf({ ...COLUMNS, body: 'TEXT' })} AS r`,
        [JSON.stringify(rows)],
      )
    }
    if (pacer.isDue()) await pacer.pause()
  }
  await tx.wake(DELIVERIES_TOPIC)
}

function rowOf({ channel, ...delivery }: NewDelivery, now: number, horizonMs: number): Row {
  const isPaused = channel.paused_at !== undefined
  return {
    channel_id: channel.channel_id,
    owner: channel.owner,
    subject: channel.subject,
    endpoint: channel.endpoint,
    task_id: delivery.task_id ?? null,
    operation_id: delivery.operation_id ?? null,
    notification_type: delivery.notification_type,
    sequence_number: delivery.sequence_number ?? null,
    idempotency_key: delivery.idempotency_key,
    state: isPaused ? 'cancelled' : 'pending',
    reason: isPaused ? 'its receiver is gone' : null,
    attempts: 0,
    attempts_before: 0,
    due_at: now,
    created_at: now,
    expires_at: now + horizonMs,
    ended_at: isPaused ? now : null,
    token: delivery.token?.sealed ?? null,
    token_at: delivery.token?.at ?? null,
    token_bytes: delivery.token?.bytes ?? null,
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
