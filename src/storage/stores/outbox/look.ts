// Deliveries and attempts as operators and buyers see them (spec 2.12), and the state of the outbox.

import { isStorable } from '../../../lib/storable-text.ts'
import {
  type ActivityRecord,
  type AttemptRecord,
  DELIVERY_STATES,
  type DeliveryFilter,
  type DeliverySummary,
  type OutboxOperations,
  type OutboxStats,
  type SerializedDelivery,
} from '../../../webhooks/sender/store.ts'
import { createConditions } from '../../sql/conditions.ts'
import type { Database, Queryable } from '../../sql/database.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'
import { readNewest } from '../../sql/pages.ts'
import { countStranded } from './circuits.ts'
import { idsBetween } from './ids-by-time.ts'
import { isOwner } from './rows.ts'
import { readHeaders } from './sent-headers.ts'
import { endOf } from './shards.ts'

const SUMMARY = `d.delivery_id, d.owner, d.subject, d.task_id, d.operation_id, d.notification_type,
  d.sequence_number, d.idempotency_key, d.endpoint AS url, d.state, d.reason, d.attempts, d.due_at,
  d.created_at, d.ended_at, a.status AS last_status, a.http_status_code AS last_http_status_code,
  a.error_message AS last_error_message, a.fault AS last_fault`
const FROM = `FROM webhook_deliveries d
  LEFT JOIN webhook_attempts a ON a.delivery_id = d.delivery_id AND a.attempt = d.attempts`
const ATTEMPT = `a.attempt, a.url, a.status, a.http_status_code, a.response_time_ms,
  a.error_message, a.response_head, a.fault, a.fired_at, a.completed_at`

/**
 * Few are being sent at a time, and they have no index by age: they are looked up one by one instead of scanning all.
 */
const IS_LEASED = `d.delivery_id IN (
  SELECT l.delivery_id FROM webhook_deliveries l WHERE l.state = 'leased')`

/** The newest first. */
export async function listDeliveries(
  { read }: Database,
  filter: DeliveryFilter,
): Promise<DeliverySummary[]> {
  const conditions = createConditions()
  const ids = await idsBetween(read, filter)
  conditions.is('d.delivery_id =', filter.delivery_id)
  if (filter.endpoint === undefined) conditions.is('d.owner =', filter.owner)
  else if (filter.owner !== undefined && isStorable(filter.owner)) {
    conditions.add(isOwner(conditions.param(filter.owner)))
  } else if (filter.owner !== undefined) return []
  conditions.is('d.endpoint =', filter.endpoint)
  conditions.is('d.subject =', filter.subject)
  conditions.is('d.task_id =', filter.task_id)
  conditions.is('d.operation_id =', filter.operation_id)
  conditions.is('substr(d.idempotency_key, 1, 8) =', filter.idempotency_key?.slice(0, 8))
  conditions.is('d.idempotency_key =', filter.idempotency_key)
  if (filter.isTried) conditions.add('d.attempts > 0')
  conditions.is('d.created_at >=', filter.since)
  conditions.is('d.created_at <', filter.until)
  conditions.is('d.delivery_id >=', ids.from)
  conditions.is('d.delivery_id <', ids.to)
  conditions.is('d.delivery_id <', filter.before)
  conditions.isOneOf('d.state', DELIVERY_STATES, filter.state)
  if (filter.state === 'leased') conditions.add(IS_LEASED)
  const rows = await readNewest<Nullable<DeliverySummary>>(read, {
    select: `SELECT ${SUMMARY} ${FROM}`,
    conditions,
    keys: ['d.delivery_id'],
    limit: filter.limit,
  })
  return rows.map(withoutNulls<DeliverySummary>)
}

export async function showDelivery(
  read: Queryable,
  deliveryId: number,
): ReturnType<OutboxOperations['show']> {
  const row = await read.get<Nullable<Omit<SerializedDelivery, 'history'>>>(
    `SELECT ${SUMMARY}, d.body, coalesce(d.token_bytes, 0) AS token_bytes, d.expires_at,
       ch.scheme, ch.form
     ${FROM} LEFT JOIN webhook_channels ch ON ch.channel_id = d.channel_id
     WHERE d.delivery_id = $1`,
    [deliveryId],
  )
  if (!row) return undefined
  const history = await read.all<AttemptRow>(
    `SELECT ${ATTEMPT}, a.request_headers FROM webhook_attempts a
     WHERE a.delivery_id = $1 ORDER BY a.attempt`,
    [deliveryId],
  )
  return {
    ...withoutNulls<Omit<SerializedDelivery, 'history'>>(row),
    history: history.map(attemptOf),
  }
}

type AttemptRow = Nullable<Omit<AttemptRecord, 'request_headers'>> & {
  request_headers: string | null
}

function attemptOf({ request_headers: headers, ...row }: AttemptRow): AttemptRecord {
  return {
    ...withoutNulls<Omit<AttemptRecord, 'request_headers'>>(row),
    request_headers: headers === null ? undefined : readHeaders(headers),
  }
}

export async function activityOf(
  read: Queryable,
  { owner, subject, limit }: { owner: string; subject: string; limit: number },
): Promise<ActivityRecord[]> {
  if (!isStorable(subject)) return []
  const rows = await read.all<Nullable<ActivityRecord>>(
    `SELECT ${ATTEMPT}, d.delivery_id, d.idempotency_key, d.notification_type, d.sequence_number,
       length(d.body) + coalesce(d.token_bytes, 0) AS payload_size_bytes
     FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.delivery_id
     WHERE d.subject = $1 AND d.owner = $2
     ORDER BY a.fired_at DESC, d.delivery_id DESC, a.attempt DESC LIMIT $3`,
    [subject, owner, limit],
  )
  return rows.map(withoutNulls<ActivityRecord>)
}

interface StatsRow {
  pending: number
  leased: number
  held: number
  endless: number
  due_at: number | null
  circuits: number
}

export async function outboxStats({ dialect, read }: Database, now: number): Promise<OutboxStats> {
  const row = (await read.get<StatsRow>(
    `SELECT (SELECT count(*) FROM webhook_deliveries WHERE due_shard IS NOT NULL) AS pending,
       (SELECT count(*) FROM webhook_deliveries WHERE state = 'leased') AS leased,
       (SELECT count(*) FROM webhook_deliveries WHERE state = 'held') AS held,
       (SELECT count(*) FROM webhook_deliveries
          WHERE state = 'leased' AND lease_until IS NULL) AS endless,
       (${endOf(dialect, 'due_at', 'min')}) AS due_at,
       (SELECT count(*) FROM webhook_circuits WHERE opened_at IS NOT NULL) AS circuits`,
  )) as StatsRow
  const { pending, leased, held, endless, due_at, circuits } = row
  return {
    waiting: { pending, leased, held },
    oldestDueMs: Math.max(0, now - (due_at ?? now)),
    openCircuits: circuits,
    limbo: endless + (held > 0 ? await countStranded(read) : 0),
  }
}
