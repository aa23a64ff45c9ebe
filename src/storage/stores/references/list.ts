// The list of references, page by page, by key. A page starts where the previous one ended, in index order, so
// the last page costs as much as the first. A filter without an index of its own scans a bounded number of
// references at a time; a page with few matches returns where to continue.

import { cursorOf, NO_CURSOR, readCursor } from '../../../protocol/cursor.ts'
import type { ReferenceRecord } from '../../../protocol/manifest-reference.ts'
import {
  LIST_LIMITS,
  type ReferenceFilter,
  type ReferencePage,
} from '../../../registry/list-references.ts'
import type { Database, SqlValue } from '../../sql/database.ts'
import { RANKING } from './best-reference.ts'
import { AFTER_PREFIX } from './search.ts'

export interface ListShape<Row> {
  /** What a row is read from. */
  columns: string
  recordOf(row: Row): ReferenceRecord
  /** References that a page examines for its filter. Default 1 000. */
  lookedAt?: number
  /** References that are counted for the total. Default 10 000. */
  counted?: number
}

interface Key {
  column: string
  /** How what comes later compares. */
  later: '>' | '<'
}

const ORDER = `domain, manifest_type, ${RANKING}`
const KEYS: readonly Key[] = ORDER.split(', ').map((term) => {
  const [column = '', direction] = term.split(' ')
  return { column, later: direction === 'DESC' ? '<' : '>' }
})
const KEY_COLUMNS = KEYS.map(({ column }) => column)
const FILTERS = ['manifest_type', 'verification_status', 'contributed_by_org_id'] as const
/** What a scan has to read: the columns of the order and of the filters. */
const LOOKED_AT = [...new Set([...KEY_COLUMNS, ...FILTERS])].join(', ')

type Place = readonly (string | number)[]
type KeyRow = Record<string, string | number>

export async function listReferences<Row>(
  { read }: Pick<Database, 'read'>,
  filter: ReferenceFilter,
  {
    columns,
    recordOf,
    lookedAt = LIST_LIMITS.lookedAt.value,
    counted = LIST_LIMITS.counted.value,
  }: ListShape<Row>,
): Promise<ReferencePage> {
  const after = filter.cursor === undefined ? undefined : placeOf(filter.cursor)
  if (filter.cursor !== undefined && !after) throw new TypeError(NO_CURSOR)
  const { sql, params } = pageOf(filter, after, lookedAt)
  const rows = await read.all<Row & KeyRow>(
    `${sql} SELECT ${columns}, ${KEY_COLUMNS.join(', ')}, is_end
     FROM page JOIN manifest_references ON id = page_id ORDER BY is_end, ${ORDER}`,
    params,
  )
  const found = rows.filter(({ is_end }) => is_end === 0)
  const returned = found.slice(0, filter.limit)
  const [end, beyond] = rows.slice(found.length)
  const next = found.length > filter.limit ? returned.at(-1) : beyond && end
  return {
    references: returned.map(recordOf),
    ...(await totalOf(read, filter, counted)),
    cursor: next ? cursorAt(next) : null,
  }
}

/**
 * `page`: the ids of a page and of one more, and where the scan ended: the last reference that was read and, if there
 * is one, the next. The statement text does not depend on the numbers.
 */
function pageOf(
  filter: ReferenceFilter,
  after: Place | undefined,
  lookedAt: number,
): { sql: string; params: SqlValue[] } {
  const { limit, offset = 0 } = filter
  const params: SqlValue[] = []
  const param = (value: SqlValue) => `$${params.push(value)}`
  const isFiltered = FILTERS.some((column) => filter[column] !== undefined)
  const rows = param(isFiltered ? lookedAt + 1 : offset + limit + 1)
  const within = domainTerms(filter, params)
  const from = scanOf({ within, after: after?.map(param), rows })
  const terms = filterTerms(filter, params)
  const where = terms.length > 0 ? `WHERE ${terms.join(' AND ')}` : ''
  const page = `SELECT id AS page_id, 0 AS is_end FROM looked_at ${where}
    ORDER BY ${ORDER} LIMIT ${param(limit + 1)} OFFSET ${param(offset)}`
  const end = `SELECT id AS page_id, 1 AS is_end FROM looked_at
    ORDER BY ${ORDER} LIMIT 2 OFFSET ${lookedAt - 1}`
  const both = `SELECT * FROM (${page}) AS found UNION ALL SELECT * FROM (${end}) AS ended`
  return {
    sql: `WITH looked_at AS MATERIALIZED (${from}), page AS (${isFiltered ? both : page})`,
    params,
  }
}

/** The references after a position, up to a limit. `after` and `rows` are parameters. */
function scanOf({
  within,
  after,
  rows,
}: {
  within: readonly string[]
  after: readonly string[] | undefined
  rows: string
}): string {
  const scan = (conditions: readonly string[]) =>
    `SELECT ${LOOKED_AT} FROM manifest_references
     ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
     ORDER BY ${ORDER} LIMIT ${rows}`
  if (!after) return scan(within)
  // Later means: equal in the first keys and greater in the next one. Each of these cases is one range.
  const parts = KEYS.map(({ column, later }, index) => {
    const equal = KEYS.slice(0, index).map((key, at) => `${key.column} = ${after[at]}`)
    const beyond = `${column} ${later} ${after[index]}`
    return `SELECT * FROM (${scan([...within, ...equal, beyond])}) AS part_${index}`
  })
  return `SELECT * FROM (${parts.join(' UNION ALL ')}) AS later ORDER BY ${ORDER} LIMIT ${rows}`
}

/** The leading values of the order, so that a page begins where they do. */
function domainTerms({ domain, prefix }: ReferenceFilter, params: SqlValue[]): string[] {
  const term = (sign: string, value: string) => `domain ${sign} $${params.push(value)}`
  return [
    ...(domain === undefined ? [] : [term('=', domain)]),
    ...(prefix === undefined ? [] : [term('>=', prefix), term('<', prefix + AFTER_PREFIX)]),
  ]
}

function filterTerms(filter: ReferenceFilter, params: SqlValue[]): string[] {
  return FILTERS.filter((column) => filter[column] !== undefined).map(
    (column) => `${column} = $${params.push(filter[column] as string)}`,
  )
}

/** Counts the matches among a limited number of references, in any order; exact when there are no more. */
async function totalOf(
  read: Database['read'],
  filter: ReferenceFilter,
  counted: number,
): Promise<Pick<ReferencePage, 'total' | 'total_is_exact'>> {
  const params: SqlValue[] = []
  const domains = domainTerms(filter, params)
  const within = domains.length > 0 ? `WHERE ${domains.join(' AND ')}` : ''
  const terms = filterTerms(filter, params)
  const columns = terms.length > 0 ? FILTERS.join(', ') : '1'
  const matches = terms.length > 0 ? terms.join(' AND ') : '1 = 1'
  const row = await read.get<{ total: number; seen: number }>(
    `SELECT count(*) AS seen, coalesce(sum(CASE WHEN ${matches} THEN 1 ELSE 0 END), 0) AS total
     FROM (SELECT ${columns} FROM manifest_references ${within} LIMIT ${counted + 1}) AS counted`,
    params,
  )
  const isExact = Number(row?.seen ?? 0) <= counted
  return { total: Number(row?.total ?? 0), total_is_exact: isExact }
}

function cursorAt(row: KeyRow): string {
  return cursorOf(
    LIST,
    KEY_COLUMNS.map((column) => row[column] as string | number),
  )
}

export function isCursor(cursor: string): boolean {
  return placeOf(cursor) !== undefined
}

/** Undefined if we did not issue it. */
function placeOf(cursor: string): Place | undefined {
  return readCursor(LIST, cursor, KEY_KINDS)
}

const LIST = 'manifest-refs'
const TEXT_KEYS: ReadonlySet<string> = new Set(['domain', 'manifest_type', 'id'])
const KEY_KINDS = KEY_COLUMNS.map((column) => (TEXT_KEYS.has(column) ? 'text' : 'integer'))
