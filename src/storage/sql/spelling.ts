// The few words of SQL that the two databases spell differently. A store writes them with the helpers of `lists.ts`,
// `locks.ts` and `conditions.ts`, which put a marker such as `{{for_update}}` into the statement; the database replaces
// it when it first prepares the statement. So a store needs to know its database only where it works differently.

import type { Database } from './database.ts'

type Dialect = Database['dialect']
type Spell = (argument: string) => string

const SPELLINGS: Readonly<Record<Dialect, ReadonlyMap<string, Spell>>> = {
  sqlite: new Map<string, Spell>([
    // One writer: nothing has to be locked.
    ['for_update', () => ''],
    ['skip_locked', () => ''],
    ['among', () => 'IN ('],
    ['among_end', () => ')'],
    ['find', () => 'instr'],
    ['byte_length', () => 'length'],
    ['elements', (column) => `json_each(${column}) AS t`],
    ['values', (argument) => `(SELECT value FROM json_each(${argument.split(' ')[0]}))`],
    [
      'rows',
      (columns) => {
        const names = columns.split(', ').map((column) => column.split(' ')[0] as string)
        const values = names.map((name) => `value ->> '${name}' AS ${name}`)
        return `(SELECT ${values.join(', ')} FROM json_each($1))`
      },
    ],
  ]),
  postgres: new Map<string, Spell>([
    ['for_update', () => 'FOR UPDATE'],
    ['skip_locked', () => 'FOR UPDATE SKIP LOCKED'],
    // A query after `IN` may be run again for each row, which takes minutes for a few thousand; an array query runs once.
    ['among', () => '= ANY (ARRAY('],
    ['among_end', () => '))'],
    ['find', () => 'strpos'],
    ['byte_length', () => 'octet_length'],
    ['elements', (column) => `jsonb_array_elements_text(${column}::jsonb) AS t (value)`],
    [
      'values',
      (argument) => {
        const [place, ...type] = argument.split(' ')
        return `(SELECT CAST(value AS ${type.join(' ')}) FROM json_array_elements_text(CAST(${place} AS json)))`
      },
    ],
    [
      'rows',
      (columns) => `(SELECT * FROM json_to_recordset(CAST($1 AS json)) AS given(${columns}))`,
    ],
  ]),
}

const MARKER = /\{\{([a-z_]+)(?: ([^{}]*))?\}\}/g

/** The statement as this database reads it. */
export function spelled(dialect: Dialect, sql: string): string {
  return sql.replace(MARKER, (marker, name: string, argument = '') => {
    const spell = SPELLINGS[dialect].get(name)
    if (spell === undefined) throw new Error(`${marker} is not a known marker of a statement`)
    return spell(argument)
  })
}
