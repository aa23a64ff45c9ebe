// What a database contains, read from its own catalogue: tables, columns, keys and sequences. A move takes its list from
// here, so that a table that a later migration adds is moved without anybody listing it.

import type { Database, Queryable } from '../sql/database.ts'
import { RECORD } from '../sql/own-place.ts'
import { MARK, PROGRESS } from './mark.ts'

export interface Table {
  name: string
  /** Those that are stored, in alphabetical order; the database computes the others. */
  columns: readonly string[]
  /** The primary key, in its order. */
  key: readonly string[]
  /** Columns of text or bytes, whose size varies. */
  wide: readonly string[]
  /** Columns of text, which PostgreSQL might sort by the rules of a language. */
  texts: readonly string[]
  /** The column that the database numbers, if there is one. */
  numbered: string | undefined
}

interface ColumnRow {
  table_name: string
  name: string
  type: string
  key_place: number
  is_numbered: number
}

interface Reference {
  child: string
  parent: string
}

/** The records of migrations and moves, which each database has for itself. */
const OWN = new Set([RECORD, MARK, PROGRESS])

/** All tables with data, each after those that it refers to. Throws for a table without a primary key. */
export async function tablesIn(database: Database): Promise<Table[]> {
  const { read, schema } = database
  const rows =
    schema === undefined
      ? await read.all<ColumnRow>(SQLITE_COLUMNS)
      : await read.all<ColumnRow>(POSTGRES_COLUMNS, [schema])
  const names = [...new Set(rows.map((row) => row.table_name))].filter((name) => !OWN.has(name))
  const tables = names.map((name) =>
    tableOf(
      name,
      rows.filter((row) => row.table_name === name),
    ),
  )
  return inOrder(tables, await referencesIn(read, schema))
}

function tableOf(name: string, rows: readonly ColumnRow[]): Table {
  const key = rows
    .filter((row) => row.key_place > 0)
    .toSorted((a, b) => a.key_place - b.key_place)
    .map((row) => row.name)
  if (key.length === 0)
    throw new Error(`the table ${name} has no primary key, so it cannot be moved`)
  const typed = (pattern: RegExp) =>
    rows.filter(({ type }) => pattern.test(type)).map((row) => row.name)
  return {
    name,
    columns: rows.map((row) => row.name).toSorted(),
    key,
    wide: typed(/^(text|blob|bytea)$/i),
    texts: typed(/^text$/i),
    numbered: rows.find((row) => row.is_numbered === 1)?.name,
  }
}

const SQLITE_COLUMNS = `SELECT t.name AS table_name, c.name AS name, c.type AS type, c.pk AS key_place,
    CASE WHEN c.pk = 1 AND instr(t.sql, 'AUTOINCREMENT') > 0 THEN 1 ELSE 0 END AS is_numbered
  FROM sqlite_master t, pragma_table_xinfo(t.name) c
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite|_%' ESCAPE '|' AND c.hidden = 0
  ORDER BY t.name, c.cid`

const POSTGRES_COLUMNS = `SELECT t.relname AS table_name, a.attname AS name, format_type(a.atttypid, NULL) AS type,
    coalesce(array_position(k.conkey, a.attnum), 0) AS key_place,
    CASE WHEN a.attidentity <> '' THEN 1 ELSE 0 END AS is_numbered
  FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
  JOIN pg_attribute a ON a.attrelid = t.oid
  LEFT JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'p'
  WHERE n.nspname = $1 AND t.relkind IN ('r', 'p') AND NOT t.relispartition
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  ORDER BY t.relname, a.attnum`

function referencesIn(read: Queryable, schema: string | undefined): Promise<Reference[]> {
  if (schema === undefined) {
    return read.all<Reference>(`SELECT t.name AS child, f."table" AS parent
      FROM sqlite_master t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'`)
  }
  return read.all<Reference>(
    `SELECT t.relname AS child, p.relname AS parent FROM pg_constraint k
     JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid
     JOIN pg_namespace n ON n.oid = t.relnamespace WHERE k.contype = 'f' AND n.nspname = $1`,
    [schema],
  )
}

/** By name, and behind the tables that it refers to. */
function inOrder(tables: readonly Table[], references: readonly Reference[]): Table[] {
  const waiting = new Map(tables.toSorted(byName).map((table) => [table.name, table]))
  const ordered: Table[] = []
  while (waiting.size > 0) {
    const next = [...waiting.values()].find(
      ({ name }) =>
        !references.some(
          ({ child, parent }) => child === name && parent !== name && waiting.has(parent),
        ),
    )
    if (!next) throw new Error(`tables refer to each other in a circle: ${[...waiting.keys()]}`)
    waiting.delete(next.name)
    ordered.push(next)
  }
  return ordered
}

function byName(a: Table, b: Table): number {
  return a.name < b.name ? -1 : 1
}

/** What the source and the target do not have alike, as a sentence; undefined if nothing. */
export function differenceOf(from: readonly Table[], to: readonly Table[]): string | undefined {
  const there = new Map(to.map((table) => [table.name, table]))
  for (const { name, columns, key } of from) {
    const other = there.get(name)
    if (!other) return `the target has no table ${name}`
    if (`${columns}` !== `${other.columns}` || `${key}` !== `${other.key}`) {
      return `the table ${name} has other columns in the target`
    }
  }
  const more = to.find(({ name }) => !from.some((table) => table.name === name))
  return more && `the source has no table ${more.name}`
}
