// The catalogue of signals in SQL. A transaction that changes it first locks its one row in signal_catalogue and
// holds it until the commit, so that positions in the order of changes become visible in order, on any number of
// instances: a reader that has seen one position never misses an earlier one.

import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { CatalogueSignal, StoredSignal } from '../../../signals/catalogue.ts'
import { type PutOutcome, SIGNALS_TOPIC, type SignalStore } from '../../../signals/store.ts'
import {
  type Database,
  placeholders,
  type SqlTransaction,
  type SqlValue,
  sqlOf,
} from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { FOR_UPDATE } from '../../sql/locks.ts'
import { changes, providerDomains, stats } from './look.ts'
import { type CatalogueRow, chunksOf, type SignalRow, storedOf } from './rows.ts'

export interface SignalStoreParts {
  /** The words of a signal that its vector is computed from. */
  embeddedText: (signal: CatalogueSignal) => string
}

const COLUMNS = 'signal_agent_segment_id, seq, version, text_digest, changed_at, signal'
const INSERTED = 8
const ROWS_AT_ONCE = 500
/** Maximum rows of one deleting statement, so that it ends soon. */
const FORGOTTEN_AT_ONCE = 5_000

export function createSignalStore(database: Database, parts: SignalStoreParts): SignalStore {
  const { dialect, read } = database
  const oneRow = async () => (await read.get<CatalogueRow>(CATALOGUE)) as CatalogueRow
  return {
    put: (tx, signals) => put({ dialect, tx: sqlOf(tx), ...parts }, signals),
    remove: (tx, ids) => remove(sqlOf(tx), ids),
    get: async (ids) => {
      const found = new Map<string, StoredSignal>()
      for (const chunk of chunksOf(ids, ROWS_AT_ONCE)) {
        const rows = await read.all<SignalRow>(
          `SELECT ${COLUMNS} FROM signals WHERE ${isIn('signal_agent_segment_id', 1)}`,
          [listed(chunk)],
        )
        for (const row of rows) found.set(row.signal_agent_segment_id, storedOf(row))
      }
      return found
    },
    changes: (after, limit) => changes(read, after, limit),
    page: async (after, limit) => {
      if (!isPlace(after)) return []
      const rows = await read.all<SignalRow>(
        `SELECT ${COLUMNS} FROM signals WHERE signal_agent_segment_id > $1
         ORDER BY signal_agent_segment_id LIMIT $2`,
        [after ?? '', limit],
      )
      return rows.map(storedOf)
    },
    ids: async (after, limit) => {
      if (!isPlace(after)) return []
      const rows = await read.all<Pick<SignalRow, 'signal_agent_segment_id'>>(
        `SELECT signal_agent_segment_id FROM signals WHERE signal_agent_segment_id > $1
         ORDER BY signal_agent_segment_id LIMIT $2`,
        [after ?? '', limit],
      )
      return rows.map(({ signal_agent_segment_id }) => signal_agent_segment_id)
    },
    providerDomains: async (after, limit) =>
      isPlace(after)
        ? providerDomains(database, after ?? '', limit)
        : { domains: [], next: undefined },
    latest: async () => (await oneRow()).seq,
    count: async () => (await oneRow()).signals,
    stats: async () => stats(read, await oneRow()),
    forgetRemovals: (tx, before) => forgetRemovals(sqlOf(tx), before),
  }
}

/** A forged position may contain what no id does. */
function isPlace(after: string | undefined): boolean {
  return after === undefined || isStorable(after)
}

const CATALOGUE = 'SELECT seq, signals, forgotten FROM signal_catalogue WHERE id = 1'

/** From here to the end of the transaction, no other transaction changes the catalogue. */
async function lockCatalogue(tx: SqlTransaction): Promise<CatalogueRow> {
  await tx.useIndexes()
  return (await tx.get<CatalogueRow>(`${CATALOGUE} ${FOR_UPDATE}`)) as CatalogueRow
}

async function moveCatalogue(tx: SqlTransaction, { seq, signals }: CatalogueRow): Promise<void> {
  await tx.run('UPDATE signal_catalogue SET seq = $1, signals = $2 WHERE id = 1', [seq, signals])
  await tx.wake(SIGNALS_TOPIC)
}

interface WrittenRow extends SignalRow {
  signal_type: string
  data_provider: string
}

type Known = Pick<SignalRow, 'version' | 'text_digest' | 'signal'>

interface Putting extends SignalStoreParts {
  dialect: Database['dialect']
  tx: SqlTransaction
}

async function put(
  { dialect, tx, embeddedText }: Putting,
  signals: readonly CatalogueSignal[],
): Promise<PutOutcome[]> {
  if (signals.length === 0) return []
  const { seq: before, signals: count, forgotten } = await lockCatalogue(tx)
  const now = await tx.now()
  const known = await knownRows(tx, signals)
  const written = new Map<string, WrittenRow>()
  const orphans = new Set<string>()
  let seq = before
  let added = 0
  const outcomes = signals.map((signal): PutOutcome => {
    const id = signal.signal_agent_segment_id
    const json = JSON.stringify(signal)
    const old = written.get(id) ?? known.get(id)
    if (old && isEqual(old.signal, json)) return 'unchanged'
    const text_digest = createHash('sha256').update(embeddedText(signal)).digest('base64url')
    if (old && old.text_digest !== text_digest) orphans.add(old.text_digest)
    const version = (old?.version ?? 0) + 1
    written.set(id, {
      signal_agent_segment_id: id,
      seq: ++seq,
      version,
      text_digest,
      changed_at: now,
      signal: json,
      signal_type: signal.signal_type,
      data_provider: signal.data_provider.replaceAll('\0', ' '),
    })
    if (!old) added++
    return old ? 'changed' : 'added'
  })
  if (written.size === 0) return outcomes
  await write(dialect, tx, [...written.values()])
  await noteOrphans(tx, orphans)
  await moveCatalogue(tx, { seq, signals: count + added, forgotten })
  return outcomes
}

/** Compares regardless of member order; most often the order is the same. */
function isEqual(old: string, json: string): boolean {
  return old === json || canonicalJson(JSON.parse(old)) === canonicalJson(JSON.parse(json))
}

async function knownRows(
  tx: SqlTransaction,
  signals: readonly CatalogueSignal[],
): Promise<Map<string, Known>> {
  const known = new Map<string, Known>()
  for (const chunk of chunksOf(signals, ROWS_AT_ONCE)) {
    const rows = await tx.all<Known & { id: string }>(
      `SELECT signal_agent_segment_id AS id, version, text_digest, signal FROM signals
       WHERE ${isIn('signal_agent_segment_id', 1)}`,
      [listed(chunk.map(({ signal_agent_segment_id }) => signal_agent_segment_id))],
    )
    for (const { id, ...row } of rows) known.set(id, row)
  }
  return known
}

async function write(
  dialect: Database['dialect'],
  tx: SqlTransaction,
  rows: readonly WrittenRow[],
): Promise<void> {
  // SQLite is fastest row by row; on PostgreSQL the round trip is the cost.
  if (dialect === 'sqlite') {
    await tx.runEach(upsert(1), rows.map(valuesOf))
    return
  }
  for (const chunk of chunksOf(rows, ROWS_AT_ONCE)) {
    await tx.run(upsert(chunk.length), chunk.flatMap(valuesOf))
  }
}

function upsert(rows: number): string {
  return `INSERT INTO signals (${COLUMNS}, signal_type, data_provider) VALUES ${placeholders(rows, INSERTED)}
    ON CONFLICT (signal_agent_segment_id) DO UPDATE SET seq = excluded.seq,
      version = excluded.version, text_digest = excluded.text_digest,
      changed_at = excluded.changed_at, signal = excluded.signal,
      signal_type = excluded.signal_type, data_provider = excluded.data_provider`
}

function valuesOf(row: WrittenRow): SqlValue[] {
  return [
    row.signal_agent_segment_id,
    row.seq,
    row.version,
    row.text_digest,
    row.changed_at,
    row.signal,
    row.signal_type,
    row.data_provider,
  ]
}

async function noteOrphans(tx: SqlTransaction, digests: Iterable<string>): Promise<void> {
  for (const chunk of chunksOf([...digests], ROWS_AT_ONCE)) {
    await tx.run(
      `INSERT INTO signal_vector_orphans (digest)
       VALUES ${placeholders(chunk.length, 1)} ON CONFLICT DO NOTHING`,
      chunk,
    )
  }
}

async function remove(tx: SqlTransaction, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { seq: before, signals: count, forgotten } = await lockCatalogue(tx)
  const now = await tx.now()
  const gone: Pick<SignalRow, 'signal_agent_segment_id' | 'text_digest'>[] = []
  for (const chunk of chunksOf(ids, ROWS_AT_ONCE)) {
    const rows = await tx.all<(typeof gone)[number]>(
      `DELETE FROM signals WHERE ${isIn('signal_agent_segment_id', 1)}
       RETURNING signal_agent_segment_id, text_digest`,
      [listed(chunk)],
    )
    gone.push(...rows)
  }
  if (gone.length === 0) return 0
  let seq = before
  const removals = gone.map((row) => [++seq, row.signal_agent_segment_id, now])
  for (const chunk of chunksOf(removals, ROWS_AT_ONCE)) {
    await tx.run(
      `INSERT INTO signal_removals (seq, signal_agent_segment_id, removed_at)
       VALUES ${placeholders(chunk.length, 3)}`,
      chunk.flat(),
    )
  }
  await noteOrphans(tx, new Set(gone.map(({ text_digest }) => text_digest)))
  await moveCatalogue(tx, { seq, signals: count - gone.length, forgotten })
  return gone.length
}

async function forgetRemovals(tx: SqlTransaction, before: number): Promise<number> {
  const { forgotten } = await lockCatalogue(tx)
  const rows = await tx.all<{ seq: number }>(
    `DELETE FROM signal_removals WHERE seq IN (
       SELECT seq FROM signal_removals WHERE removed_at < $1
       ORDER BY removed_at, seq LIMIT ${FORGOTTEN_AT_ONCE})
     RETURNING seq`,
    [before],
  )
  if (rows.length === 0) return 0
  const last = rows.reduce((highest, { seq }) => Math.max(highest, seq), forgotten)
  await tx.run('UPDATE signal_catalogue SET forgotten = $1 WHERE id = 1', [last])
  return rows.length
}
