// Where a server keeps its data in a fault test: a folder or a PostgreSQL, which outlives the
// processes that are killed on it and can be looked into beside them.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../../../src/storage/postgres/open-postgres.ts'
import type { Database } from '../../../src/storage/sql/database.ts'
import { openSqlite } from '../../../src/storage/sqlite/open-sqlite.ts'
import type { Env } from '../cli.ts'
import { migratedPostgres, type StoreName } from '../databases.ts'

export interface Place {
  store: StoreName
  /** For `adwire …`. */
  args: readonly string[]
  env: Env
  /** For `openSenderStorage` of the library. */
  storage: { dataDir: string } | { databaseUrl: string }
  /** The tables, which a process must have made before. */
  database(): Database
  drop(): Promise<void>
}

export async function createPlace(store: StoreName): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), 'adwire-faults-'))
  const postgres = store === 'postgres' ? await migratedPostgres() : undefined
  let opened: Database | undefined
  const open = () => (postgres ? openPostgres({ url: postgres.url }) : openSqlite({ dataDir }))
  return {
    store,
    args: ['--data', dataDir],
    env: postgres ? { ADWIRE_DATABASE_URL: postgres.url } : {},
    storage: postgres ? { databaseUrl: postgres.url } : { dataDir },
    database: () => {
      opened ??= open()
      return opened
    },
    drop: async () => {
      await opened?.close()
      await postgres?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
