// A connection to a database file that is really closed when the work has ended. The driver keeps a connection open
// until all its prepared statements have been garbage collected, and SQLite closes such a connection much later: it
// would then remove the log by its path, which may belong to another file by then. So nothing is prepared here.

import { DatabaseSync } from '@photostructure/sqlite'

export interface FileConnection {
  exec(sql: string): void
  /** The values of these columns, for each row of the given FROM clause. */
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

/** A table or column name, quoted for SQL. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
