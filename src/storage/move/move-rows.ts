// Moves all rows of one database into another, empty one. Every batch is written in one transaction with a note of how far
// it got, so a move that was killed continues where it was. In the end every table of the target is read again and its
// digest compared with that of the source.

import { type Database, placeholders, type SqlTransaction, type SqlValue } from '../sql/database.ts'
import { migrate } from '../sql/migrate.ts'
import type { Migration } from '../sql/migrations.ts'
import { enterPlace, hasTables, prepareRecord } from '../sql/own-place.ts'
import {
  finishSource,
  insertMark,
  MARK,
  type Mark,
  markOf,
  PROGRESS,
  TABLE_OF_MARK,
} from './mark.ts'
import { type Digest, digestOf, keyOf, nextRows, type Row } from './rows.ts'
import { differenceOf, type Table, tablesIn } from './tables.ts'

export interface MoveOptions {
  source: Database
  target: Database
  /** Of the source, which is `moving`, or `moved` if only the target was left to finish. */
  mark: Mark
  /** The source, without its password. */
  from: string
  migrations: readonly Migration[]
  /** Rows of one transaction. */
  batchRows: number
  onCopied?: (rows: number) => void
  onCompared?: (rows: number) => void
}

export interface MovedTable extends Digest {
  name: string
}

interface Progress {
  table_name: string
  /** The key of the last row as JSON; null at the beginning. */
  after: string | null
  is_copied: number
  /** Set when the table was compared. */
  sha256: string | null
  rows: number
}

/** A target that already has data of its own. */
class TargetTaken extends Error {}

export async function moveRows(options: MoveOptions): Promise<MovedTable[]> {
  const { source, target, mark } = options
  await prepareTarget(options)
  const tables = await tablesIn(source)
  const difference = differenceOf(tables, await tablesIn(target))
  if (difference !== undefined) throw new Error(`${difference}: nothing was moved`)
  const progress = await progressOf(target, tables)
  for (const table of tables) await copyTable(options, table, progress)
  await copyNumbers(options, tables)
  const moved: MovedTable[] = []
  for (const table of tables) moved.push(await compareTable(options, table, progress))
  // From here on the source is not used any more, whatever happens; a target that still has its mark is finished by another run.
  if (mark.state === 'moving') await finishSource(source, mark.move_id)
  await target.transact(async (tx) => {
    const queries = await enterPlace(target, tx)
    await queries.run(`DROP TABLE ${PROGRESS}`)
    await queries.run(`DROP TABLE ${MARK}`)
  })
  return moved
}

/** All tables, empty, with the mark of this move. */
async function prepareTarget(options: MoveOptions): Promise<void> {
  const { target, mark, from, migrations } = options
  const found = await markOf(target)
  if (found && found.move_id !== mark.move_id) {
    throw new TargetTaken('the target has the rest of another move: name an empty one')
  }
  if (!found) {
    if (await hasTables(target)) {
      throw new TargetTaken('the target has tables of Adwire: data is moved only into an empty one')
    }
    await target.transact(async (tx) => {
      await tx.lock('migrations')
      const queries = await enterPlace(target, tx)
      await prepareRecord(queries)
      await queries.run(TABLE_OF_MARK)
      const { move_id } = mark
      await insertMark(queries, { move_id, state: 'arriving', other: from }, await tx.now())
    })
  }
  await migrate(target, migrations, { isMove: true })
  await target.transact(async (tx) => {
    const queries = await enterPlace(target, tx)
    await queries.run(
      `CREATE TABLE IF NOT EXISTS ${PROGRESS} (table_name TEXT PRIMARY KEY, after TEXT, is_copied INTEGER NOT NULL, sha256 TEXT, rows BIGINT NOT NULL)`,
    )
  })
}

/** A target at its beginning has what migrations inserted: it is removed, since the source has the same rows. */
async function progressOf(
  target: Database,
  tables: readonly Table[],
): Promise<Map<string, Progress>> {
  const rows = await target.transact(async (tx) => {
    const begun = await tx.get(`SELECT table_name FROM ${PROGRESS} LIMIT 1`)
    if (!begun) {
      for (const { name } of tables.toReversed()) await tx.run(`DELETE FROM ${name}`)
      for (const { name } of tables) {
        await tx.run(`INSERT INTO ${PROGRESS} (table_name, is_copied, rows) VALUES ($1, 0, 0)`, [
          name,
        ])
      }
    }
    return tx.all<Progress>(`SELECT table_name, after, is_copied, sha256, rows FROM ${PROGRESS}`)
  })
  return new Map(rows.map((row) => [row.table_name, row]))
}

async function copyTable(
  { source, target, batchRows, onCopied }: MoveOptions,
  table: Table,
  progress: ReadonlyMap<string, Progress>,
): Promise<void> {
  const done = progress.get(table.name)
  if (!done) throw new Error(`the target was prepared without the table ${table.name}`)
  onCopied?.(done.rows)
  if (done.is_copied === 1) return
  const reader = { read: source.read, dialect: source.dialect, rows: batchRows }
  let noted = done.after
  for (;;) {
    const rows = await nextRows(reader, table, noted === null ? undefined : parseKey(noted))
    const last = rows.at(-1)
    const after = last ? JSON.stringify(keyOf(table, last)) : noted
    await target.transact(async (tx) => {
      // Another process that does the same move stops here.
      const held = await tx.run(
        `UPDATE ${PROGRESS} SET after = $2, is_copied = $3, rows = rows + $4
         WHERE table_name = $1 AND is_copied = 0 AND coalesce(after, '') = $5`,
        [table.name, after, last ? 0 : 1, rows.length, noted ?? ''],
      )
      if (held === 0) throw new Error('another process is doing this move')
      await insert(target, tx, { table, rows }).catch((error: unknown) => {
        throw new Error(
          `rows of ${table.name} behind ${noted ?? 'its beginning'} cannot be written to the target: ${(error as Error).message}`,
          { cause: error },
        )
      })
    })
    if (!last) return
    noted = after
    onCopied?.(rows.length)
  }
}

function parseKey(text: string): SqlValue[] {
  return JSON.parse(text) as SqlValue[]
}

/** PostgreSQL takes 65,535 parameters at most. */
const MOST_PARAMS = 30_000

async function insert(
  { dialect }: Database,
  tx: SqlTransaction,
  { table, rows }: { table: Table; rows: readonly Row[] },
): Promise<void> {
  const { name, columns } = table
  const overriding = dialect === 'postgres' ? 'OVERRIDING SYSTEM VALUE' : ''
  const sql = (count: number) =>
    `INSERT INTO ${name} (${columns.join(', ')}) ${overriding} VALUES ${placeholders(count, columns.length)}`
  const values = rows.map((row) => columns.map((column) => row[column] ?? null))
  if (dialect === 'sqlite') {
    await tx.runEach(sql(1), values)
    return
  }
  const together = Math.floor(MOST_PARAMS / columns.length)
  for (let start = 0; start < values.length; start += together) {
    const some = values.slice(start, start + together)
    await tx.run(sql(some.length), some.flat())
  }
}

/** The last number that each table gave out, even if its row was removed: no id is given out twice. */
async function copyNumbers(
  { source, target }: MoveOptions,
  tables: readonly Table[],
): Promise<void> {
  for (const table of tables.filter(({ numbered }) => numbered !== undefined)) {
    const last = await lastNumber(source, table)
    if (last > 0) await setLastNumber(target, table, last)
    const now = await lastNumber(target, table)
    if (now !== last) throw new Error(`the numbers of ${table.name} go on at ${now}, not ${last}`)
  }
}

async function lastNumber({ read, dialect, schema }: Database, table: Table): Promise<number> {
  if (dialect === 'sqlite') {
    const row = await read.get<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = $1', [
      table.name,
    ])
    return row?.seq ?? 0
  }
  const row = await read.get<{ last: number | null }>(
    'SELECT pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass) AS last',
    [`${schema}.${table.name}`, table.numbered ?? ''],
  )
  return row?.last ?? 0
}

async function setLastNumber(target: Database, table: Table, last: number): Promise<void> {
  await target.transact(async (tx) => {
    if (target.dialect === 'postgres') {
      await tx.get('SELECT setval(pg_get_serial_sequence($1, $2)::regclass, $3)', [
        `${target.schema}.${table.name}`,
        table.numbered ?? '',
        last,
      ])
      return
    }
    await tx.run('DELETE FROM sqlite_sequence WHERE name = $1', [table.name])
    await tx.run('INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)', [table.name, last])
  })
}

async function compareTable(
  { source, target, batchRows, onCompared }: MoveOptions,
  table: Table,
  progress: ReadonlyMap<string, Progress>,
): Promise<MovedTable> {
  const { name } = table
  const known = progress.get(name)
  if (known?.sha256) {
    onCompared?.(known.rows)
    return { name, rows: known.rows, sha256: known.sha256 }
  }
  const digest = (database: Database, onRows: (rows: number) => void) =>
    digestOf({ read: database.read, dialect: database.dialect, rows: batchRows }, table, onRows)
  const [from, to] = await Promise.all([
    digest(source, () => {}),
    digest(target, (rows) => onCompared?.(rows)),
  ])
  if (from.rows !== to.rows || from.sha256 !== to.sha256) {
    throw new Error(
      `the table ${name} has ${from.rows} rows in the source (SHA-256 ${from.sha256}) and ${to.rows} in the target (${to.sha256}): the source is still the valid one. Cancel the move with adwire move --cancel and move into another, empty database`,
    )
  }
  await target.transact((tx) =>
    tx.run(`UPDATE ${PROGRESS} SET sha256 = $2, rows = $3 WHERE table_name = $1`, [
      name,
      to.sha256,
      to.rows,
    ]),
  )
  return { name, ...to }
}
