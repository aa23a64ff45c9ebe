// The deliveries that a claim examines: the first that are due, the first that an open circuit holds, and, behind a
// large backlog, the first of the other owners and of the other lanes in turn. A lane is an owner's endpoint.

import type { Candidate, OwnedHost } from '../../../webhooks/sender/store.ts'
import type { Database, SqlTransaction } from '../../sql/database.ts'
import { valuesOf } from '../../sql/lists.ts'
import { hold, setProbes } from './circuits.ts'
import { endWaiting, laneOf, OVERDUE } from './rows.ts'
import type { OwnerTurns } from './turns.ts'

export interface DueRow extends Candidate {
  shard: number
  channel_id: string
  due_at: number
  expires_at: number
  /** Of the lane's circuit. */
  opened_at: number | null
  probe_at: number | null
  paused_at: number | null
}

interface Step {
  dialect: Database['dialect']
  tx: SqlTransaction
  now: number
  /** Those whose locks the claim holds: it takes nothing of any other. */
  shards: ReadonlySet<number>
}

const COLUMNS = `d.delivery_id, d.shard, d.owner, d.endpoint, d.subject, d.channel_id, d.due_at,
  d.expires_at, c.opened_at, c.probe_at, c.paused_at`

// Values of queries, not of parameters, so that PostgreSQL plans the statement once.
const NOW = '(SELECT CAST($1 AS BIGINT))'
const LIMIT = '(SELECT CAST($2 AS BIGINT))'

/** The first of one shard, in the order in which the index has them. */
const firstOf = (
  shard: string,
  now: string,
  limit: string,
) => `SELECT p.delivery_id, p.shard, p.lane, p.owner, p.endpoint,
    p.subject, p.channel_id, p.due_at, p.expires_at FROM webhook_deliveries p
  WHERE p.due_shard = ${shard} AND p.due_at <= ${now} AND (p.due_at, p.delivery_id) > ($3, $4)
  ORDER BY p.due_at, p.delivery_id LIMIT ${limit}`
const firstOfAll = {
  sqlite: firstOf('0', '$1', '$2'),
  postgres: `SELECT f.* FROM (SELECT CAST(value AS INTEGER) AS shard
      FROM json_array_elements_text(CAST($5 AS json))) AS s
    CROSS JOIN LATERAL (${firstOf('s.shard', NOW, LIMIT)}) f
    ORDER BY f.due_at, f.delivery_id LIMIT ${LIMIT}`,
}

/** The first due deliveries of any owner; `after` is the last one already seen. */
export function firstDue(
  { dialect, tx, now, shards }: Step,
  limit: number,
  after: Pick<DueRow, 'due_at' | 'delivery_id'> = { due_at: 0, delivery_id: 0 },
): Promise<DueRow[]> {
  const held = dialect === 'sqlite' ? [] : [JSON.stringify([...shards])]
  return tx.all<DueRow>(
    `SELECT ${COLUMNS} FROM (${firstOfAll[dialect]}) AS d
     LEFT JOIN webhook_circuits c ON c.lane = d.lane
     ORDER BY d.due_at, d.delivery_id`,
    [now, limit, after.due_at, after.delivery_id, ...held],
  )
}

/** Ends deliveries that are too late and holds those of an open circuit; returns the rest. */
export async function check(step: Step, rows: readonly DueRow[]): Promise<DueRow[]> {
  const { now } = step
  const inTime = await endLate(step, rows)
  const isKept = (row: DueRow) => row.opened_at !== null || row.paused_at !== null
  const kept = inTime.filter(isKept)
  await hold(
    step,
    kept.map(({ delivery_id }) => delivery_id),
  )
  // A circuit that had no delivery to probe with now has one.
  const isIdle = (row: DueRow) => row.probe_at === null && row.paused_at === null
  const idle = new Set(kept.filter(isIdle).map(laneOf))
  await setProbes(
    step,
    [...idle].map((lane) => ({ lane, probe_at: now })),
  )
  return inTime.filter((row) => !isKept(row))
}

/** Ends deliveries that are too late; returns the rest. */
export async function endLate(step: Step, rows: readonly DueRow[]): Promise<DueRow[]> {
  const late = rows.filter((row) => row.expires_at <= step.now)
  await endWaiting(
    step,
    late.map(({ delivery_id }) => delivery_id),
    OVERDUE,
  )
  return rows.filter((row) => row.expires_at > step.now)
}

/**
 * Circuits whose probe is due, each with its earliest due held delivery, if any is held. Held deliveries are due:
 * they were due when they were held.
 */
export async function firstHeld(
  { tx, now, shards }: Step,
  turns: OwnerTurns,
  limit: number,
): Promise<{ lane: string; row: DueRow | undefined }[]> {
  const lanes = await turns({ tx, now, shards }, limit)
  if (lanes.length === 0) return []
  const rows = await tx.all<DueRow>(
    `SELECT ${COLUMNS} FROM webhook_circuits c
     JOIN webhook_deliveries d ON d.delivery_id = (
       SELECT h.delivery_id FROM webhook_deliveries h
       WHERE h.state = 'held' AND h.lane = c.lane
       ORDER BY h.due_at, h.delivery_id LIMIT 1)
     WHERE c.lane IN ${valuesOf('TEXT')}`,
    [JSON.stringify(lanes)],
  )
  const byLane = new Map(rows.map((row) => [laneOf(row), row]))
  return lanes.map((lane) => ({ lane, row: byLane.get(lane) }))
}

/** `isWhole`: the scan passed the last row and wrapped around to where it began. */
export type DueScan = (step: Step) => Promise<{ rows: DueRow[]; isWhole: boolean }>

/** How many are looked at in one scan, and deliveries of each. */
const SCANS = {
  lane: { count: 128, rows: 8, of: laneOf },
  owner: { count: 32, rows: 4, of: ({ owner }: DueRow) => owner },
} as const

/**
 * Skips from lane to lane, or from owner to owner, along the index of pending deliveries, starting where the last
 * scan stopped, so that a million deliveries of one cost one step and starve no one.
 */
export function createDueScan(dialect: Database['dialect'], by: keyof typeof SCANS): DueScan {
  const { count: most } = SCANS[by]
  const sql = scanSql(dialect, by)
  let cursor = ''

  async function scanFrom(
    { tx, now }: Step,
    after: string,
    limit: number,
  ): Promise<{ rows: DueRow[]; last: string; count: number }> {
    const found = await tx.all<DueRow & { at: string; n: number; delivery_id: number | null }>(
      sql,
      [now, after, limit],
    )
    return {
      rows: found.filter(({ delivery_id }) => delivery_id !== null),
      last: found.at(-1)?.at ?? after,
      count: found.at(-1)?.n ?? 0,
    }
  }

  return async (step) => {
    const began = cursor
    const onward = await scanFrom(step, began, most)
    cursor = onward.last
    if (onward.count >= most) return { rows: onward.rows, isWhole: false }
    // After the last row the scan continues with the first, up to where it began.
    cursor = ''
    if (began === '') return { rows: onward.rows, isWhole: true }
    const left = most - onward.count
    const around = await scanFrom(step, '', left)
    cursor = around.last
    const rows = [...onward.rows, ...around.rows.filter((row) => SCANS[by].of(row) <= began)]
    return { rows, isWhole: around.count < left || around.last >= began }
  }
}

/** Deliveries of a host that are examined; it often has as many endpoints as tasks. */
const HOST_ROWS = 16

/** Some deliveries that are due at these hosts, each looked up separately. */
export function firstDueOf(
  { dialect, tx, now }: Step,
  hosts: readonly OwnedHost[],
): Promise<DueRow[]> {
  const given =
    dialect === 'postgres' ? 'json_array_elements_text(CAST($2 AS json))' : 'json_each($2)'
  // The lane of an owner's host begins with the owner, the host and a slash, and '0' is the character after the
  // slash.
  const some = `FROM webhook_deliveries p WHERE p.state = 'pending'
    AND p.lane >= e.at || '/' AND p.lane < e.at || '0'
    ORDER BY p.lane, p.due_at LIMIT ${HOST_ROWS}`
  const joined =
    dialect === 'postgres'
      ? `JOIN LATERAL (SELECT p.* ${some}) d ON true`
      : `JOIN webhook_deliveries d ON d.delivery_id IN (SELECT p.delivery_id ${some})`
  return tx.all<DueRow>(
    `WITH e(at) AS (SELECT value FROM ${given})
     SELECT ${COLUMNS} FROM e ${joined}
     LEFT JOIN webhook_circuits c ON c.lane = d.lane
     WHERE d.due_at <= $1 ORDER BY d.due_at, d.delivery_id`,
    [now, JSON.stringify(hosts.map(({ owner, origin }) => laneOf({ owner, endpoint: origin })))],
  )
}

/** The same join, written so that each dialect plans it well. */
function firstOfEach(dialect: Database['dialect'], by: keyof typeof SCANS): string {
  const first = `FROM webhook_deliveries p WHERE p.state = 'pending' AND p.${by} = e.at
    AND p.due_at <= $1 ORDER BY p.due_at, p.delivery_id LIMIT ${SCANS[by].rows}`
  return dialect === 'postgres'
    ? `LEFT JOIN LATERAL (SELECT p.* ${first}) d ON true`
    : `LEFT JOIN webhook_deliveries d ON d.delivery_id IN (SELECT p.delivery_id ${first})`
}

function scanSql(dialect: Database['dialect'], by: keyof typeof SCANS): string {
  const next = (after: string) => `(SELECT w.${by} FROM webhook_deliveries w
    WHERE w.state = 'pending' AND w.${by} > ${after} ORDER BY w.${by} LIMIT 1)`
  return `WITH RECURSIVE e(at, n) AS (
      SELECT ${next('$2')}, 1
      UNION ALL
      SELECT ${next('e.at')}, e.n + 1 FROM e WHERE e.at IS NOT NULL AND e.n < $3)
    SELECT e.at, e.n, ${COLUMNS} FROM e ${firstOfEach(dialect, by)}
    LEFT JOIN webhook_circuits c ON c.lane = d.lane
    WHERE e.at IS NOT NULL ORDER BY e.n, d.due_at, d.delivery_id`
}
