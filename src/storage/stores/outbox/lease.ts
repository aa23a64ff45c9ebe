// The leases of one claim in SQL, and its attempt rows: written before any socket opens.

import { defined } from '../../../lib/defined.ts'
import type { ClaimedDelivery } from '../../../webhooks/sender/store.ts'
import { rowsOf, valuesOf } from '../../sql/lists.ts'
import { amongLocked } from '../../sql/locks.ts'
import { CHANNEL_COLUMNS, type ChannelRow, channelOf } from './channels.ts'
import type { ClaimStep } from './choose.ts'
import { endWaiting } from './rows.ts'

interface LeasedRow
  extends Pick<
    ClaimedDelivery,
    'delivery_id' | 'idempotency_key' | 'body' | 'created_at' | 'expires_at'
  > {
  channel_id: string
  endpoint: string
  attempts: number
  attempts_before: number
  token: string | null
  token_at: number | null
  token_bytes: number | null
}

/** Leases the chosen deliveries before any socket opens. */
export async function lease(step: ClaimStep): Promise<ClaimedDelivery[]> {
  const { tx, now, request, chosen } = step
  if (chosen.size === 0) return []
  const [channels, rows] = await Promise.all([
    liveChannels(step),
    tx.all<LeasedRow>(
      `UPDATE webhook_deliveries SET state = 'leased', attempts = attempts + 1, lease_until = $2
       WHERE ${amongLocked(
         'delivery_id',
         `SELECT delivery_id FROM webhook_deliveries
          WHERE delivery_id IN ${valuesOf('BIGINT')} AND state IN ('pending', 'held')
            AND EXISTS (SELECT 1 FROM webhook_channels ch
              WHERE ch.channel_id = webhook_deliveries.channel_id AND ch.paused_at IS NULL)`,
       )}
       RETURNING delivery_id, channel_id, endpoint, attempts, attempts_before, idempotency_key, body,
         token, token_at, token_bytes, created_at, expires_at`,
      [JSON.stringify([...chosen.keys()]), now + request.leaseMs],
    ),
  ])
  const orphans = [...chosen.values()].filter(({ channel_id }) => !channels.has(channel_id))
  await endWaiting(
    step,
    orphans.map(({ delivery_id }) => delivery_id),
    ORPHANED,
  )
  // Not those whose channels were resumed between the two statements, or led elsewhere since they were chosen: their
  // lane may be in another shard. The next claim takes them.
  const isAsChosen = ({ delivery_id, channel_id, endpoint }: LeasedRow) =>
    channels.has(channel_id) && chosen.get(delivery_id)?.endpoint === endpoint
  await putBack(
    step,
    rows.filter((row) => !isAsChosen(row)),
  )
  const byId = new Map(rows.filter(isAsChosen).map((row) => [row.delivery_id, row]))
  return [...chosen.values()].flatMap(({ delivery_id, channel_id }) => {
    const row = byId.get(delivery_id)
    const channel = channels.get(channel_id)
    return row && channel ? [claimedOf(row, channelOf(channel), now)] : []
  })
}

async function putBack({ tx }: ClaimStep, rows: readonly LeasedRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.run(
    `UPDATE webhook_deliveries SET state = 'pending', attempts = attempts - 1, lease_until = NULL
     WHERE delivery_id IN ${valuesOf('BIGINT')}`,
    [JSON.stringify(rows.map(({ delivery_id }) => delivery_id))],
  )
}

const ORPHANED = { state: 'cancelled', reason: 'its channel is gone' } as const

async function liveChannels({ tx, chosen }: ClaimStep): Promise<Map<string, ChannelRow>> {
  const ids = new Set([...chosen.values()].map(({ channel_id }) => channel_id))
  const rows = await tx.all<ChannelRow>(
    `SELECT ${CHANNEL_COLUMNS} FROM webhook_channels
     WHERE channel_id IN ${valuesOf('TEXT')} AND paused_at IS NULL`,
    [JSON.stringify([...ids])],
  )
  return new Map(rows.map((row) => [row.channel_id, row]))
}

function claimedOf(
  row: LeasedRow,
  channel: ClaimedDelivery['channel'],
  now: number,
): ClaimedDelivery {
  return {
    delivery_id: row.delivery_id,
    attempt: row.attempts,
    scheduledAttempt: row.attempts - row.attempts_before,
    idempotency_key: row.idempotency_key,
    body: row.body,
    ...defined({
      token:
        row.token === null
          ? undefined
          : { sealed: row.token, at: row.token_at ?? 0, bytes: row.token_bytes ?? 0 },
    }),
    channel,
    created_at: row.created_at,
    expires_at: row.expires_at,
    claimed_at: now,
  }
}

/** SQLite is fastest row by row, PostgreSQL by the round trip. */
export async function writeAttempts(
  { dialect, tx, now }: ClaimStep,
  claimed: readonly ClaimedDelivery[],
): Promise<void> {
  if (claimed.length === 0) return
  const into = 'INSERT INTO webhook_attempts (delivery_id, attempt, url, status, fired_at)'
  if (dialect === 'sqlite') {
    await tx.runEach(
      `${into} VALUES ($1, $2, $3, 'pending', $4)`,
      claimed.map(({ delivery_id, attempt, channel }) => [
        delivery_id,
        attempt,
        channel.endpoint,
        now,
      ]),
    )
    return
  }
  const attempts = claimed.map(({ delivery_id, attempt, channel }) => ({
    delivery_id,
    attempt,
    url: channel.endpoint,
  }))
  await tx.run(
    `${into} SELECT delivery_id, attempt, url, 'pending', CAST($2 AS BIGINT)
     FROM ${rowsOf({ delivery_id: 'BIGINT', attempt: 'INTEGER', url: 'TEXT' })} AS r`,
    [JSON.stringify(attempts), now],
  )
}
