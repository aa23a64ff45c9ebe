// Nonces in SQL, shared by every instance of a verifier (spec 5, 8). Each nonce is accepted once while it is
// live, and neither a key, nor a signer, nor all of them together hold more than their cap. Signers choose their
// own keyids, so nonces and caps are scoped to a signer's key.
//
// Counters are updated as rows are added and removed, so an insert never counts a table. One transaction adds the
// nonces and then updates the counters. A transaction that updates a counter locks its row until the commit, so
// the count it reads back is exact on any number of instances, and nonces over the cap are removed again before
// another transaction can see them. Nonces are locked before counters, and each in order, which prevents
// deadlocks. Expired rows count until they are deleted: by the sweep, or by the insert that finds no room.

import { createBatcher } from '../../../lib/batcher.ts'
import type { Clock } from '../../../lib/clock.ts'
import { earlierClock } from '../../../lib/steady-clock.ts'
import type { ReplayStore, SignersKey } from '../../../signing/ports.ts'
import type { Database, SqlTransaction } from '../../sql/database.ts'
import { rowsOf } from '../../sql/lists.ts'
import { amongLocked } from '../../sql/locks.ts'
import {
  ALL,
  type Caps,
  type Counters,
  countersOf,
  createChanges,
  digest,
  forgetEmpty,
  isFull,
  moveCounters,
  roomOf,
  withExpired,
} from './counters.ts'

export interface ReplayStoreOptions {
  /** Maximum live nonces of one key. Default 100 000. */
  perKeyCap?: number
  /** Maximum live nonces of all keys of one signer, which may publish many keys. Default 500 000. */
  perSignerCap?: number
  /** Maximum live nonces of all signers. Default 10 000 000. */
  totalCap?: number
  /** The clock for read-only checks; inserts use the database's clock. Default: the system clock. */
  clock?: Clock
}

export interface SweptReplayStore extends ReplayStore {
  /** Deletes expired rows and returns their number. Never needed for correctness. */
  sweep(): Promise<number>
}

type Entry = Parameters<ReplayStore['insert']>[0]
type Outcome = Awaited<ReturnType<ReplayStore['insert']>>

/** Inserts that share a transaction: at a busy moment they share its commit as well. */
const MAX_BATCH = 256
/** Expired rows deleted in one step, so that no step holds its locks for long. */
const SWEEP_ROWS = 2_000
/** Room for more nonces than can arrive until the next check. */
const ROOMY = 10_000
const ROOMY_MS = 250
const MAX_ROOMY = 10_000

export function createReplayStore(
  database: Database,
  options: ReplayStoreOptions = {},
): SweptReplayStore {
  const { perKeyCap = 100_000, perSignerCap = 500_000, totalCap = 10_000_000 } = options
  const { clock = earlierClock } = options
  const caps = { perKeyCap, perSignerCap, totalCap }
  const nowSeconds = () => Math.floor(clock.now() / 1_000)
  const insertOnce = (entries: readonly Entry[]) =>
    // The effects of the message are committed later: if they survive, so does its nonce.
    database.transact((tx) => insertAll({ tx, caps, nowSeconds }, entries), { isFlushed: false })
  const insert = createBatcher<Entry, Outcome>({
    maxItems: MAX_BATCH,
    gathersTurn: true,
    run: async (entries) => {
      const outcomes = await insertOnce(entries)
      if (!outcomes.includes('full') || (await sweepAll(database, nowSeconds)) === 0) {
        return outcomes
      }
      // Keys outside this batch held expired rows that counted toward the total cap: there is room now.
      const again = await insertOnce(entries.filter((_entry, index) => outcomes[index] === 'full'))
      return outcomes.map((outcome) => (outcome === 'full' ? (again.shift() ?? 'full') : outcome))
    },
  })
  // A counter far below its cap is not checked every time: the insert has the final say.
  const roomyUntil = new Map<string, number>()
  return {
    insert,
    has: async (key, nonce) => {
      const row = await database.read.get<{ expires_at: number }>(
        'SELECT expires_at FROM replay_nonces WHERE nonce_id = $1',
        [nonceId(key, nonce)],
      )
      return row !== undefined && row.expires_at > nowSeconds()
    },
    isFull: async (key) => {
      const counters = countersOf(key)
      if ((roomyUntil.get(counters.key) ?? 0) > clock.now()) return false
      const room = await roomOf(database, counters, caps)
      if (room >= ROOMY) {
        if (roomyUntil.size >= MAX_ROOMY) roomyUntil.clear()
        roomyUntil.set(counters.key, clock.now() + ROOMY_MS)
      }
      return room <= 0 && isFull(database, counters, { ...caps, now: nowSeconds() })
    },
    sweep: () => sweepAll(database, nowSeconds),
  }
}

interface Row {
  nonce_id: string
  counters: Counters
  expires_at: number
}

interface Inserting {
  tx: SqlTransaction
  caps: Caps
  /** By our clock. */
  nowSeconds: () => number
}

/**
 * The time of the slower clock. The verifier uses its own clock, so a nonce that another clock considers expired
 * could be used a second time.
 */
async function earliest(tx: SqlTransaction, nowSeconds: () => number): Promise<number> {
  return Math.min(Math.floor((await tx.now()) / 1_000), nowSeconds())
}

async function insertAll(on: Inserting, entries: readonly Entry[]): Promise<Outcome[]> {
  const { tx, caps } = on
  const now = await earliest(tx, on.nowSeconds)
  const rows = entries.map(toRow)
  // If two nonces in one batch are equal, the first counts.
  const distinct = new Map(rows.toReversed().map((row) => [row.nonce_id, row]))
  const added = await addNonces(tx, [...distinct.values()], { now })
  const fresh = rows.filter(
    (row) => distinct.get(row.nonce_id) === row && added.get(row.nonce_id) === 0,
  )
  const full = await takeBackWhatDoesNotFit(tx, { fresh, caps, now })
  return rows.map((row) => {
    if (full.has(row.nonce_id)) return 'full'
    return added.has(row.nonce_id) && distinct.get(row.nonce_id) === row ? 'added' : 'seen'
  })
}

function toRow({ signer, keyid, nonce, expiresAt }: Entry): Row {
  const key = { signer, keyid }
  return {
    nonce_id: nonceId(key, nonce),
    counters: countersOf(key),
    expires_at: Math.floor(expiresAt),
  }
}

function nonceId({ signer, keyid }: SignersKey, nonce: string): string {
  return digest(JSON.stringify([signer, keyid, nonce]))
}

const NONCES = { nonce_id: 'TEXT', counter_id: 'TEXT', expires_at: 'BIGINT' } as const

/** Adds nonces that do not exist or have expired; returns how often each added one was renewed. */
async function addNonces(
  tx: SqlTransaction,
  rows: readonly Row[],
  { now }: { now: number },
): Promise<Map<string, number>> {
  const added = await tx.all<{ nonce_id: string; renewals: number }>(
    `INSERT INTO replay_nonces (nonce_id, counter_id, expires_at, renewals)
     SELECT nonce_id, counter_id, expires_at, 0 FROM ${rowsOf(NONCES)} AS asked
     WHERE true ORDER BY nonce_id
     ON CONFLICT (nonce_id) DO UPDATE
       SET expires_at = excluded.expires_at, renewals = replay_nonces.renewals + 1
       WHERE replay_nonces.expires_at <= $2
     RETURNING nonce_id, renewals`,
    [JSON.stringify(rows.map(storedRow)), now],
  )
  return new Map(added.map(({ nonce_id, renewals }) => [nonce_id, renewals]))
}

function storedRow({ nonce_id, counters, expires_at }: Row) {
  return { nonce_id, counter_id: counters.key, expires_at }
}

interface Fitting {
  /** Rows that did not exist before, in the order they were requested. */
  fresh: readonly Row[]
  caps: Caps
  now: number
}

/** Counts the fresh rows; if a cap is exceeded, deletes expired rows, and then the last of the fresh ones. */
async function takeBackWhatDoesNotFit(
  tx: SqlTransaction,
  { fresh, caps, now }: Fitting,
): Promise<Set<string>> {
  const refused = new Set<string>()
  if (fresh.length === 0) return refused
  const changes = createChanges()
  for (const { counters } of fresh) changes.add(counters, 1)
  const stored = await moveCounters(tx, changes)
  const capOf = new Map<string, number>([[ALL, caps.totalCap]])
  for (const { counters } of fresh) {
    capOf.set(counters.key, caps.perKeyCap)
    capOf.set(counters.signer, caps.perSignerCap)
  }
  const excess = new Map([...stored].map(([id, count]) => [id, count - (capOf.get(id) ?? 0)]))
  const isCrowded = ({ key, signer }: Counters) =>
    [ALL, key, signer].some((id) => (excess.get(id) ?? 0) > 0)
  if (!fresh.some(({ counters }) => isCrowded(counters))) return refused

  const back = createChanges()
  const giveBack = (counters: Counters, rows: number) => {
    back.add(counters, -rows)
    for (const id of [ALL, counters.key, counters.signer]) {
      excess.set(id, (excess.get(id) ?? 0) - rows)
    }
  }
  for (const counters of new Map(fresh.map((row) => [row.counters.key, row.counters])).values()) {
    if (!isCrowded(counters)) continue
    giveBack(counters, await deleteExpired(tx, { counter_id: counters.key, now }))
  }
  for (const { nonce_id, counters } of fresh.toReversed()) {
    if (!isCrowded(counters)) continue
    await tx.run('DELETE FROM replay_nonces WHERE nonce_id = $1', [nonce_id])
    refused.add(nonce_id)
    giveBack(counters, 1)
  }
  await moveCounters(tx, back)
  return refused
}

interface Expired {
  counter_id: string
  now: number
}

/** The caller updates the counters. Rows that another instance is deleting are left to it. */
function deleteExpired(tx: SqlTransaction, { counter_id, now }: Expired): Promise<number> {
  return tx.run(
    `DELETE FROM replay_nonces WHERE ${amongLocked(
      'nonce_id',
      `SELECT nonce_id FROM replay_nonces WHERE counter_id = $1 AND expires_at <= $2
       ORDER BY expires_at LIMIT ${SWEEP_ROWS}`,
    )}`,
    [counter_id, now],
  )
}

async function sweepAll(database: Database, nowSeconds: () => number): Promise<number> {
  let swept = 0
  for (const counters of await withExpired(database.read, nowSeconds())) {
    for (let rows = SWEEP_ROWS; rows === SWEEP_ROWS; swept += rows) {
      rows = await database.transact(async (tx) => {
        const now = await earliest(tx, nowSeconds)
        return sweepSome(tx, { counters, now })
      })
    }
  }
  if (swept > 0) await database.transact((tx) => forgetEmpty(tx))
  return swept
}

async function sweepSome(
  tx: SqlTransaction,
  { counters, now }: { counters: Counters; now: number },
): Promise<number> {
  const rows = await deleteExpired(tx, { counter_id: counters.key, now })
  const changes = createChanges()
  changes.add(counters, -rows)
  if (rows > 0) await moveCounters(tx, changes)
  return rows
}
