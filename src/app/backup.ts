// Backups for an operator: one file with a manifest next to it, made while servers run. A backup is restored where
// there is no database, or in place of one that is kept under another name.

import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { createLog } from '../lib/log.ts'
import { dumpSchema, restoreSchema } from '../storage/postgres/dump-tools.ts'
import { DEFAULT_SCHEMA } from '../storage/postgres/schema-name.ts'
import { hasTables } from '../storage/sql/own-place.ts'
import { copyDatabase } from '../storage/sqlite/copy-database.ts'
import { SQLITE_FILE } from '../storage/sqlite/database-file.ts'
import { OWNER_ONLY } from '../storage/sqlite/private-files.ts'
import { putDatabase, SKIPPED_IDS } from '../storage/sqlite/put-database.ts'
import { takeServeLock } from '../storage/sqlite/serve-lock.ts'
import { readEnvironment } from './env.ts'
import { openDatabase, type StorageConfig } from './open-storage.ts'
import { VERSION } from './version.ts'

const MANIFEST = z.object({
  format: z.literal('adwire-backup/1'),
  store: z.enum(['sqlite', 'postgres']),
  created_at: z.iso.datetime(),
  adwire: z.string(),
  file: z.string(),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The schema of a PostgreSQL. */
  schema: z.string().optional(),
  /** Rows of each table of a SQLite file. */
  tables: z.record(z.string(), z.int().nonnegative()).optional(),
})

export type BackupManifest = z.infer<typeof MANIFEST>

export interface Restored {
  manifest: BackupManifest
  /** The new location of the database that was there before. */
  replacedFile?: string | undefined
}

export function manifestFileOf(file: string): string {
  return `${file}.manifest.json`
}

/** Throws if the file exists: a backup is never overwritten. */
export async function backUp(config: StorageConfig, file: string): Promise<BackupManifest> {
  for (const path of [file, manifestFileOf(file)]) {
    if (existsSync(path)) throw new Error(`${path} exists: choose another name for the backup`)
  }
  const made =
    config.databaseUrl === undefined
      ? { store: 'sqlite' as const, tables: await copyDatabase(databaseIn(config.data), file) }
      : await dumpPostgres(config, config.databaseUrl, file)
  const manifest: BackupManifest = {
    format: 'adwire-backup/1',
    created_at: new Date().toISOString(),
    adwire: VERSION,
    file: basename(file),
    bytes: statSync(file).size,
    sha256: await digestOf(file),
    ...made,
  }
  writeFileSync(manifestFileOf(file), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: OWNER_ONLY,
    flag: 'wx',
    flush: true,
  })
  return manifest
}

/** Throws without changing anything if the file does not match its manifest or something is in the way. */
export async function restore(
  config: StorageConfig,
  file: string,
  { replace = false }: { replace?: boolean } = {},
): Promise<Restored> {
  const manifest = await checkedManifest(file)
  const isPostgres = config.databaseUrl !== undefined
  if (isPostgres !== (manifest.store === 'postgres')) {
    throw new Error(
      isPostgres
        ? `${file} is a backup of SQLite: leave --database-url out and name a folder with --data`
        : `${file} is a backup of PostgreSQL: name the database with --database-url`,
    )
  }
  if (config.databaseUrl !== undefined) {
    await restorePostgres(config, config.databaseUrl, { file, manifest, replace })
    return { manifest }
  }
  const lock = takeServeLock(config.data)
  if (!lock.ok) throw new Error(lock.message)
  try {
    const { replacedFile, tables } = putDatabase(resolve(file), config.data, { replace })
    const lost = Object.entries(manifest.tables ?? {}).find(([name, rows]) => tables[name] !== rows)
    if (lost) throw new Error(`the table ${lost[0]} has ${tables[lost[0]]} rows, not ${lost[1]}`)
    return { manifest, replacedFile }
  } finally {
    lock.release()
  }
}

async function dumpPostgres(config: StorageConfig, url: string, file: string) {
  const schema = config.databaseSchema ?? DEFAULT_SCHEMA
  await withDatabase(config, async (database) => {
    if (await hasTables(database)) return
    throw new Error(`the schema ${schema} of the database has no tables of Adwire`)
  })
  writeFileSync(file, '', { mode: OWNER_ONLY, flag: 'wx' })
  await dumpSchema({ url, schema, environment: readEnvironment() }, file)
  return { store: 'postgres' as const, schema }
}

interface PostgresBackup {
  file: string
  manifest: BackupManifest
  replace: boolean
}

async function restorePostgres(
  config: StorageConfig,
  url: string,
  { file, manifest, replace }: PostgresBackup,
): Promise<void> {
  const schema = config.databaseSchema ?? DEFAULT_SCHEMA
  if (manifest.schema !== schema) {
    throw new Error(
      `${file} is a backup of the schema ${manifest.schema}: set --database-schema ${manifest.schema} (it is ${schema})`,
    )
  }
  await withDatabase(config, async (database) => {
    if (!(await hasTables(database))) return
    throw new Error(
      replace
        ? `--replace is for SQLite: drop or rename the schema ${schema} yourself, then restore`
        : `the schema ${schema} has tables of Adwire: restore into an empty database, or drop or rename the schema`,
    )
  })
  await restoreSchema({ url, schema, environment: readEnvironment() }, file)
  await withDatabase(config, (database) =>
    database.transact(async ({ unqualified }) => {
      const sequences = await unqualified.all<{ name: string }>(
        `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c
         JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'S' AND n.nspname = $1`,
        [schema],
      )
      for (const { name } of sequences) {
        await unqualified.get(
          `SELECT setval($1::regclass, (SELECT last_value FROM ${name}) + ${SKIPPED_IDS})`,
          [name],
        )
      }
    }),
  )
}

async function withDatabase<T>(
  config: StorageConfig,
  work: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(config, createLog({ level: 'silent' }))
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function checkedManifest(file: string): Promise<BackupManifest> {
  const path = manifestFileOf(file)
  for (const needed of [file, path]) {
    if (!existsSync(needed)) throw new Error(`${needed} was not found`)
  }
  const manifest = readManifest(path)
  const bytes = statSync(file).size
  if (bytes !== manifest.bytes) {
    throw new Error(`${file} has ${bytes} bytes, but its manifest records ${manifest.bytes}`)
  }
  if ((await digestOf(file)) !== manifest.sha256) {
    throw new Error(
      `${file} was changed after it was made: its SHA-256 is not that of its manifest`,
    )
  }
  return manifest
}

function readManifest(path: string): BackupManifest {
  try {
    return MANIFEST.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new Error(`${path} is not the manifest of a backup`, { cause: error })
  }
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

function databaseIn(dataDir: string): string {
  const path = join(dataDir, SQLITE_FILE)
  if (!existsSync(path)) throw new Error(`no database at ${dataDir}: give its folder with --data`)
  return path
}
