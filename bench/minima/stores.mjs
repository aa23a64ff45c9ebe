// A table with the least statements, for each database: rows are written in shared commits that reach the disk.
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import pg from 'pg'

/** @param {{ dataDir?: string, databaseUrl?: string }} where */
export async function openMinimalStore(where, statements) {
  return where.databaseUrl ? openPostgres(where, statements) : openSqlite(where, statements)
}

function openSqlite({ dataDir }, { create, sqlite }) {
  const database = new DatabaseSync(join(dataDir, 'minimum.db'))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  for (const statement of create) database.exec(statement)
  const prepared = sqlite(database)
  return {
    commit: (work) => {
      database.exec('BEGIN IMMEDIATE')
      const result = work(prepared)
      database.exec('COMMIT')
      return result
    },
    close: () => database.close(),
  }
}

async function openPostgres({ databaseUrl }, { create, postgres }) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  for (const statement of create) await pool.query(statement)
  const prepared = postgres((text, values) => pool.query(text, values))
  return { commit: (work) => work(prepared), close: () => pool.end() }
}

/** Calls `flush` with all that was added since the last flush, one flush at a time. */
export function inGroups(flush) {
  let waiting = []
  let isFlushing = false
  const run = async () => {
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      const results = await flush(group.map(({ item }) => item))
      for (const [index, { resolve }] of group.entries()) resolve(results?.[index])
    }
    isFlushing = false
  }
  return (item) =>
    new Promise((resolve) => {
      waiting.push({ item, resolve })
      if (isFlushing) return
      isFlushing = true
      setImmediate(run)
    })
}
