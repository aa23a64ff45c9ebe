// A database of the user's choice, for the entries that bring only some stores along. Its driver is loaded
// when it is wanted: a package of them may have been installed without.

import { driverFault } from './missing-driver.ts'
import type { Database } from './sql/database.ts'
import { migrate } from './sql/migrate.ts'
import { loadMigrations, type Owner } from './sql/migrations.ts'

/** One of the two. */
export type DatabaseOptions =
  | {
      /** Folder of a SQLite file, made when missing; one process at a time works with it. */
      dataDir: string
    }
  | {
      /** A PostgreSQL 14 or later; other tables in it are left alone. */
      databaseUrl: string
      /** The schema in which the tables of Adwire are made, and nothing else. Default `adwire`. */
      schema?: string
      /** Most connections. Default 10. */
      poolSize?: number
      /** Hears of connections that broke while nobody used them. Default: nobody. */
      onFault?: (error: Error) => void
    }

/** Throws where the driver of the database is not installed, and says which it is. */
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

/** The same, with the tables of these owners brought up to date, and no others. */
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
