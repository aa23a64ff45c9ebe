// Delivery reports in SQL (spec 2.11, 6.2): which buys are due, the windows of each, and their status.

import { eachChunk, eachChunkInTransaction } from '../../../lib/chunks.ts'
import { createPacer } from '../../../lib/pacer.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import {
  REPORTS_DUE_TOPIC,
  type ReportStore,
  type ReportStream,
  type ReportWindow,
  type StateCounts,
  type StreamVisit,
  type VisitSize,
} from '../../../media-buys/reporting/report-store.ts'
import { REPORT_STATES } from '../../../protocol/report-states.ts'
import { type Database, placeholders, type SqlValue, sqlOf } from '../../sql/database.ts'
import { isIn, listed, rowsOf } from '../../sql/lists.ts'
import { amongLocked, FOR_UPDATE } from '../../sql/locks.ts'
import { withPackages } from './look.ts'
import { markEnded, readEnded } from './report-endings.ts'
import { listWindows, windowsIn } from './report-list.ts'
import {
  STREAM_COLUMNS,
  type StreamRow,
  streamOf,
  streamRow,
  WINDOW_NAMES,
  WINDOW_TYPES,
  type WindowRow,
  windowOf,
  windowRow,
} from './report-rows.ts'
import { BUY_COLUMNS, type BuyRow } from './rows.ts'

export function createReportStore(database: Database): ReportStore {
  return {
    touch: (tx, stream) => touch(tx, stream),
    wake: async (tx, mediaBuyId) => {
      const woken = await sqlOf(tx).run(
        `UPDATE report_streams SET due_at = $2, claim_no = claim_no + 1
         WHERE media_buy_id = $1 AND final_at IS NULL`,
        [mediaBuyId, await tx.now()],
      )
      if (woken > 0) await tx.wake(REPORTS_DUE_TOPIC)
    },
    claimDue: (tx, options) => claimDue(tx, options),
    sizes: (ids) => readSizes(database, ids),
    visits: (ids) => readVisits(database, ids),
    giveBack: async (tx, ids, dueAt) => {
      await sqlOf(tx).run(
        `UPDATE report_streams SET due_at = $2, claim_no = claim_no + 1
         WHERE ${isIn('media_buy_id', 1)} AND final_at IS NULL`,
        [listed(ids), dueAt],
      )
    },
    hold: (tx, streams) => hold(tx, streams),
    save: (tx, streams, windows) => save(database, tx, { streams, windows }),
    ended: (after, limit) => readEnded(database, after, limit),
    markEnded: (tx, ended) => markEnded(tx, ended),
    streams: (ids) => readStreams(database, ids),
    windows: (range) => windowsIn(database, range),
    unreported: (ids) => countUnreported(database, ids),
    list: (filter) => listWindows(database, filter),
    counts: (ids) => countStates(database, ids),
    missing: () => countMissing(database),
  }
}

async function touch(
  tx: Transaction,
  { media_buy_id, owner, delay_ms }: Parameters<ReportStore['touch']>[1],
): Promise<void> {
  await sqlOf(tx).run(
    `INSERT INTO report_streams (media_buy_id, owner, sequence_number, totals, unavailable, delay_ms,
       due_at, claim_no)
     VALUES ($1, $2, 0, '{}', 0, COALESCE($3, 0), $4, 1)
     ON CONFLICT (media_buy_id) DO UPDATE SET claim_no = report_streams.claim_no + 1,
       delay_ms = COALESCE($3, report_streams.delay_ms),
       due_at = CASE WHEN report_streams.final_at IS NULL THEN $4 ELSE NULL END`,
    [media_buy_id, owner, delay_ms ?? null, await tx.now()],
  )
  await tx.wake(REPORTS_DUE_TOPIC)
}

async function claimDue(tx: Transaction, { limit, leaseMs }: { limit: number; leaseMs: number }) {
  const now = await tx.now()
  await sqlOf(tx).useIndexes()
  const claimed = await sqlOf(tx).all<{ media_buy_id: string }>(
    `UPDATE report_streams SET due_at = $2, claim_no = claim_no + 1 WHERE ${amongLocked(
      'media_buy_id',
      `SELECT media_buy_id FROM report_streams WHERE due_at <= $1
       ORDER BY due_at, media_buy_id LIMIT $3`,
    )}
     RETURNING media_buy_id`,
    [now, now + leaseMs, limit],
  )
  const next = await sqlOf(tx).get<{ due_at: number }>(
    'SELECT due_at FROM report_streams WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1',
  )
  return {
    media_buy_ids: claimed.map(({ media_buy_id }) => media_buy_id).sort(),
    nextDueAt: next?.due_at,
  }
}

async function readSizes(
  { read }: Database,
  ids: readonly string[],
): Promise<Map<string, VisitSize>> {
  const counts = (table: string, condition = '') =>
    read.all<{ media_buy_id: string; n: number }>(
      `SELECT media_buy_id, count(*) AS n FROM ${table}
       WHERE ${isIn('media_buy_id', 1)} ${condition} GROUP BY media_buy_id`,
      [listed(ids)],
    )
  const streams = await read.all<{ media_buy_id: string; owner: string }>(
    `SELECT media_buy_id, owner FROM report_streams WHERE ${isIn('media_buy_id', 1)}`,
    [listed(ids)],
  )
  const sizes = new Map(
    streams.map(({ media_buy_id, owner }) => [media_buy_id, { owner, packages: 0, windows: 0 }]),
  )
  for (const { media_buy_id, n } of await counts('media_buy_packages')) {
    const size = sizes.get(media_buy_id)
    if (size) size.packages = n
  }
  for (const { media_buy_id, n } of await counts('report_windows', 'AND is_settled = 0')) {
    const size = sizes.get(media_buy_id)
    if (size) size.windows = n
  }
  return sizes
}

async function countUnreported(
  { read }: Database,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await read.all<{ media_buy_id: string; n: number }>(
    `SELECT media_buy_id, count(*) AS n FROM report_windows
     WHERE ${isIn('media_buy_id', 1)} AND is_settled = 0 AND state IN ('owed', 'late')
     GROUP BY media_buy_id`,
    [listed(ids)],
  )
  return new Map(rows.map(({ media_buy_id, n }) => [media_buy_id, n]))
}

async function readVisits(database: Database, ids: readonly string[]): Promise<StreamVisit[]> {
  if (ids.length === 0) return []
  const { read } = database
  const among = (column: string) => isIn(column, 1)
  const streams = await readStreams(database, ids)
  const rows = await read.all<BuyRow>(
    `SELECT ${BUY_COLUMNS} FROM media_buys WHERE ${among('media_buy_id')}`,
    [listed(ids)],
  )
  const buys = await withPackages(read, rows)
  const windows = new Map<string, ReportWindow[]>()
  const open = await read.all<WindowRow>(
    `SELECT ${WINDOW_NAMES.join(', ')} FROM report_windows
     WHERE ${among('media_buy_id')} AND is_settled = 0 ORDER BY media_buy_id, start_at`,
    [listed(ids)],
  )
  const pacer = createPacer()
  for (const row of open) {
    const found = windows.get(row.media_buy_id) ?? []
    windows.set(row.media_buy_id, found)
    found.push(windowOf(row))
    if (pacer.isDue()) await pacer.pause()
  }
  return buys.flatMap((buy) => {
    const stream = streams.get(buy.media_buy_id)
    return stream ? [{ stream, buy, windows: windows.get(buy.media_buy_id) ?? [] }] : []
  })
}

async function readStreams(
  { read }: Database,
  ids: readonly string[],
): Promise<Map<string, ReportStream>> {
  const rows = await read.all<StreamRow>(
    `SELECT ${STREAM_COLUMNS} FROM report_streams WHERE ${isIn('media_buy_id', 1)}`,
    [listed(ids)],
  )
  return new Map(rows.map((row) => [row.media_buy_id, streamOf(row)]))
}

async function hold(
  tx: Transaction,
  streams: readonly Pick<ReportStream, 'media_buy_id' | 'claim_no'>[],
): Promise<Set<string>> {
  const wanted = new Map(streams.map(({ media_buy_id, claim_no }) => [media_buy_id, claim_no]))
  // In a fixed order, so that two transactions that lock some of them wait for each other at most once.
  const rows = await sqlOf(tx).all<{ media_buy_id: string; claim_no: number }>(
    `SELECT media_buy_id, claim_no FROM report_streams WHERE ${isIn('media_buy_id', 1)}
     ORDER BY media_buy_id ${FOR_UPDATE}`,
    [listed([...wanted.keys()])],
  )
  const held = rows.filter(({ media_buy_id, claim_no }) => wanted.get(media_buy_id) === claim_no)
  return new Set(held.map(({ media_buy_id }) => media_buy_id))
}

const STREAM_TYPES = {
  media_buy_id: 'TEXT',
  opened_until: 'BIGINT',
  sequence_number: 'INTEGER',
  totals: 'TEXT',
  unavailable: 'INTEGER',
  final_at: 'BIGINT',
  due_at: 'BIGINT',
} as const

async function save(
  { dialect }: Database,
  tx: Transaction,
  { streams, windows }: { streams: readonly ReportStream[]; windows: readonly ReportWindow[] },
): Promise<void> {
  const set = ['opened_until', 'sequence_number', 'totals', 'unavailable', 'final_at', 'due_at']
  if (streams.length > 0) {
    await sqlOf(tx).run(
      `UPDATE report_streams SET ${set.map((name) => `${name} = r.${name}`).join(', ')}
       FROM ${rowsOf(STREAM_TYPES)} AS r
       WHERE report_streams.media_buy_id = r.media_buy_id`,
      [JSON.stringify(streams.map(streamRow))],
    )
  }
  if (windows.length > 0) await saveWindows(dialect, tx, windows)
}

/** Windows that are written at once: each may have the figures of a hundred packages. */
const WINDOWS_AT_ONCE = 50

const KEYS: readonly string[] = ['media_buy_id', 'kind', 'start_at']
const UPSERT = `ON CONFLICT (${KEYS.join(', ')}) DO UPDATE SET ${WINDOW_NAMES.filter(
  (name) => !KEYS.includes(name),
)
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')}`

async function saveWindows(
  dialect: Database['dialect'],
  tx: Transaction,
  windows: readonly ReportWindow[],
): Promise<void> {
  const names = WINDOW_NAMES.join(', ')
  await eachChunkInTransaction(windows, WINDOWS_AT_ONCE, async (chunk) => {
    const rows = chunk.map(windowRow)
    // SQLite is fastest row by row; on PostgreSQL the round trip is the cost.
    if (dialect === 'sqlite') {
      await sqlOf(tx).runEach(
        `INSERT INTO report_windows (${names}) VALUES ${placeholders(1, WINDOW_NAMES.length)} ${UPSERT}`,
        rows.map((row) => WINDOW_NAMES.map((name): SqlValue => row[name])),
      )
      return
    }
    await sqlOf(tx).run(
      `INSERT INTO report_windows (${names})
       SELECT ${names} FROM ${rowsOf(WINDOW_TYPES)} AS r WHERE true ${UPSERT}`,
      [JSON.stringify(rows)],
    )
  })
}

async function countStates(
  { read }: Database,
  ids: readonly string[],
): Promise<Map<string, StateCounts>> {
  const none = () => Object.fromEntries(REPORT_STATES.map((state) => [state, 0])) as StateCounts
  const counts = new Map(ids.map((id) => [id, none()]))
  // A buy that has been reported hourly for a year has nine thousand windows.
  await eachChunk(ids, 5, async (chunk) => {
    const rows = await read.all<{ media_buy_id: string; state: keyof StateCounts; n: number }>(
      `SELECT media_buy_id, state, count(*) AS n FROM report_windows
       WHERE ${isIn('media_buy_id', 1)} GROUP BY media_buy_id, state`,
      [listed(chunk)],
    )
    for (const { media_buy_id, state, n } of rows) {
      const found = counts.get(media_buy_id)
      if (found) found[state] = n
    }
  })
  return counts
}

/** The states in the index of missing windows: nothing else is read. */
async function countMissing({ read }: Database) {
  const rows = await read.all<{ state: 'owed' | 'late' | 'given_up'; n: number }>(
    `SELECT state, count(*) AS n FROM report_windows
     WHERE state IN ('owed', 'late', 'given_up') GROUP BY state`,
  )
  const counts = { owed: 0, late: 0, given_up: 0 }
  for (const { state, n } of rows) counts[state] = n
  return counts
}
