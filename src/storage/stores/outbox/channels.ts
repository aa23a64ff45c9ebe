// The destinations of events, in SQL (spec 2.9).

import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import { steadyClock } from '../../../lib/steady-clock.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import { NO_LIMITS, type QuotaLimits } from '../../../protocol/quota.ts'
import {
  type Channel,
  type ChannelStore,
  DELIVERIES_TOPIC,
  type NewChannel,
} from '../../../webhooks/sender/store.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { charge, createHeadroom, credit } from '../organizations/quota-usage.ts'
import type { QueueUse } from './queue-use.ts'

export interface ChannelRow
  extends Omit<Channel, 'operation_id' | 'secrets' | 'paused_at' | 'expires_at'> {
  operation_id: string | null
  secrets: string | null
  paused_at: number | null
  expires_at: number | null
}

export const CHANNEL_COLUMNS = `channel_id, owner, subject, name, form, url, endpoint, operation_id,
  scheme, secrets, paused_at, created_at, updated_at, expires_at`

/** Maximum channels deleted by one sweep, so that no sweep holds its locks for long. */
const SWEEP_ROWS = 1_000

export interface ChannelStoreOptions {
  /** How many channels an owner may have. Default: no limit. */
  limits?: Pick<QuotaLimits, 'registrations'>
  /** Whether more may be queued for an owner. Default any amount. */
  queue?: Pick<QueueUse, 'check'>
  /** The clock for the list, which is read outside a transaction. Default: the system clock. */
  clock?: Clock
}

export function createChannelStore(
  { read }: Database,
  { limits = NO_LIMITS, queue, clock = steadyClock }: ChannelStoreOptions = {},
): ChannelStore {
  const { registrations: limit } = limits
  const headroom = createHeadroom()
  const forget = (tx: Transaction, owners: readonly { owner: string }[]) =>
    credit(
      { tx: sqlOf(tx) },
      'registrations',
      owners.map(({ owner }) => ({ owner, amount: 1 })),
    )
  return {
    put: async (tx, channel, most) => {
      const put = await putChannel(tx, channel, most)
      if (put === 'full') return put
      const { owner } = channel
      const counted = { owner, quota: 'registrations', amount: 1, limit } as const
      if (put.isNew) {
        await queue?.check(owner, tx)
        await charge({ tx: sqlOf(tx), headroom }, counted)
      }
      return put.channel
    },
    ofSubject: async (tx, subject) => (await ofSubjects(tx, [subject])).get(subject) ?? [],
    ofSubjects: (tx, subjects) => ofSubjects(tx, subjects),
    list: async (owner, subject) => {
      if (!isStorable(subject)) return []
      const rows = await read.all<ChannelRow>(
        `SELECT ${CHANNEL_COLUMNS} FROM webhook_channels WHERE subject = $1 AND owner = $2
           AND (expires_at IS NULL OR expires_at > $3) ORDER BY created_at, channel_id`,
        [subject, owner, clock.now()],
      )
      return rows.map(channelOf)
    },
    delete: async (tx, { owner, subject, name }) => {
      if (!isStorable(subject) || !isStorable(name)) return false
      const deleted = await sqlOf(tx).get<{ channel_id: string }>(
        `DELETE FROM webhook_channels WHERE subject = $1 AND owner = $2 AND name = $3
         RETURNING channel_id`,
        [subject, owner, name],
      )
      if (!deleted) return false
      await forget(tx, [{ owner }])
      await cancelOfChannel(tx, deleted.channel_id, 'its channel was deleted')
      return true
    },
    sweep: async (tx) => {
      const swept = await sqlOf(tx).all<{ owner: string }>(
        `DELETE FROM webhook_channels WHERE channel_id IN (
           SELECT c.channel_id FROM webhook_channels c WHERE c.expires_at <= $1 AND NOT EXISTS (
             SELECT 1 FROM webhook_deliveries d
             WHERE d.channel_id = c.channel_id AND d.ended_at IS NULL)
           LIMIT ${SWEEP_ROWS}) RETURNING owner`,
        [await tx.now()],
      )
      await forget(tx, swept)
      return swept.length
    },
  }
}

async function ofSubjects(
  tx: Transaction,
  subjects: readonly string[],
): Promise<Map<string, Channel[]>> {
  const [first] = subjects
  if (first === undefined) return new Map()
  // Every change of a task looks up one subject, which is found without reading a list.
  const isOne = subjects.length === 1
  const rows = await sqlOf(tx).all<ChannelRow>(
    `SELECT ${CHANNEL_COLUMNS} FROM webhook_channels
     WHERE ${isOne ? 'subject = $1' : isIn('subject', 1)}
       AND (expires_at IS NULL OR expires_at > $2) ORDER BY created_at, channel_id`,
    [isOne ? first : listed(subjects), await tx.now()],
  )
  const found = new Map<string, Channel[]>()
  for (const row of rows) {
    const channels = found.get(row.subject) ?? []
    found.set(row.subject, channels)
    channels.push(channelOf(row))
  }
  return found
}

export function channelOf(row: ChannelRow): Channel {
  return {
    ...row,
    operation_id: row.operation_id ?? undefined,
    secrets: row.secrets ?? undefined,
    paused_at: row.paused_at ?? undefined,
    expires_at: row.expires_at ?? undefined,
  }
}

/** Cancels the waiting deliveries of the channel. Leased ones continue: they may have been sent. */
export async function cancelOfChannel(
  tx: Transaction,
  channelId: string,
  reason: string,
): Promise<void> {
  await sqlOf(tx).run(
    `UPDATE webhook_deliveries SET state = 'cancelled', reason = $2, ended_at = $3
     WHERE channel_id = $1 AND ended_at IS NULL AND state IN ('pending', 'held')`,
    [channelId, reason, await tx.now()],
  )
}

async function putChannel(
  tx: Transaction,
  channel: NewChannel,
  most: number,
): Promise<{ channel: Channel; isNew: boolean } | 'full'> {
  const now = await tx.now()
  const { owner, subject, name } = channel
  const others = await sqlOf(tx).get<{ count: number }>(
    `SELECT count(*) AS count FROM webhook_channels WHERE subject = $1 AND owner = $2
       AND name <> $3 AND (expires_at IS NULL OR expires_at > $4)`,
    [subject, owner, name, now],
  )
  if ((others?.count ?? 0) >= most) return 'full'

  const newId = randomUUID()
  const row = await sqlOf(tx).get<ChannelRow>(
    `INSERT INTO webhook_channels (channel_id, owner, subject, name, form, url, endpoint,
       operation_id, scheme, secrets, created_at, updated_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12)
     ON CONFLICT (subject, owner, name) DO UPDATE
     SET form = excluded.form, url = excluded.url, endpoint = excluded.endpoint,
         operation_id = excluded.operation_id, scheme = excluded.scheme,
         secrets = excluded.secrets, paused_at = NULL, updated_at = excluded.updated_at,
         expires_at = excluded.expires_at
     RETURNING ${CHANNEL_COLUMNS}`,
    [
      newId,
      owner,
      subject,
      name,
      channel.form,
      channel.url,
      channel.endpoint,
      channel.operation_id ?? null,
      channel.scheme,
      channel.secrets ?? null,
      now,
      channel.expires_at ?? null,
    ],
  )
  const stored = channelOf(row as ChannelRow)
  await readdress(tx, stored)
  return { channel: stored, isNew: stored.channel_id === newId }
}

/** Waiting deliveries of the channel move to its new endpoint; the claim checks whether its circuit is open. */
async function readdress(tx: Transaction, { channel_id, endpoint }: Channel): Promise<void> {
  const moved = await sqlOf(tx).run(
    `UPDATE webhook_deliveries SET endpoint = $2, state = 'pending'
     WHERE channel_id = $1 AND ended_at IS NULL AND state IN ('pending', 'held')
       AND endpoint <> $2`,
    [channel_id, endpoint],
  )
  if (moved > 0) await tx.wake(DELIVERIES_TOPIC)
}
