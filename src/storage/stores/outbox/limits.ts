// An operator's limits on endpoints in SQL, and how much they let a claim take. An endpoint's lane is in one shard, where
// claims run one at a time across the fleet, so the rate accounting of each is exact (spec 6.4). Most databases have no
// such limits: then a claim costs one extra lookup.

import type { EndpointLimits, LimitStore } from '../../../webhooks/sender/limit-store.ts'
import { DELIVERIES_TOPIC } from '../../../webhooks/sender/store.ts'
import { type Database, type Queryable, type SqlTransaction, sqlOf } from '../../sql/database.ts'
import { valuesOf } from '../../sql/lists.ts'
import { FOR_UPDATE } from '../../sql/locks.ts'
import { laneOf } from './rows.ts'

type Lane = Parameters<typeof laneOf>[0]

interface LimitRow {
  lane: string
  concurrency: number | null
  per_second: number | null
  next_at: number
}

export function createLimitStore({ read }: Database): LimitStore {
  const find = (queries: Queryable, of: Lane, held: string) =>
    queries.get<LimitRow>(
      `SELECT lane, concurrency, per_second, next_at FROM webhook_limits WHERE lane = $1 ${held}`,
      [laneOf(of)],
    )
  return {
    get: async (of) => limitsOf(await find(read, of, '')),
    set: async (transaction, of, { concurrency, per_second }) => {
      const tx = sqlOf(transaction)
      const before = limitsOf(await find(tx, of, FOR_UPDATE))
      if (concurrency === undefined && per_second === undefined) {
        await tx.run('DELETE FROM webhook_limits WHERE lane = $1', [laneOf(of)])
      } else {
        await tx.run(
          `INSERT INTO webhook_limits (lane, owner, concurrency, per_second, next_at, updated_at)
           VALUES ($1, $2, $3, $4, 0, $5)
           ON CONFLICT (lane) DO UPDATE SET concurrency = excluded.concurrency,
             per_second = excluded.per_second, next_at = 0, updated_at = excluded.updated_at`,
          [laneOf(of), of.owner, concurrency ?? null, per_second ?? null, await tx.now()],
        )
      }
      await tx.wake(DELIVERIES_TOPIC)
      return before
    },
  }
}

function limitsOf(row: LimitRow | undefined): EndpointLimits {
  return { concurrency: row?.concurrency ?? undefined, per_second: row?.per_second ?? undefined }
}

/** What the limits let one claim take. Read the rows before querying their limits. */
export interface ClaimLimits {
  read(rows: readonly Lane[]): Promise<void>
  concurrencyOf(row: Lane): number | undefined
  /** Deliveries that their rate limits allow, in their order. */
  within<Row extends Lane>(rows: readonly Row[]): readonly Row[]
  taken(row: Lane): void
  /** Writes what was taken. */
  keep(): Promise<void>
  /** When the first delivery held back by a rate limit may be sent; undefined if there is none. */
  nextAt(): number | undefined
}

export async function openClaimLimits(tx: SqlTransaction, now: number): Promise<ClaimLimits> {
  const some = await tx.get('SELECT 1 AS one FROM webhook_limits LIMIT 1')
  if (some === undefined) return NO_LIMITS
  const known = new Map<string, LimitRow | undefined>()
  const moved = new Set<LimitRow>()
  const refusing = new Set<LimitRow>()
  return {
    read: async (rows) => {
      const lanes = [...new Set(rows.map(laneOf))].filter((lane) => !known.has(lane))
      if (lanes.length === 0) return
      for (const lane of lanes) known.set(lane, undefined)
      const found = await tx.all<LimitRow>(
        `SELECT lane, concurrency, per_second, next_at FROM webhook_limits
         WHERE lane IN ${valuesOf('TEXT')}`,
        [JSON.stringify(lanes)],
      )
      for (const row of found) known.set(row.lane, row)
    },
    concurrencyOf: (row) => known.get(laneOf(row))?.concurrency ?? undefined,
    within: (rows) => {
      const left = new Map<LimitRow, number>()
      return rows.filter((row) => {
        const limit = known.get(laneOf(row))
        if (!limit || limit.per_second === null) return true
        const room = left.get(limit) ?? roomOf(limit, now)
        left.set(limit, room - 1)
        if (room > 0) return true
        refusing.add(limit)
        return false
      })
    },
    taken: (row) => {
      const limit = known.get(laneOf(row))
      if (!limit || limit.per_second === null) return
      limit.next_at = Math.max(limit.next_at, now) + 1_000 / limit.per_second
      moved.add(limit)
    },
    keep: async () => {
      await tx.runEach(
        'UPDATE webhook_limits SET next_at = $2 WHERE lane = $1',
        [...moved].map(({ lane, next_at }) => [lane, next_at]),
      )
    },
    // Includes what this claim has already taken.
    nextAt: () => (refusing.size === 0 ? undefined : Math.min(...[...refusing].map(goesAt))),
  }
}

const NO_LIMITS: ClaimLimits = {
  read: async () => {},
  concurrencyOf: () => undefined,
  within: (rows) => rows,
  taken: () => {},
  keep: async () => {},
  nextAt: () => undefined,
}

/** How far a lane may be ahead of its even pace: a tenth of a second's worth, minus the one that is on time. */
function aheadMs(perSecond: number): number {
  const atOnce = Math.max(1, Math.floor(perSecond / 10))
  return ((atOnce - 1) * 1_000) / perSecond
}

/** When the next may go. */
function goesAt({ next_at, per_second }: LimitRow): number {
  return next_at - aheadMs(per_second ?? 1)
}

/** How many may go now. */
function roomOf({ next_at, per_second }: LimitRow, now: number): number {
  const perSecond = per_second ?? 1
  const spareMs = now + aheadMs(perSecond) - Math.max(next_at, now)
  // A little more, since multiples of a third of a second do not add up to exactly one second.
  return Math.max(0, 1 + Math.floor((spareMs * perSecond) / 1_000 + 1e-6))
}
