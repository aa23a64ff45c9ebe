// The circuits of the lanes in SQL: updated by results, and the deliveries they hold. A lane is an owner's endpoint.
// Deliveries are held when a claim finds them and released a batch at a time, so that the cost of no step depends on
// the length of its lane's backlog.

import type { Circuit, MoveCircuit } from '../../../webhooks/sender/circuit.ts'
import { type AttemptResult, DELIVERIES_TOPIC } from '../../../webhooks/sender/store.ts'
import type { Database, Queryable, SqlTransaction } from '../../sql/database.ts'
import { rowsOf, valuesOf } from '../../sql/lists.ts'
import { amongLocked } from '../../sql/locks.ts'
import { laneOf } from './rows.ts'
import type { OwnerTurns } from './turns.ts'

type Dialect = Database['dialect']
type Said = Pick<AttemptResult, 'owner' | 'endpoint' | 'says'>

interface CircuitRow {
  lane: string
  owner: string
  failures: number
  successes: number
  opened_at: number | null
  probe_at: number | null
  is_releasing: number
  paused_at: number | null
}

interface Step {
  dialect: Dialect
  tx: SqlTransaction
  now: number
}

const COLUMNS = {
  lane: 'TEXT',
  owner: 'TEXT',
  failures: 'INTEGER',
  successes: 'INTEGER',
  opened_at: 'BIGINT',
  probe_at: 'BIGINT',
  is_releasing: 'INTEGER',
  paused_at: 'BIGINT',
} as const
const NAMES = Object.keys(COLUMNS).join(', ')

/** The lanes whose circuits these results can change: a healthy one has none. */
export async function lanesConcerned({ tx }: Step, results: readonly Said[]): Promise<Set<string>> {
  const known = await circuitsOf(tx, results)
  const down = results.filter(({ says }) => says === 'down').map(laneOf)
  return new Set([...known.keys(), ...down])
}

/** Updates the circuits with results that counted, in their order. The caller holds the locks of their lanes. */
export async function moveCircuits(
  { dialect, tx, now }: Step,
  results: readonly Said[],
  move: MoveCircuit,
): Promise<void> {
  const before = await circuitsOf(tx, results)
  const after = new Map<string, { owner: string; circuit: Circuit | undefined }>()
  for (const said of results) {
    const lane = laneOf(said)
    const known = after.get(lane)
    const circuit = known ? known.circuit : circuitOf(before.get(lane))
    after.set(lane, { owner: said.owner, circuit: move(circuit, said.says, now) })
  }
  const kept: CircuitRow[] = []
  const forgotten: string[] = []
  for (const [lane, { owner, circuit }] of after) {
    const row = rowAfter({ lane, owner }, circuit, before.get(lane))
    if (row) kept.push(row)
    else if (before.has(lane)) forgotten.push(lane)
  }
  await keep({ dialect, tx, now }, kept)
  await forget({ dialect, tx, now }, forgotten)
  const isWork = kept.some((row) => row.is_releasing === 1 || (row.probe_at ?? now + 1) <= now)
  if (isWork) await tx.wake(DELIVERIES_TOPIC)
}

async function circuitsOf(
  queries: Queryable,
  results: readonly Said[],
): Promise<Map<string, CircuitRow>> {
  const lanes = [...new Set(results.map(laneOf))]
  const rows = await queries.all<CircuitRow>(
    `SELECT ${NAMES} FROM webhook_circuits WHERE lane IN ${valuesOf('TEXT')}`,
    [JSON.stringify(lanes)],
  )
  return new Map(rows.map((row) => [row.lane, row]))
}

function circuitOf(row: CircuitRow | undefined): Circuit | undefined {
  // A row that only releases counts nothing: its circuit is closed and deleted.
  if (!row || (row.opened_at === null && row.failures === 0)) return undefined
  return {
    failures: row.failures,
    successes: row.successes,
    opened_at: row.opened_at ?? undefined,
    probe_at: row.probe_at ?? undefined,
  }
}

/** The row of a closed circuit stays until nothing is held any more. */
function rowAfter(
  of: Pick<CircuitRow, 'lane' | 'owner'>,
  circuit: Circuit | undefined,
  before: CircuitRow | undefined,
): CircuitRow | undefined {
  const mayHold = before !== undefined && (before.opened_at !== null || before.is_releasing === 1)
  const paused_at = before?.paused_at ?? null
  // The result of an attempt that was in progress when an operator paused the circuit changes the circuit, not the
  // pause.
  const isPaused = paused_at !== null
  const isReleasing = mayHold && circuit?.opened_at === undefined && !isPaused
  if (!circuit && !isReleasing && !isPaused) return undefined
  return {
    ...of,
    failures: circuit?.failures ?? 0,
    successes: circuit?.successes ?? 0,
    opened_at: circuit?.opened_at ?? null,
    probe_at: isPaused ? null : (circuit?.probe_at ?? null),
    is_releasing: isReleasing ? 1 : 0,
    paused_at,
  }
}

async function keep({ tx, now }: Step, rows: readonly CircuitRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.run(
    `INSERT INTO webhook_circuits (${NAMES}, updated_at)
     SELECT ${NAMES}, CAST($2 AS BIGINT) FROM ${rowsOf(COLUMNS)} AS r WHERE true
     ON CONFLICT (lane) DO UPDATE SET failures = excluded.failures,
       successes = excluded.successes, opened_at = excluded.opened_at,
       probe_at = excluded.probe_at, is_releasing = excluded.is_releasing,
       paused_at = excluded.paused_at, updated_at = excluded.updated_at`,
    [JSON.stringify(rows), now],
  )
}

async function forget({ tx }: Step, lanes: readonly string[]): Promise<void> {
  if (lanes.length === 0) return
  await tx.run(`DELETE FROM webhook_circuits WHERE lane IN ${valuesOf('TEXT')}`, [
    JSON.stringify(lanes),
  ])
}

/** Sets when each of these may be probed; null: when a delivery arrives. */
export async function setProbes(
  { tx, now }: Step,
  probes: readonly { lane: string; probe_at: number | null }[],
): Promise<void> {
  if (probes.length === 0) return
  await tx.run(
    `UPDATE webhook_circuits SET probe_at = r.probe_at, updated_at = $2
     FROM ${rowsOf({ lane: 'TEXT', probe_at: 'BIGINT' })} AS r
     WHERE webhook_circuits.lane = r.lane AND webhook_circuits.paused_at IS NULL`,
    [JSON.stringify(probes), now],
  )
}

/** Holds those that are pending. */
export async function hold({ tx }: Step, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await tx.run(
    `UPDATE webhook_deliveries SET state = 'held' WHERE ${amongLocked(
      'delivery_id',
      `SELECT delivery_id FROM webhook_deliveries
       WHERE delivery_id IN ${valuesOf('BIGINT')} AND state = 'pending'`,
    )}`,
    [JSON.stringify(ids)],
  )
}

/** Circuits examined, and deliveries released from each, in one claim. */
const RELEASED_CIRCUITS = 16
const RELEASED_ROWS = 256

/**
 * Makes deliveries held by closed circuits pending again, longest due first; their due times stay. Returns how many.
 */
export async function release(
  { tx, now, shards }: Step & { shards: ReadonlySet<number> },
  turns: OwnerTurns,
): Promise<number> {
  const lanes = await turns({ tx, now, shards }, RELEASED_CIRCUITS)
  let count = 0
  for (const lane of lanes) {
    const released = await tx.run(
      `UPDATE webhook_deliveries SET state = 'pending' WHERE ${amongLocked(
        'delivery_id',
        `SELECT delivery_id FROM webhook_deliveries WHERE state = 'held' AND lane = $1
         ORDER BY due_at, delivery_id LIMIT ${RELEASED_ROWS}`,
      )}`,
      [lane],
    )
    count += released
    if (released === RELEASED_ROWS || (await holdsSome(tx, lane))) continue
    // A circuit that has failed again since it closed keeps its count.
    await tx.run('DELETE FROM webhook_circuits WHERE lane = $1 AND failures = 0', [lane])
    await tx.run('UPDATE webhook_circuits SET is_releasing = 0 WHERE lane = $1', [lane])
  }
  return count
}

/** One may remain that another transaction has locked. */
async function holdsSome(tx: SqlTransaction, lane: string): Promise<boolean> {
  const row = await tx.get(
    "SELECT 1 AS one FROM webhook_deliveries WHERE state = 'held' AND lane = $1 LIMIT 1",
    [lane],
  )
  return row !== undefined
}

/**
 * Lanes of held deliveries that no circuit would ever release. Skips from lane to lane on the index of held
 * deliveries, so a long backlog costs one step.
 */
const STRANDED = `WITH RECURSIVE e(lane) AS (
    SELECT (SELECT d.lane FROM webhook_deliveries d WHERE d.state = 'held'
            ORDER BY d.lane LIMIT 1)
    UNION ALL
    SELECT (SELECT d.lane FROM webhook_deliveries d WHERE d.state = 'held'
              AND d.lane > e.lane ORDER BY d.lane LIMIT 1)
    FROM e WHERE e.lane IS NOT NULL),
  stranded AS (SELECT e.lane FROM e WHERE e.lane IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM webhook_circuits c WHERE c.lane = e.lane
      AND (c.is_releasing = 1 OR c.probe_at IS NOT NULL OR c.paused_at IS NOT NULL)))`

export async function countStranded(queries: Queryable): Promise<number> {
  const row = await queries.get<{ count: number }>(
    `${STRANDED} SELECT count(*) AS count FROM stranded s
     JOIN webhook_deliveries d ON d.lane = s.lane AND d.state = 'held'`,
  )
  return row?.count ?? 0
}

export async function strandedLanes(queries: Queryable): Promise<string[]> {
  const rows = await queries.all<{ lane: string }>(`${STRANDED} SELECT lane FROM stranded`)
  return rows.map(({ lane }) => lane)
}

/** Lets the next claim release the deliveries of these lanes, if they are stranded still. */
export async function freeStranded({ tx, now }: Step, lanes: readonly string[]): Promise<void> {
  if (lanes.length === 0) return
  await tx.run(
    `INSERT INTO webhook_circuits (${NAMES}, updated_at)
     ${STRANDED} SELECT s.lane, (SELECT d.owner FROM webhook_deliveries d
         WHERE d.state = 'held' AND d.lane = s.lane LIMIT 1),
       0, 0, NULL, NULL, 1, NULL, CAST($2 AS BIGINT) FROM stranded s
       WHERE s.lane IN ${valuesOf('TEXT')}
     ON CONFLICT (lane) DO UPDATE SET failures = 0, successes = 0, opened_at = NULL,
       is_releasing = 1, updated_at = excluded.updated_at`,
    [JSON.stringify(lanes), now],
  )
}

/** Closed circuits with a failure or two, and open ones that nothing waits for, are eventually deleted. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000
const FORGOTTEN_AT_ONCE = 1_000
const isOld = (place: number) =>
  `probe_at IS NULL AND is_releasing = 0 AND paused_at IS NULL AND updated_at <= $${place}`

export async function oldCircuits({ tx, now }: Pick<Step, 'tx' | 'now'>): Promise<string[]> {
  const rows = await tx.all<{ lane: string }>(
    `SELECT lane FROM webhook_circuits WHERE ${isOld(1)} LIMIT ${FORGOTTEN_AT_ONCE}`,
    [now - FORGOTTEN_AFTER_MS],
  )
  return rows.map(({ lane }) => lane)
}

/** Deletes these circuits, if they are old still. */
export async function forgetOldCircuits(
  { tx, now }: Step,
  lanes: readonly string[],
): Promise<void> {
  if (lanes.length === 0) return
  await tx.run(`DELETE FROM webhook_circuits WHERE lane IN ${valuesOf('TEXT')} AND ${isOld(2)}`, [
    JSON.stringify(lanes),
    now - FORGOTTEN_AFTER_MS,
  ])
}
