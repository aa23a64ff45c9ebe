// Reads in one turn of the event loop share a snapshot: acquiring and releasing SQLite's read lock costs as much as a
// lookup, and under load many lookups run in one turn. A commit of this process ends the snapshot, so a caller that
// was notified of a commit also sees it; one of another process is seen a turn later.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Queryable } from '../sql/database.ts'

export interface TurnSnapshot {
  read: Queryable
  /** Makes the next read see everything committed so far. */
  end(): void
}

const refuse = () => Promise.reject(new Error('changes belong into a transaction'))

export function turnSnapshot(connection: DatabaseSyncInstance, queries: Queryable): TurnSnapshot {
  const beginning = connection.prepare('BEGIN')
  const ending = connection.prepare('COMMIT')
  let open = false
  const end = () => {
    if (!open) return
    open = false
    // After an error, such as an unreadable page, SQLite may have ended it already, or may report the error again.
    try {
      if (connection.isTransaction) ending.run()
    } catch {
      if (connection.isTransaction) connection.exec('ROLLBACK')
    }
  }
  const begin = () => {
    if (open) return
    beginning.run()
    open = true
    setImmediate(end)
  }
  return {
    end,
    read: {
      all: (sql, params) => {
        begin()
        return queries.all(sql, params)
      },
      get: (sql, params) => {
        begin()
        return queries.get(sql, params)
      },
      run: refuse,
      runEach: refuse,
    },
  }
}
