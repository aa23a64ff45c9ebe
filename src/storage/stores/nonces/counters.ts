// The number of nonces per key, per signer and in total, in SQL. Counters are updated as rows are added and removed,
// so rows are never counted. A transaction that updates a counter holds its row until the commit.

import { createHash } from 'node:crypto'
import type { SignersKey } from '../../../signing/ports.ts'
import type { Database, SqlTransaction } from '../../sql/database.ts'
import { rowsOf } from '../../sql/lists.ts'
import { amongLocked } from '../../sql/locks.ts'

export interface Caps {
  perKeyCap: number
  perSignerCap: number
  totalCap: number
}

export const ALL = 'all'

/** The counters that include a nonce, besides the total. */
export interface Counters {
  key: string
  signer: string
}

export function countersOf({ signer, keyid }: SignersKey): Counters {
  return { key: counterId('key', [signer, keyid]), signer: counterId('signer', [signer]) }
}

/** Readable if the names have ordinary length and characters. */
function counterId(kind: 'key' | 'signer', names: readonly string[]): string {
  const text = names.join(' ')
  const isPlain = /^[\x21-\x7e]+(?: [\x21-\x7e]+)?$/.test(text) && text.length <= 400
  return isPlain ? `${kind}:${text}` : `${kind} digest:${digest(JSON.stringify(names))}`
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

interface Change {
  counter_id: string
  parent: string | null
  change: number
}

/** The amount to add to each counter: of the key, of its signer, and the total. */
export function createChanges() {
  const changes = new Map<string, Change>()
  const addTo = (counter_id: string, parent: string | null, by: number) => {
    const known = changes.get(counter_id)
    if (known) known.change += by
    else changes.set(counter_id, { counter_id, parent, change: by })
  }
  return {
    add: ({ key, signer }: Counters, by: number) => {
      addTo(ALL, null, by)
      addTo(signer, ALL, by)
      addTo(key, signer, by)
    },
    all: () => [...changes.values()],
  }
}

const CHANGES = { counter_id: 'TEXT', parent: 'TEXT', change: 'BIGINT' } as const

/** Adds to each counter, in order, and returns the new values; the rows stay locked. */
export async function moveCounters(
  tx: SqlTransaction,
  changes: ReturnType<typeof createChanges>,
): Promise<Map<string, number>> {
  const rows = await tx.all<{ counter_id: string; stored: number }>(
    `INSERT INTO replay_counters (counter_id, parent, stored)
     SELECT counter_id, parent, change FROM ${rowsOf(CHANGES)} AS asked WHERE true ORDER BY counter_id DESC
     ON CONFLICT (counter_id) DO UPDATE SET stored = replay_counters.stored + excluded.stored
     RETURNING counter_id, stored`,
    [JSON.stringify(changes.all())],
  )
  return new Map(rows.map(({ counter_id, stored }) => [counter_id, stored]))
}

/** How many more fit for the key, its signer or in total, counting expired rows as present. */
export async function roomOf(database: Database, counters: Counters, caps: Caps): Promise<number> {
  const { ofKey, ofSigner, ofAll } = await storedBy(database, counters)
  return Math.min(caps.perKeyCap - ofKey, caps.perSignerCap - ofSigner, caps.totalCap - ofAll)
}

export async function isFull(
  database: Database,
  counters: Counters,
  { perKeyCap, perSignerCap, totalCap, now }: Caps & { now: number },
): Promise<boolean> {
  const { ofKey, ofSigner, ofAll } = await storedBy(database, counters)
  const [isKeyFull, isSignerFull] = [ofKey >= perKeyCap, ofSigner >= perSignerCap]
  const isAllFull = ofAll >= totalCap
  if (!isKeyFull && !isSignerFull && !isAllFull) return false
  // Expired rows make room for an insert: for its own key, for its signer, or in total.
  const expired = await withExpired(database.read, now)
  if (isKeyFull && !expired.some(({ key }) => key === counters.key)) return true
  if (isSignerFull && !expired.some(({ signer }) => signer === counters.signer)) return true
  return isAllFull && expired.length === 0
}

async function storedBy({ read }: Database, { key, signer }: Counters) {
  const counters = await read.all<{ counter_id: string; stored: number }>(
    'SELECT counter_id, stored FROM replay_counters WHERE counter_id IN ($1, $2, $3)',
    [key, signer, ALL],
  )
  const of = (id: string) => counters.find((row) => row.counter_id === id)?.stored ?? 0
  return { ofKey: of(key), ofSigner: of(signer), ofAll: of(ALL) }
}

/** The keys that hold expired rows: one index lookup per key. */
export function withExpired(
  { all }: Pick<Database['read'], 'all'>,
  now: number,
): Promise<Counters[]> {
  return all<Counters>(
    `SELECT counter_id AS key, parent AS signer FROM replay_counters WHERE EXISTS (
       SELECT 1 FROM replay_nonces
       WHERE replay_nonces.counter_id = replay_counters.counter_id AND expires_at <= $1)
     ORDER BY counter_id LIMIT ${SWEEP_ROWS}`,
    [now],
  )
}

/** Of one round. */
const SWEEP_ROWS = 1_000

/**
 * Deletes the counters of keys and signers that hold nothing; a counter that another transaction is updating stays.
 */
export async function forgetEmpty(tx: SqlTransaction): Promise<void> {
  await tx.run(
    `DELETE FROM replay_counters WHERE ${amongLocked(
      'counter_id',
      `SELECT counter_id FROM replay_counters WHERE stored = 0 AND parent IS NOT NULL
       LIMIT ${SWEEP_ROWS}`,
    )}`,
  )
}
