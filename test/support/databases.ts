// Both databases for a contract suite: the suite runs once on SQLite and once on PostgreSQL, each
// time on an empty, migrated database of its own.

import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import type { Clock } from '../../src/lib/clock.ts'
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts'
import type { Database } from '../../src/storage/sql/database.ts'
import { migrate } from '../../src/storage/sql/migrate.ts'
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts'

export interface TestDatabase {
  database: Database
  /** Where it is: a data folder, or a PostgreSQL address. */
  location: { dataDir: string } | { url: string }
  drop(): Promise<void>
}

export type StoreName = 'sqlite' | 'postgres'

/**
 * Runs `suite` on each store; `database()` may be called from within tests and hooks, and so may
 * `another()`, which opens the same database as a second process would.
 */
export function onBothStores(
  title: string,
  suite: (database: () => Database, store: StoreName, another: () => Database) => void,
  options: { clock?: Clock } = {},
): void {
  for (const store of ['sqlite', 'postgres'] as const) {
    describe(`${title} [${store}]`, () => {
      let opened: TestDatabase | undefined
      beforeAll(async () => {
        opened = await testDatabase(store, options)
      })
      afterAll(() => opened?.drop())
      const now = () => {
        if (!opened) throw new Error('the database is opened before the first test')
        return opened
      }
      suite(
        () => now().database,
        store,
        () => openAgain(now().location, options),
      )
    })
  }
}

export async function testDatabase(
  store: StoreName,
  options: { clock?: Clock } = {},
): Promise<TestDatabase> {
  return store === 'sqlite'
    ? testSqlite(options.clock, await sqliteTemplate())
    : testPostgres(options.clock, await migratedPostgres())
}

function openAgain(location: TestDatabase['location'], { clock }: { clock?: Clock }): Database {
  const options = clock ? { clock } : {}
  return 'url' in location
    ? openPostgres({ ...location, ...options })
    : openSqlite({ ...location, ...options, ...(clock ? { flush: unflushed } : {}) })
}

/** Where time stands still, a test cannot wait for a disk. */
const unflushed = async () => {}

function testSqlite(clock?: Clock, template?: string): TestDatabase {
  const dataDir = mkdtempSync(join(tmpdir(), 'adwire-test-'))
  if (template) cpSync(template, dataDir, { recursive: true })
  const database = openSqlite({ dataDir, ...(clock ? { clock, flush: unflushed } : {}) })
  return {
    database,
    location: { dataDir },
    drop: async () => {
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function testPostgres(
  clock: Clock | undefined,
  { url, drop }: { url: string; drop(): Promise<void> },
): TestDatabase {
  const database = openPostgres({ url, ...(clock ? { clock } : {}) })
  return {
    database,
    location: { url },
    drop: async () => {
      await database.close()
      await drop()
    },
  }
}

/** A new, empty PostgreSQL database, for tests that open it themselves or in another process. */
export function emptyPostgres(): Promise<{ url: string; drop(): Promise<void> }> {
  return newPostgres(`adwire_${randomBytes(6).toString('hex')}`)
}

/** The same with all tables, and nothing in them. */
export async function migratedPostgres(): Promise<{ url: string; drop(): Promise<void> }> {
  return newPostgres(`adwire_${randomBytes(6).toString('hex')}`, await postgresTemplate())
}

let postgresMade: Promise<string> | undefined
/** To migrate takes longer than most suites: it is done once in each worker, and copied. */
function postgresTemplate(): Promise<string> {
  postgresMade ??= (async () => {
    const name = `${inject('databasePrefix')}_${process.pid}`
    const { url } = await newPostgres(name)
    const database = openPostgres({ url })
    await migrate(database)
    await database.close()
    return name
  })()
  return postgresMade
}

let sqliteMade: Promise<string> | undefined
/** A data folder with all tables, and nothing in them. */
export function sqliteTemplate(): Promise<string> {
  sqliteMade ??= (async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'adwire-test-'))
    process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
    const database = openSqlite({ dataDir })
    await migrate(database)
    await database.close()
    return dataDir
  })()
  return sqliteMade
}

async function newPostgres(
  name: string,
  template?: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const base = inject('databaseUrl')
  await administer(base, `CREATE DATABASE ${name}${template ? ` TEMPLATE ${template}` : ''}`)
  const url = new URL(base)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => administer(base, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
