// Opens a database of the user's choice, for the entry points that contain only some of the stores. Its driver is
// loaded when needed, since a package may have been installed without it.

import { driverFault } from './missing-driver.ts'
import type { Database } from './sql/database.ts'
import { migrate } from './sql/migrate.ts'
import { loadMigrations, type Owner } from './sql/migrations.ts'

/** One of the two. */
export type DatabaseOptions =
  | {
      /** Folder of a SQLite file, created if missing; only one process uses it at a time. */
      dataDir: string
    }
  | {
      /** A PostgreSQL 14 or later; other tables in it are not touched. */
      databaseUrl: string
      /** The schema in which Adwire creates its tables, and nothing else. Default `adwire`. */
      schema?: string
      /** Most connections. Default 10. */
      poolSize?: number
      /** Called for connections that broke while idle. Default: ignored. */
      onFault?: (error: Error) => void
    }

/** Throws if the driver of the database is not installed, and names it. */
async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if ('dataDir' in options) {
    const { openSqlite } = await import('./sqlite/open-sqlite.ts').catch((error: unknown) => {
      throw driverFault(error, 'a SQLite file', '@photostructure/sqlite')
    })
    return openSqlite(options)
  }
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  const { databaseUrl: url, ...rest } = options
  return openPostgres({ url, ...rest })
}

/** The same, with the tables of these owners migrated, and no others. */
export async function openMigrated(
  options: DatabaseOptions,
  owners: readonly Owner[],
): Promise<Database> {
  const database = await openDatabase(options)
  try {
    await migrate(database, loadMigrations(owners))
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
