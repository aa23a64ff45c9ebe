import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../../src/storage/postgres/open-postgres.ts'
import type { Database } from '../../../src/storage/sql/database.ts'
import { migrate, pendingMigrations } from '../../../src/storage/sql/migrate.ts'
import { loadMigrations, type Migration, OWNERS } from '../../../src/storage/sql/migrations.ts'
import { openSqlite } from '../../../src/storage/sqlite/open-sqlite.ts'
import { emptyPostgres } from '../../support/databases.ts'

const ALL = loadMigrations()
const NAMES = ALL.map(({ name }) => name)

test.each(OWNERS)('the migrations of %s are numbered from one without a gap', (owner) => {
  const own = loadMigrations([owner])
  expect(own[0]?.name).toBe(`${owner}/0001-baseline`)
  expect(own.map(({ version }) => version)).toEqual(own.map((_, index) => index + 1))
  for (const { version, name } of own) {
    expect(name).toMatch(new RegExp(`^${owner}/${String(version).padStart(4, '0')}-[a-z-]+$`))
  }
})

test('every folder of migrations has an owner that the program knows', () => {
  const folders = readdirSync(new URL('../../../src/storage/migrations/', import.meta.url))
  expect(folders.sort()).toEqual([...OWNERS].sort())
})

describe.each(['sqlite', 'postgres'] as const)('a migration [%s]', (store) => {
  const opener = async (): Promise<() => Database> => {
    const opened: Database[] = []
    const { open, drop } = await (store === 'sqlite' ? emptyFolder() : emptyServer())
    onTestFinished(async () => {
      for (const database of opened) await database.close()
      await drop()
    })
    return () => {
      const database = open()
      opened.push(database)
      return database
    }
  }
  const recorded = async (database: Database) =>
    (
      await database.read.all<{ name: string }>(
        'SELECT name FROM adwire_migrations ORDER BY owner, version',
      )
    ).map(({ name }) => name)

  test('brings an empty database up to date and says what it applied', async () => {
    const database = (await opener())()
    expect(await migrate(database)).toEqual(NAMES)
    expect(await recorded(database)).toEqual([...NAMES].sort())
    expect(await database.read.all('SELECT * FROM manifest_references')).toEqual([])
  })

  test('repeated does nothing, also after the database was opened again', async () => {
    const open = await opener()
    await migrate(open())
    expect(await migrate(open())).toEqual([])
  })

  test('by four instances at the same time is applied once', async () => {
    const open = await opener()
    const applied = await Promise.all([open(), open(), open(), open()].map((one) => migrate(one)))
    expect(applied.flat().sort()).toEqual([...NAMES].sort())
  })

  test('that is new is applied to a database that has the older ones', async () => {
    const database = (await opener())()
    await migrate(database)
    const added = script(900, 'CREATE TABLE later (id INTEGER PRIMARY KEY);\n')
    expect(await migrate(database, [...ALL, added])).toEqual(['registry/0900-later'])
  })

  test('of a newer program makes this one refuse the database', async () => {
    const database = (await opener())()
    await migrate(database, [...ALL, script(900, '')])
    const latest = NAMES.filter((name) => name.startsWith('registry/')).length
    await expect(migrate(database)).rejects.toThrow(
      `the database is at version 900 of registry, this program knows ${latest}: start the program that wrote it, or a newer one`,
    )
  })

  test('of an owner that is not requested is neither applied nor checked', async () => {
    const database = (await opener())()
    const nonces = loadMigrations(['nonces'])
    expect(await migrate(database, nonces)).toEqual(['nonces/0001-baseline'])
    await migrate(database, [...nonces, script(900, '')])
    expect(await migrate(database, nonces)).toEqual([])
    expect(await pendingMigrations(database, loadMigrations(['nonces', 'quotas']))).toEqual([
      'quotas/0001-baseline',
    ])
    await expect(database.read.all('SELECT * FROM manifest_references')).rejects.toThrow(
      /manifest_references/,
    )
  })

  test('that fails half-way leaves nothing of itself', async () => {
    const database = (await opener())()
    const broken = script(1, 'CREATE TABLE half (id INTEGER PRIMARY KEY);\nCREATE TABEL typo;\n')
    await expect(migrate(database, [broken])).rejects.toThrow(/syntax/)
    expect(await recorded(database)).toEqual([])
    await expect(database.read.all('SELECT * FROM half')).rejects.toThrow(/half/)
  })

  test('is spelled in the words of the dialect', async () => {
    const database = (await opener())()
    await migrate(database, [
      script(
        1,
        `-- A comment; with a semicolon.
CREATE TABLE words (n SERIAL_KEY, bytes BYTES, name TEXT_C);

-- only: sqlite
CREATE TABLE only_sqlite (id INTEGER PRIMARY KEY);

-- only: postgres
CREATE TABLE only_postgres (id INTEGER PRIMARY KEY);
`,
      ),
    ])
    await database.transact(async (tx) => {
      for (const name of ['b', 'A', 'a', 'ä']) {
        const bytes = new Uint8Array([0, 255])
        await tx.run('INSERT INTO words (bytes, name) VALUES ($1, $2)', [bytes, name])
      }
    })
    const rows = await database.read.all<{ n: number; bytes: Uint8Array; name: string }>(
      'SELECT * FROM words ORDER BY name',
    )
    expect(rows.map(({ name }) => name)).toEqual(['A', 'a', 'b', 'ä'])
    expect(rows.map(({ n }) => n).sort()).toEqual([1, 2, 3, 4])
    expect(Buffer.from(rows[0]?.bytes as Uint8Array)).toEqual(Buffer.from([0, 255]))
    expect(await database.read.all(`SELECT * FROM only_${store}`)).toEqual([])
    const other = store === 'sqlite' ? 'postgres' : 'sqlite'
    await expect(database.read.all(`SELECT * FROM only_${other}`)).rejects.toThrow(/only_/)
  })
})

function script(version: number, sql: string): Migration {
  const name = `registry/${String(version).padStart(4, '0')}-later`
  return { owner: 'registry', version, name, sql }
}

async function emptyFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), 'adwire-test-'))
  return {
    open: () => openSqlite({ dataDir }),
    drop: async () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

async function emptyServer() {
  const { url, drop } = await emptyPostgres()
  return { open: () => openPostgres({ url, poolSize: 2 }), drop }
}
