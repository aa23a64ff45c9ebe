// All rows of one kind of database in the other, with real databases of both kinds.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { moveData } from '../../../src/app/move.ts'
import { openStorage } from '../../../src/app/open-storage.ts'
import { digestOf } from '../../../src/storage/move/rows.ts'
import { differenceOf, tablesIn } from '../../../src/storage/move/tables.ts'
import { openPostgres } from '../../../src/storage/postgres/open-postgres.ts'
import type { Database } from '../../../src/storage/sql/database.ts'
import { migrate } from '../../../src/storage/sql/migrate.ts'
import { openSqlite } from '../../../src/storage/sqlite/open-sqlite.ts'
import { emptyPostgres } from '../../support/databases.ts'
import { fillEveryTable } from '../../support/every-table.ts'

const config = (place: { data?: string; databaseUrl?: string }) => ({
  data: '',
  databaseUrl: undefined,
  databasePool: 4,
  ...place,
})
const quiet = { onStart: () => {}, onCopied: () => {}, onCompared: () => {} }
const slowly = { batchRows: 7, watch: quiet }

function emptyFolder(): string {
  const data = mkdtempSync(join(tmpdir(), 'adwire-move-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  return data
}

async function emptyServer(): Promise<string> {
  const { url, drop } = await emptyPostgres()
  onTestFinished(drop)
  return url
}

async function filledFolder(
  rows: number,
  more: Readonly<Record<string, number>> = {},
): Promise<string> {
  const data = emptyFolder()
  const database = openSqlite({ dataDir: data })
  await migrate(database)
  await fillEveryTable(database, rows, more)
  await database.close()
  return data
}

async function withOpened<T>(
  place: { data: string } | { databaseUrl: string },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database =
    'data' in place ? openSqlite({ dataDir: place.data }) : openPostgres({ url: place.databaseUrl })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Of every table, computed here from what is there. */
const digestsAt = (place: { data: string } | { databaseUrl: string }) =>
  withOpened(place, async (database) => {
    const digests: Record<string, string> = {}
    for (const table of await tablesIn(database)) {
      const { read, dialect } = database
      const { rows, sha256 } = await digestOf({ read, dialect, rows: 500 }, table, () => {})
      digests[table.name] = `${rows} ${sha256}`
    }
    return digests
  })

test('every table of the schema is moved to PostgreSQL and back, and every digest is the same', async () => {
  const data = await filledFolder(20)
  const before = await digestsAt({ data })
  // Nothing that a migration makes is left out: what the catalogue lists here is what SQLite itself lists.
  const listed = await withOpened({ data }, (database) =>
    database.read.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'adwire_migrations' ORDER BY name",
    ),
  )
  expect(Object.keys(before).toSorted()).toEqual(listed.map(({ name }) => name))
  expect(Object.values(before).filter((digest) => !digest.startsWith('20 '))).toEqual([])

  const databaseUrl = await emptyServer()
  const moved = await moveData({ from: config({ data }), to: config({ databaseUrl }) }, slowly)
  expect(moved.tables.map(({ name }) => name).toSorted()).toEqual(listed.map(({ name }) => name))
  expect(await digestsAt({ databaseUrl })).toEqual(before)

  const back = emptyFolder()
  await moveData({ from: config({ databaseUrl }), to: config({ data: back }) }, slowly)
  expect(await digestsAt({ data: back })).toEqual(before)
})

test('numbers go on where they were, also of rows that were removed', async () => {
  const data = await filledFolder(3)
  await withOpened({ data }, (database) =>
    database.transact((tx) => tx.run('DELETE FROM webhook_deliveries')),
  )
  const databaseUrl = await emptyServer()
  await moveData({ from: config({ data }), to: config({ databaseUrl }) }, slowly)
  const last = await withOpened({ databaseUrl }, ({ read }) =>
    read.get<{ last: number }>(
      "SELECT pg_sequence_last_value(pg_get_serial_sequence('adwire.webhook_deliveries', 'delivery_id')::regclass) AS last",
    ),
  )
  expect(last).toEqual({ last: 3 })
})

test('a row larger than a batch is moved, and small batches are bounded by bytes', async () => {
  const data = await filledFolder(1)
  const body = new Uint8Array(3 * 1024 * 1024).fill(7)
  await withOpened({ data }, (database) =>
    database.transact((tx) =>
      tx.runEach(
        "INSERT INTO creative_assets (digest, media_type, bytes, created_at, last_used_at) VALUES ($1, 'image/png', $2, 1, 1)",
        ['a', 'b', 'c'].map((digest) => [digest, body]),
      ),
    ),
  )
  const batches: number[] = []
  const databaseUrl = await emptyServer()
  const watch = { ...quiet, onCopied: (rows: number) => batches.push(rows) }
  const { tables } = await moveData(
    { from: config({ data }), to: config({ databaseUrl }) },
    { batchRows: 1_000, watch },
  )
  expect(tables.find(({ name }) => name === 'creative_assets')?.rows).toBe(4)
  // The four rows of 9 MiB arrived in three batches; every other table has one.
  expect(batches.filter((rows) => rows > 0)).toHaveLength(tables.length + 2)
})

test('a source is locked for every writer, and no server starts on it', async () => {
  const data = await filledFolder(2)
  const open = openSqlite({ dataDir: data })
  onTestFinished(() => open.close())
  const databaseUrl = await emptyServer()
  await moveData({ from: config({ data }), to: config({ databaseUrl }) }, slowly)
  await expect(open.transact((tx) => tx.run('DELETE FROM principals'))).rejects.toThrow(
    /nothing is written here any more/,
  )
  await expect(openStorage(config({ data }))).rejects.toThrow(
    /was moved to .* start on that one.*adwire move/,
  )

  const running = openPostgres({ url: databaseUrl })
  onTestFinished(() => running.close())
  const back = emptyFolder()
  await moveData({ from: config({ databaseUrl }), to: config({ data: back }) }, slowly)
  for (const sql of ['DELETE FROM principals', 'UPDATE tasks SET tries = 9']) {
    await expect(running.transact((tx) => tx.run(sql))).rejects.toThrow(
      /nothing is written here any more/,
    )
  }
  await expect(openStorage(config({ databaseUrl }))).rejects.toThrow(/was moved to/)
  const storage = await openStorage(config({ data: back }))
  await storage.close()
})

test('a table that only one of the two has is found before a row is copied', async () => {
  const data = await filledFolder(1)
  const tables = await withOpened({ data }, tablesIn)
  const [first, ...others] = tables
  if (!first) throw new Error('there are tables')
  expect(differenceOf(tables, tables)).toBeUndefined()
  expect(differenceOf(tables, others)).toBe(`the target has no table ${first.name}`)
  expect(differenceOf(others, tables)).toBe(`the source has no table ${first.name}`)
  expect(differenceOf(tables, [{ ...first, columns: ['x'] }, ...others])).toContain(
    'has other columns in the target',
  )
})

test('a difference that appears on the way is reported, and the source remains the valid one', async () => {
  const data = await filledFolder(5)
  const databaseUrl = await emptyServer()
  const places = { from: config({ data }), to: config({ databaseUrl }) }
  let isSpoiled = false
  const spoil = async () => {
    if (isSpoiled) return
    isSpoiled = true
    await withOpened({ databaseUrl }, (database) =>
      database.transact((tx) =>
        tx.run("UPDATE principals SET name = 'other' WHERE created_at = 3"),
      ),
    )
  }
  // The move stops after copying, as if it had been killed; then somebody changes the target.
  const stop = {
    ...quiet,
    onCompared: () => {
      throw new Error('killed')
    },
  }
  await expect(moveData(places, { batchRows: 100, watch: stop })).rejects.toThrow('killed')
  await spoil()
  await expect(moveData(places, slowly)).rejects.toThrow(
    /the table principals has 5 rows in the source .* the source is still the valid one/,
  )
  await expect(openStorage(places.to)).rejects.toThrow(/is being moved into this database/)
  await expect(openStorage(places.from)).rejects.toThrow(/is being moved to/)
})
