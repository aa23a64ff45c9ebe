// A connection to a database file that is really closed when the work has ended. The driver keeps a connection open until
// every statement that was prepared on it has been collected, and SQLite closes such a connection much later: it would
// then remove the log by its path, which may be that of another file by now. So nothing is prepared here.

import { DatabaseSync } from '@photostructure/sqlite'

export interface FileConnection {
  exec(sql: string): void
  /** The values of these columns in each row of what follows FROM. */
  rows(columns: string, from: string): Value[][]
}

type Value = string | number | null

export function closedAfter<T>(path: string, work: (connection: FileConnection) => T): T {
  const connection = new DatabaseSync(path, { timeout: 5_000 })
  let emitted: Value[][] = []
  connection.function('emit', { varargs: true }, (...values: unknown[]) => {
    emitted.push(values as Value[])
    return null
  })
  try {
    return work({
      exec: (sql) => connection.exec(sql),
      rows: (columns, from) => {
        emitted = []
        connection.exec(`SELECT emit(${columns}) FROM ${from}`)
        return emitted
      },
    })
  } finally {
    connection.close()
  }
}

/** A text as it is written in SQL. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** The name of a table or column as it is written in SQL. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
