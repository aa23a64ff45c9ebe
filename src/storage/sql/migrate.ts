// Brings a database to the version this program was built for: plain numbered files, applied in
// order, each in a transaction of its own, under a lock that lets several instances start at once.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Database, SqlTransaction } from './database.ts'

export interface Migration {
  version: number
  name: string
  sql: string
}

/** The words of a migration file that each dialect spells in its own way. */
const SPELLING = {
  sqlite: { SERIAL_KEY: 'INTEGER PRIMARY KEY AUTOINCREMENT', BYTES: 'BLOB', TEXT_C: 'TEXT' },
  postgres: {
    SERIAL_KEY: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
    BYTES: 'BYTEA',
    TEXT_C: 'TEXT COLLATE "C"',
  },
} as const

/** Any number that all instances agree on: "adwire" in ASCII, cut to fit. */
const POSTGRES_LOCK = 0x61647769

/** @internal */
export function loadMigrations(): Migration[] {
  const folder = fileURLToPath(new URL('../migrations/', import.meta.url))
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      version: Number.parseInt(file, 10),
      name: file.replace(/\.sql$/, ''),
      sql: readFileSync(`${folder}/${file}`, 'utf8'),
    }))
}

/** Applies what is missing and returns the names of what it applied. */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = loadMigrations(),
): Promise<string[]> {
  await database.transact(async (tx) => {
    await lock(database, tx)
    await tx.run(
      'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)',
    )
  })
  const applied: string[] = []
  for (const migration of migrations) {
    if (await applyOnce(database, migration)) applied.push(migration.name)
  }
  await refuseNewer(database, migrations.at(-1)?.version ?? 0)
  return applied
}

/** The names of what `migrate` would apply to a database that has been migrated before. */
export async function pendingMigrations(
  { read }: Database,
  migrations: readonly Migration[] = loadMigrations(),
): Promise<string[]> {
  const rows = await read.all<{ version: number }>('SELECT version FROM schema_migrations')
  const done = new Set(rows.map(({ version }) => version))
  return migrations.filter(({ version }) => !done.has(version)).map(({ name }) => name)
}

function applyOnce(database: Database, migration: Migration): Promise<boolean> {
  return database.transact(async (tx) => {
    await lock(database, tx)
    const done = await tx.get('SELECT version FROM schema_migrations WHERE version = $1', [
      migration.version,
    ])
    if (done) return false
    for (const statement of statementsOf(migration.sql, database.dialect)) await tx.run(statement)
    await tx.run('INSERT INTO schema_migrations (version, name, applied_at) VALUES ($1, $2, $3)', [
      migration.version,
      migration.name,
      await tx.now(),
    ])
    return true
  })
}

async function refuseNewer(database: Database, newest: number): Promise<void> {
  const row = await database.read.get<{ version: number }>(
    'SELECT max(version) AS version FROM schema_migrations',
  )
  if ((row?.version ?? 0) <= newest) return
  throw new Error(
    `the database is at version ${row?.version}, this program knows ${newest}: start the program that wrote it, or a newer one`,
  )
}

// SQLite needs no lock of its own: its transactions are immediate, and there is one writer.
async function lock(database: Database, tx: SqlTransaction): Promise<void> {
  if (database.dialect === 'postgres')
    await tx.get('SELECT pg_advisory_xact_lock($1)', [POSTGRES_LOCK])
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
        .replace(/\b(SERIAL_KEY|BYTES|TEXT_C)\b/g, (word) => SPELLING[dialect][word as 'BYTES'])
        .trim(),
    )
    .filter((statement) => statement !== '')
}
