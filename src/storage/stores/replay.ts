// Nonces in SQL, for every instance of a verifier (spec 5, 8): each is accepted once while it lives,
// and no key, nor all keys together, holds more than its cap.
//
// Rows are counted as they come and go, so an insert never counts a table. One transaction adds the
// nonces and then moves the counters; whoever moves a counter holds its row until the commit, so the
// count it reads back is exact on any number of instances, and what does not fit is taken back before
// anyone can see it. Nonces are locked before counters and each in order, so nobody waits in a circle.
// Expired rows count until they are deleted: by the sweep, or by the insert that finds no room.

import { createHash } from 'node:crypto'
import { createBatcher } from '../../lib/batcher.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import type { ReplayStore } from '../../signing/ports.ts'
import type { Database, SqlTransaction } from '../sql/database.ts'

export interface ReplayStoreOptions {
  /** Live nonces of one key. Default 100 000. */
  perKeyCap?: number
  /** Live nonces of all keys. Default 10 000 000. */
  totalCap?: number
  /** For the checks that only read; inserts go by the database's clock. Default the system's. */
  clock?: Clock
}

export interface SweptReplayStore extends ReplayStore {
  /** Deletes what has expired and returns how much that was. Never needed for correctness. */
  sweep(): Promise<number>
}

type Entry = Parameters<ReplayStore['insert']>[0]
type Outcome = Awaited<ReturnType<ReplayStore['insert']>>

interface Caps {
  perKeyCap: number
  totalCap: number
}

/** Inserts that share a transaction: at a busy moment they share its commit as well. */
const MAX_BATCH = 256
/** Expired rows deleted in one step, so that no step holds its locks for long. */
const SWEEP_ROWS = 2_000
const ALL = 'all'
/** Room for more than can come until the next look. */
const ROOMY = 10_000
const ROOMY_MS = 250
const MAX_ROOMY = 10_000

export function createReplayStore(
  database: Database,
  { perKeyCap = 100_000, totalCap = 10_000_000, clock = systemClock }: ReplayStoreOptions = {},
): SweptReplayStore {
  const caps = { perKeyCap, totalCap }
  const nowSeconds = () => Math.floor(clock.now() / 1_000)
  const insertOnce = (entries: readonly Entry[]) =>
    // Whatever the message does is committed later: if that survives, so does its nonce.
    database.transact((tx) => insertAll(tx, database.dialect, entries, caps), { isFlushed: false })
  const insert = createBatcher<Entry, Outcome>({
    maxItems: MAX_BATCH,
    gathersTurn: true,
    run: async (entries) => {
      const outcomes = await insertOnce(entries)
      if (!outcomes.includes('full') || (await sweepAll(database, nowSeconds())) === 0) {
        return outcomes
      }
      // Keys outside this batch held expired rows against the cap of all: there is room now.
      const again = await insertOnce(entries.filter((_entry, index) => outcomes[index] === 'full'))
      return outcomes.map((outcome) => (outcome === 'full' ? (again.shift() ?? 'full') : outcome))
    },
  })
  // What is far from full is not asked about each time: the insert says the last word.
  const roomyUntil = new Map<string, number>()
  return {
    insert,
    has: async (keyid, nonce) => {
      const row = await database.read.get<{ expires_at: number }>(
        'SELECT expires_at FROM replay_nonces WHERE nonce_id = $1',
        [nonceId(keyid, nonce)],
      )
      return row !== undefined && row.expires_at > nowSeconds()
    },
    isFull: async (keyid) => {
      const counter_id = counterId(keyid)
      if ((roomyUntil.get(counter_id) ?? 0) > clock.now()) return false
      const room = await roomOf(database, counter_id, caps)
      if (room >= ROOMY) {
        if (roomyUntil.size >= MAX_ROOMY) roomyUntil.clear()
        roomyUntil.set(counter_id, clock.now() + ROOMY_MS)
      }
      return room <= 0 && isFull(database, counter_id, caps, nowSeconds())
    },
    sweep: () => sweepAll(database, nowSeconds()),
  }
}

interface Row {
  nonce_id: string
  counter_id: string
  expires_at: number
}

async function insertAll(
  tx: SqlTransaction,
  dialect: Database['dialect'],
  entries: readonly Entry[],
  caps: Caps,
): Promise<Outcome[]> {
  const now = Math.floor((await tx.now()) / 1_000)
  const rows = entries.map(toRow)
  // Of two equal nonces in one batch the first is the one that counts.
  const distinct = new Map(rows.toReversed().map((row) => [row.nonce_id, row]))
  const added = await addNonces(tx, dialect, [...distinct.values()], now)
  const fresh = rows.filter(
    (row) => distinct.get(row.nonce_id) === row && added.get(row.nonce_id) === 0,
  )
  const full = await takeBackWhatDoesNotFit(tx, { dialect, fresh, caps, now })
  return rows.map((row) => {
    if (full.has(row.nonce_id)) return 'full'
    return added.has(row.nonce_id) && distinct.get(row.nonce_id) === row ? 'added' : 'seen'
  })
}

function toRow({ keyid, nonce, expiresAt }: Entry): Row {
  return {
    nonce_id: nonceId(keyid, nonce),
    counter_id: counterId(keyid),
    expires_at: Math.floor(expiresAt),
  }
}

function nonceId(keyid: string, nonce: string): string {
  return digest(JSON.stringify([keyid, nonce]))
}

/** The key's id, readable where it is of ordinary length and made of ordinary characters. */
function counterId(keyid: string): string {
  return /^[\x20-\x7e]{1,200}$/.test(keyid) ? `key:${keyid}` : `digest:${digest(keyid)}`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** A JSON array as rows: one statement for batches of every size. */
const NONCES = {
  postgres:
    'json_to_recordset($1::json) AS asked(nonce_id TEXT, counter_id TEXT, expires_at BIGINT)',
  sqlite: `(SELECT value ->> 'nonce_id' AS nonce_id, value ->> 'counter_id' AS counter_id,
      value ->> 'expires_at' AS expires_at FROM json_each($1)) AS asked`,
} as const
const CHANGES = {
  postgres: 'json_to_recordset($1::json) AS asked(counter_id TEXT, change BIGINT)',
  sqlite: `(SELECT value ->> 'counter_id' AS counter_id, value ->> 'change' AS change
      FROM json_each($1)) AS asked`,
} as const

/** Adds what is not there or has expired; answers how often each added one was renewed. */
async function addNonces(
  tx: SqlTransaction,
  dialect: Database['dialect'],
  rows: readonly Row[],
  now: number,
): Promise<Map<string, number>> {
  const added = await tx.all<{ nonce_id: string; renewals: number }>(
    `INSERT INTO replay_nonces (nonce_id, counter_id, expires_at, renewals)
     SELECT nonce_id, counter_id, expires_at, 0 FROM ${NONCES[dialect]}
     WHERE true ORDER BY nonce_id
     ON CONFLICT (nonce_id) DO UPDATE
       SET expires_at = excluded.expires_at, renewals = replay_nonces.renewals + 1
       WHERE replay_nonces.expires_at <= $2
     RETURNING nonce_id, renewals`,
    [JSON.stringify(rows), now],
  )
  return new Map(added.map(({ nonce_id, renewals }) => [nonce_id, renewals]))
}

interface Fitting {
  dialect: Database['dialect']
  /** Rows that were not there before, in the order they were asked for. */
  fresh: readonly Row[]
  caps: Caps
  now: number
}

/** Counts the fresh rows; where a cap is passed, deletes expired rows, and then the last of these. */
async function takeBackWhatDoesNotFit(
  tx: SqlTransaction,
  { dialect, fresh, caps, now }: Fitting,
): Promise<Set<string>> {
  const refused = new Set<string>()
  if (fresh.length === 0) return refused
  const changes = new Map<string, number>([[ALL, fresh.length]])
  for (const { counter_id } of fresh) {
    changes.set(counter_id, (changes.get(counter_id) ?? 0) + 1)
  }
  const stored = await moveCounters(tx, dialect, changes)
  const capOf = (id: string) => (id === ALL ? caps.totalCap : caps.perKeyCap)
  const excess = new Map([...stored].map(([id, count]) => [id, count - capOf(id)]))
  if (![...excess.values()].some((count) => count > 0)) return refused

  const back = new Map<string, number>()
  const giveBack = (counter_id: string, rows: number) => {
    for (const id of [ALL, counter_id]) {
      back.set(id, (back.get(id) ?? 0) - rows)
      excess.set(id, (excess.get(id) ?? 0) - rows)
    }
  }
  for (const counter_id of stored.keys()) {
    const isCrowded = (excess.get(ALL) ?? 0) > 0 || (excess.get(counter_id) ?? 0) > 0
    if (counter_id === ALL || !isCrowded) continue
    giveBack(counter_id, await deleteExpired(tx, { dialect, counter_id, now }))
  }
  for (const { nonce_id, counter_id } of fresh.toReversed()) {
    if ((excess.get(ALL) ?? 0) <= 0 && (excess.get(counter_id) ?? 0) <= 0) continue
    await tx.run('DELETE FROM replay_nonces WHERE nonce_id = $1', [nonce_id])
    refused.add(nonce_id)
    giveBack(counter_id, 1)
  }
  await moveCounters(tx, dialect, back)
  return refused
}

/** Adds to each counter, in order, and answers what they hold now; their rows stay locked. */
async function moveCounters(
  tx: SqlTransaction,
  dialect: Database['dialect'],
  changes: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const asked = [...changes].map(([counter_id, change]) => ({ counter_id, change }))
  const rows = await tx.all<{ counter_id: string; stored: number }>(
    `INSERT INTO replay_counters (counter_id, stored)
     SELECT counter_id, change FROM ${CHANGES[dialect]} WHERE true ORDER BY counter_id DESC
     ON CONFLICT (counter_id) DO UPDATE SET stored = replay_counters.stored + excluded.stored
     RETURNING counter_id, stored`,
    [JSON.stringify(asked)],
  )
  return new Map(rows.map(({ counter_id, stored }) => [counter_id, stored]))
}

/** How many more may come, for the key or for all, whatever has expired counted as there. */
async function roomOf(database: Database, counter_id: string, caps: Caps): Promise<number> {
  const { ofKey, ofAll } = await storedBy(database, counter_id)
  return Math.min(caps.perKeyCap - ofKey, caps.totalCap - ofAll)
}

async function storedBy({ read }: Database, counter_id: string) {
  const counters = await read.all<{ counter_id: string; stored: number }>(
    'SELECT counter_id, stored FROM replay_counters WHERE counter_id IN ($1, $2)',
    [counter_id, ALL],
  )
  const of = (id: string) => counters.find((row) => row.counter_id === id)?.stored ?? 0
  return { ofKey: of(counter_id), ofAll: of(ALL) }
}

async function isFull(
  database: Database,
  counter_id: string,
  { perKeyCap, totalCap }: Caps,
  now: number,
): Promise<boolean> {
  const { ofKey, ofAll } = await storedBy(database, counter_id)
  const isKeyFull = ofKey >= perKeyCap
  const isAllFull = ofAll >= totalCap
  if (!isKeyFull && !isAllFull) return false
  // Whatever has expired makes room for an insert: for its own key, or for all of them.
  const expired = await withExpired(database.read, now)
  return (isKeyFull && !expired.includes(counter_id)) || (isAllFull && expired.length === 0)
}

/** The keys that hold expired rows: one look into the index for each key. */
async function withExpired({ all }: Pick<Database['read'], 'all'>, now: number): Promise<string[]> {
  const rows = await all<{ counter_id: string }>(
    `SELECT counter_id FROM replay_counters WHERE EXISTS (
       SELECT 1 FROM replay_nonces
       WHERE replay_nonces.counter_id = replay_counters.counter_id AND expires_at <= $1)
     ORDER BY counter_id`,
    [now],
  )
  return rows.map(({ counter_id }) => counter_id)
}

interface Expired {
  dialect: Database['dialect']
  counter_id: string
  now: number
}

/** Leaves the counters to the caller. Rows that another instance is deleting are left to it. */
function deleteExpired(tx: SqlTransaction, { dialect, counter_id, now }: Expired): Promise<number> {
  return tx.run(
    `DELETE FROM replay_nonces WHERE nonce_id IN (
       SELECT nonce_id FROM replay_nonces WHERE counter_id = $1 AND expires_at <= $2
       ORDER BY expires_at LIMIT ${SWEEP_ROWS}
       ${dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''})`,
    [counter_id, now],
  )
}

async function sweepAll(database: Database, now: number): Promise<number> {
  let swept = 0
  for (const counter_id of await withExpired(database.read, now)) {
    for (let rows = SWEEP_ROWS; rows === SWEEP_ROWS; swept += rows) {
      rows = await database.transact((tx) => sweepSome(tx, database.dialect, counter_id))
    }
  }
  return swept
}

async function sweepSome(
  tx: SqlTransaction,
  dialect: Database['dialect'],
  counter_id: string,
): Promise<number> {
  const now = Math.floor((await tx.now()) / 1_000)
  const rows = await deleteExpired(tx, { dialect, counter_id, now })
  if (rows > 0) {
    const changes = [counter_id, ALL].map((id) => [id, -rows] as const)
    await moveCounters(tx, dialect, new Map(changes))
  }
  await tx.run('DELETE FROM replay_counters WHERE counter_id = $1 AND stored = 0', [counter_id])
  return rows
}
