// Checks a database file in a separate process, and prints what it found: see find-damage-elsewhere.ts. It lists
// every problem, which takes a prepared statement, so the connection is only closed when the process ends.

import { DatabaseSync } from '@photostructure/sqlite'
import { type Check, type Depth, damageIn, orDamage, problemsOf } from './integrity.ts'

const MAX_LISTED = 100_000
/** Enough to say what it is about. */
const MAX_PRINTED = 1_000

const [path = '', depth = 'quick'] = process.argv.slice(2)
const connection = new DatabaseSync(path, { timeout: 5_000 })
const rows = (columns: string, from: string) =>
  connection
    .prepare(`SELECT ${columns} FROM ${from}`)
    .all()
    .map((row) => Object.values(row) as (string | number)[])
const check = (name: Check) =>
  connection
    .prepare(`PRAGMA ${name}(${MAX_LISTED})`)
    .all()
    .map((row) => String(Object.values(row)[0]))

const damage = orDamage(() => {
  connection.exec('PRAGMA query_only = ON')
  return damageIn({ rows }, problemsOf(check, depth as Depth), MAX_LISTED)
})
const printed = damage && { ...damage, problems: damage.problems.slice(0, MAX_PRINTED) }
process.stdout.write(JSON.stringify({ damage: printed ?? null }))
