// Shards: the lanes are spread over them, and a claim works in those whose locks it got, so that instances claim
// beside each other. A transaction that changes what a claim relies on (leases, circuits) holds the lock of the lane's
// shard until it ends. Nothing is owned longer than that: there is nothing to hand over when an instance joins
// or dies.

import { createHash, randomInt } from 'node:crypto'
import type { Transaction } from '../../../lib/transaction.ts'
import { type Database, type SqlTransaction, sqlOf } from '../../sql/database.ts'

type Dialect = Database['dialect']

/** As in the migration that computes the column `shard`. SQLite has one writer, and one shard. */
const SHARDS = { sqlite: 1, postgres: 16 } as const

const numbersOf = (dialect: Dialect) => Array.from({ length: SHARDS[dialect] }, (_, shard) => shard)

/** The column `shard` as the database computes it. @internal */
export function shardOf(dialect: Dialect, lane: string): number {
  if (dialect === 'sqlite') return 0
  return (createHash('sha256').update(lane).digest()[0] as number) % SHARDS.postgres
}

const NAME = 'sender shard '

/**
 * From here to the end of the transaction no other instance claims in these shards or updates their circuits. Several
 * are locked in their order, before the first row is, or two transactions could deadlock.
 */
export async function lockShards(
  dialect: Dialect,
  transaction: Transaction,
  which: 'all' | readonly number[],
): Promise<void> {
  if (dialect === 'sqlite') return
  const tx = sqlOf(transaction)
  const shards = which === 'all' ? numbersOf(dialect) : [...new Set(which)].sort((a, b) => a - b)
  await Promise.all(shards.map((shard) => tx.lock(`${NAME}${shard}`)))
}

/** The same for the shards of these lanes. */
export function lockLanes(
  dialect: Dialect,
  transaction: Transaction,
  lanes: readonly string[],
): Promise<void> {
  return lockShards(
    dialect,
    transaction,
    lanes.map((lane) => shardOf(dialect, lane)),
  )
}

/** All shards, also as a list for `IN` and as a table `s`. */
export function allShards(dialect: Dialect): { numbers: number[]; list: string; table: string } {
  const shards = numbersOf(dialect)
  return {
    numbers: shards,
    list: `(${shards.join(', ')})`,
    table: `(${shards.map((shard) => `SELECT ${shard} AS shard`).join(' UNION ALL ')}) AS s`,
  }
}

/** Whether `column` is one of the shards in the JSON array of the parameter at `place`. */
export function inShards(dialect: Dialect, column: string, place: number): string {
  // An array is computed once, so that PostgreSQL looks up each of its shards in the index.
  return dialect === 'postgres'
    ? `${column} = ANY (ARRAY(SELECT CAST(value AS INTEGER) FROM json_array_elements_text(CAST($${place} AS json))))`
    : `${column} IN (SELECT value FROM json_each($${place}))`
}

/** The first or last time of each of two indexes that begin with the shard, over all shards; null if there is none. */
export function endOf(dialect: Dialect, of: 'due_at' | 'lease_until', end: 'min' | 'max'): string {
  const where =
    of === 'due_at' ? 'd.due_shard = s.shard' : `d.shard = s.shard AND d.state = 'leased'`
  return `SELECT ${end}(e.at) FROM (SELECT (SELECT ${end}(d.${of}) FROM webhook_deliveries d
    WHERE ${where}) AS at FROM ${allShards(dialect).table}) AS e`
}

/** The shards that a claim works in: it holds their locks. */
interface HeldShards {
  shards: ReadonlySet<number>
  /** Whether there is nothing to do in any other: else others claim there, or it is left to them. */
  areAll: boolean
}

/**
 * The shards with something to do that no one else claims in at the moment. Never waits: what an instance that was
 * stopped in the middle of a claim holds back is its own shards.
 */
type TakeShards = (tx: SqlTransaction, now: number) => Promise<HeldShards>

export function createTakeShards(dialect: Dialect): TakeShards {
  if (dialect === 'sqlite') {
    const only = { shards: new Set(numbersOf('sqlite')), areAll: true }
    return async () => only
  }
  // The shard that was left out longest comes first. Instances begin in different places.
  let order = numbersOf(dialect)
  const first = randomInt(order.length)
  order = [...order.slice(first), ...order.slice(0, first)]
  /** How many to take: an instance that is alone takes all, and others that find too few free take turns. */
  let most = order.length
  return async (tx, now) => {
    const rows = await tx.all<{ shard: number; is_held: number }>(TAKE, [
      now,
      JSON.stringify(order),
      tx.lockName(NAME),
      most,
    ])
    const shards = new Set(rows.flatMap(({ shard, is_held }) => (is_held === 1 ? [shard] : [])))
    const isEnough = shards.size >= Math.min(most, rows.length)
    most = isEnough ? Math.min(order.length, most + 1) : Math.max(1, Math.floor(most / 2))
    order = [...order.filter((shard) => !shards.has(shard)), ...shards]
    return { shards, areAll: shards.size === rows.length }
  }
}

/** Circuits that are looked at for shards with something to do. */
const CIRCUITS = 64

// PostgreSQL plans a statement again at each use if a parameter's value promises a cheaper plan, which takes longer than
// the statement does. The value of a query promises nothing.
const NOW = '(SELECT CAST($1 AS BIGINT))'
const MOST = '(SELECT CAST($4 AS BIGINT))'

/**
 * Shards with something to do, and whether they are held from now on. What is to do may change before the lock is
 * held, so the claim reads it again.
 */
const TAKE = `WITH given AS MATERIALIZED (
    SELECT CAST(value AS INTEGER) AS shard, n
    FROM json_array_elements_text(CAST($2 AS json)) WITH ORDINALITY AS s(value, n)),
  work AS MATERIALIZED (
    SELECT s.shard, s.n FROM given s
    WHERE (SELECT d.due_at FROM webhook_deliveries d WHERE d.due_shard = s.shard
        AND d.due_at <= ${NOW} ORDER BY d.due_at LIMIT 1) IS NOT NULL
      OR (SELECT d.lease_until FROM webhook_deliveries d WHERE d.shard = s.shard
        AND d.state = 'leased' AND d.lease_until <= ${NOW}
        ORDER BY d.lease_until LIMIT 1) IS NOT NULL
      OR s.shard = ANY (ARRAY(SELECT c.shard FROM webhook_circuits c
        WHERE c.probe_at <= ${NOW} ORDER BY c.probe_at LIMIT ${CIRCUITS}))
      OR s.shard = ANY (ARRAY(SELECT c.shard FROM webhook_circuits c
        WHERE c.is_releasing = 1 LIMIT ${CIRCUITS}))),
  held AS MATERIALIZED (
    SELECT w.shard FROM (SELECT shard FROM work ORDER BY n OFFSET 0) w
    WHERE pg_try_advisory_xact_lock(hashtextextended(CAST($3 AS TEXT) || w.shard, 0)) LIMIT ${MOST})
  SELECT work.shard, CASE WHEN held.shard IS NULL THEN 0 ELSE 1 END AS is_held
  FROM work LEFT JOIN held ON held.shard = work.shard ORDER BY work.n`
