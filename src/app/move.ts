// Moves all data between a SQLite data folder and a PostgreSQL, for an operator: what is locked, marked and finished in
// which order.

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '../lib/log.ts'
import { type Mark, markOf, markSource, unmarkSource } from '../storage/move/mark.ts'
import { type MovedTable, type MoveOptions, moveRows } from '../storage/move/move-rows.ts'
import { tablesIn } from '../storage/move/tables.ts'
import type { Database } from '../storage/sql/database.ts'
import { migrate, ownersIn, pendingMigrations } from '../storage/sql/migrate.ts'
import { loadMigrations, OWNERS } from '../storage/sql/migrations.ts'
import { hasTables } from '../storage/sql/own-place.ts'
import { SQLITE_FILE } from '../storage/sqlite/database-file.ts'
import { takeServeLock } from '../storage/sqlite/serve-lock.ts'
import { NoDatabase, openDatabase, placeOf, type StorageConfig } from './open-storage.ts'

export interface MovePlaces {
  from: StorageConfig
  to: StorageConfig
}

export interface MoveWatch {
  /** Called once, with the rows of the source. */
  onStart(rows: number, isContinued: boolean): void
  onCopied(rows: number): void
  onCompared(rows: number): void
}

export interface Moved {
  from: string
  to: string
  /** Empty if an earlier run had finished already. */
  tables: MovedTable[]
}

const SILENT = createLog({ level: 'silent' })

/** Throws with the source unchanged, or with a move that can be continued. */
export async function moveData(
  places: MovePlaces,
  { batchRows, watch }: { batchRows: number; watch: MoveWatch },
): Promise<Moved> {
  const names = { from: placeOf(places.from), to: placeOf(places.to) }
  refuseMissing(places.from)
  return withPlace(places.from, (source) =>
    withPlace(places.to, async (target) => {
      if (!(await hasTables(source))) throw new NoDatabase(`no database at ${names.from}`)
      const found = await markOf(source)
      refuseOther(found, names)
      if (found?.state === 'moved' && !(await markOf(target))) return { ...names, tables: [] }
      const owners = await ownersIn(source, OWNERS)
      const migrations = loadMigrations(owners)
      if (!found) await migrate(source, migrations)
      const mark = found ?? (await markNew({ source, target, names }))
      if ((await pendingMigrations(source, migrations)).length > 0) {
        throw new Error(
          'this move was begun by an older program: finish it with that one, or cancel it with adwire move --cancel',
        )
      }
      const watched: Pick<MoveOptions, 'onCopied' | 'onCompared'> = watch
      watch.onStart(await countRows(source), found !== undefined)
      const options = { source, target, mark, from: names.from, migrations, batchRows, ...watched }
      return { ...names, tables: await moveRows(options) }
    }),
  )
}

/** Cancels a move that has not finished: servers may start on its source again. */
export async function cancelMove(from: StorageConfig): Promise<Mark> {
  refuseMissing(from)
  return withPlace(from, async (source) => {
    const mark = await markOf(source)
    if (mark === undefined || mark.state === 'arriving') {
      throw new Error(`no data is being moved from ${placeOf(from)}`)
    }
    const tables = await tablesIn(source)
    await unmarkSource(
      source,
      tables.map(({ name }) => name),
    )
    return mark
  })
}

/** Checked before the source is locked against writes. */
async function markNew({
  source,
  target,
  names,
}: {
  source: Database
  target: Database
  names: { from: string; to: string }
}): Promise<Mark> {
  if ((await markOf(target)) || (await hasTables(target))) {
    throw new Error(
      `${names.to} is not empty: data is moved only into an empty data folder or database. Name another, or drop its tables`,
    )
  }
  const tables = (await tablesIn(source)).map(({ name }) => name)
  await markSource(source, {
    mark: { move_id: randomUUID(), state: 'moving', other: names.to },
    tables,
  })
  const mark = await markOf(source)
  if (!mark) throw new Error('the mark of the move is gone')
  return mark
}

function refuseOther(found: Mark | undefined, names: { from: string; to: string }): void {
  if (!found) return
  if (found.state === 'arriving') {
    throw new Error(
      `the data of ${found.other} is being moved into ${names.from}: finish that move first`,
    )
  }
  if (found.other === names.to) return
  throw new Error(
    found.state === 'moved'
      ? `the data of ${names.from} was moved to ${found.other} already`
      : `the data of ${names.from} is being moved to ${found.other}: name that one to finish, or cancel the move with --cancel`,
  )
}

function refuseMissing({ data, databaseUrl }: StorageConfig): void {
  if (databaseUrl !== undefined || existsSync(join(data, SQLITE_FILE))) return
  throw new NoDatabase(`no database at ${data}: name the folder to move with --data`)
}

/** A data folder is locked against servers and other moves meanwhile. */
async function withPlace<T>(
  config: StorageConfig,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const lock = config.databaseUrl === undefined ? takeServeLock(config.data) : undefined
  if (lock?.ok === false) throw new Error(lock.message)
  try {
    const database = await openDatabase(config, SILENT)
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  } finally {
    lock?.release()
  }
}

async function countRows(database: Database): Promise<number> {
  let sum = 0
  for (const { name } of await tablesIn(database)) {
    const row = await database.read.get<{ rows: number }>(`SELECT count(*) AS rows FROM ${name}`)
    sum += row?.rows ?? 0
  }
  return sum
}
