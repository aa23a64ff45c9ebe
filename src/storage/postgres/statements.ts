// The text of a statement as PostgreSQL receives it, with the name of its prepared statement.

import { spelled } from '../sql/spelling.ts'
import { qualify } from './qualify.ts'

interface Statement {
  text: string
  /** Absent for texts that are not prepared. */
  name?: string
}

export type Statements = (sql: string) => Statement

/** Longer texts are bulk inserts of many shapes: preparing each would fill the server's memory. */
const MAX_PREPARED_CHARS = 3_000
const MAX_STATEMENTS = 2_000

/** Statements of the stores, on the tables in one schema. */
export function statementsIn(schema: string): Statements {
  const known = bySchema.get(schema)
  if (known) return known
  const statements = remembered((sql) => qualify(spelled('postgres', sql), schema))
  bySchema.set(schema, statements)
  return statements
}

const bySchema = new Map<string, Statements>()

/** The caller's own statements, unchanged. */
export const unqualified: Statements = remembered((sql) => sql)

/** One name per text, so that each connection parses and plans a statement once. */
function remembered(textOf: (sql: string) => string): Statements {
  const statements = new Map<string, Statement>()
  return (sql) => {
    const known = statements.get(sql)
    if (known) return known
    const text = textOf(sql)
    if (sql.length > MAX_PREPARED_CHARS) return { text }
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    const statement = { text, name: `adwire_${process.pid}_${nextName++}` }
    statements.set(sql, statement)
    return statement
  }
}

let nextName = 1
