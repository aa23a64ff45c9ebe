// The text of a statement as PostgreSQL receives it, with the name of its prepared statement. The name is a digest of the
// text: a pooler that passes a connection on to another instance never runs another statement under the same name.

import { createHash } from 'node:crypto'
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
    const digest = createHash('sha256').update(text).digest('hex').slice(0, NAME_CHARS)
    const statement = { text, name: `adwire_${digest}` }
    statements.set(sql, statement)
    return statement
  }
}

/** Of the digest; PostgreSQL cuts names at 63 bytes. */
const NAME_CHARS = 32

/** The same texts without names: for a pooler in transaction mode that cannot prepare statements. */
export function unnamed(statements: Statements): Statements {
  return (sql) => ({ text: statements(sql).text })
}
