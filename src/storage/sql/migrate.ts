// Migrates a database to the version of this program: numbered files of each owner, applied in order, each in a
// transaction of its own, under a lock that lets several instances start at once.

import { refuseMoved } from '../move/mark.ts'
import type { Database, Queryable } from './database.ts'
import { loadMigrations, type Migration } from './migrations.ts'
import { enterPlace, hasTables, prepareRecord, RECORD } from './own-place.ts'

/** The words of a migration file that each dialect writes differently. */
const SPELLING = {
  sqlite: {
    SERIAL_KEY: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    BYTES: 'BLOB',
    TEXT_C: 'TEXT',
    COMPUTED: 'VIRTUAL',
  },
  postgres: {
    SERIAL_KEY: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    BYTES: 'BYTEA',
    TEXT_C: 'TEXT COLLATE "C"',
    COMPUTED: 'STORED',
  },
} as const

/**
 * Applies missing migrations and returns their names. Throws for a database that takes part in a move, unless this is
 * that move.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = loadMigrations(),
  { isMove = false }: { isMove?: boolean } = {},
): Promise<string[]> {
  if (!isMove) await refuseMoved(database)
  await inPlace(database, prepareRecord)
  const applied: string[] = []
  const pending = new Set(await pendingOf(database.read, migrations))
  for (const migration of migrations) {
    if (pending.has(migration) && (await applyOnce(database, migration)))
      applied.push(migration.name)
  }
  await refuseNewer(database, migrations)
  return applied
}

/** The names of the migrations that `migrate` would apply; all of them for an empty database. */
export async function pendingMigrations(
  database: Database,
  migrations: readonly Migration[] = loadMigrations(),
): Promise<string[]> {
  const pending = (await hasTables(database))
    ? await pendingOf(database.read, migrations)
    : migrations
  return pending.map(({ name }) => name)
}

/** Those of `owners` whose tables the database has. */
export async function ownersIn<Name extends string>(
  { read }: Database,
  owners: readonly Name[],
): Promise<Name[]> {
  const rows = await read.all<{ owner: string }>(`SELECT DISTINCT owner FROM ${RECORD}`)
  return owners.filter((name) => rows.some(({ owner }) => owner === name))
}

async function pendingOf(
  read: Queryable,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const rows = await read.all<Pick<Migration, 'owner' | 'version'>>(
    `SELECT owner, version FROM ${RECORD}`,
  )
  const done = new Set(rows.map(({ owner, version }) => `${owner} ${version}`))
  return migrations.filter(({ owner, version }) => !done.has(`${owner} ${version}`))
}

function applyOnce(database: Database, { owner, version, name, sql }: Migration): Promise<boolean> {
  return inPlace(database, async (queries, now) => {
    const done = await queries.get(
      `SELECT version FROM ${RECORD} WHERE owner = $1 AND version = $2`,
      [owner, version],
    )
    if (done) return false
    for (const statement of statementsOf(sql, database.dialect)) await queries.run(statement)
    await queries.run(
      `INSERT INTO ${RECORD} (owner, version, name, applied_at) VALUES ($1, $2, $3, $4)`,
      [owner, version, name, await now()],
    )
    return true
  })
}

function inPlace<T>(
  database: Database,
  work: (queries: Queryable, now: () => Promise<number>) => Promise<T>,
): Promise<T> {
  return database.transact(async (tx) => {
    await tx.lock('migrations')
    return work(await enterPlace(database, tx), tx.now)
  })
}

/** Owners that this program does not use may be at any version. */
async function refuseNewer(database: Database, migrations: readonly Migration[]): Promise<void> {
  const rows = await database.read.all<{ owner: string; version: number }>(
    `SELECT owner, max(version) AS version FROM ${RECORD} GROUP BY owner ORDER BY owner`,
  )
  const known = new Map<string, number>()
  for (const { owner, version } of migrations) {
    known.set(owner, Math.max(version, known.get(owner) ?? 0))
  }
  const newer = rows.find(({ owner, version }) => version > (known.get(owner) ?? version))
  if (!newer) return
  throw new Error(
    `the database is at version ${newer.version} of ${newer.owner}, this program knows ${known.get(newer.owner)}: start the program that wrote it, or a newer one`,
  )
}

/** Statements end with a semicolon at the end of a line; `-- only: dialect` guards the next one. */
function statementsOf(sql: string, dialect: Database['dialect']): string[] {
  return sql
    .split(/;\s*\n/)
    .filter((statement) => {
      const only = /--\s*only:\s*(\w+)/.exec(statement)?.[1]
      return only === undefined || only === dialect
    })
    .map((statement) =>
      statement
        .replace(/^\s*--.*$/gm, '')
        .replace(
          /\b(SERIAL_KEY|BYTES|TEXT_C|COMPUTED)\b/g,
          (word) => SPELLING[dialect][word as 'BYTES'],
        )
        .trim(),
    )
    .filter((statement) => statement !== '')
}
