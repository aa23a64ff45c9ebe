// An owner's creatives in SQL, filtered, sorted and in pages. A page begins after the last creative of
// the one before, so what is added in between shifts nothing.

import type {
  CreativeFilter,
  CreativePage,
  CreativeQuery,
  CreativeSortField,
  StoredCreative,
} from '../../../creative/library-store.ts'
import { defined } from '../../../lib/defined.ts'
import type { CreativeStatus } from '../../../protocol/schemas/creative-library.ts'
import type { Database, SqlValue } from '../../sql/database.ts'
import { isIn, isStorable, listed } from '../tasks/list.ts'

export const COLUMNS = `creative_id, name, format_id, format_key, status, assets, tags, concept_id,
  concept_name, others, assignment_count, created_at, updated_at, bytes`

export interface CreativeRow {
  creative_id: string
  name: string
  format_id: string
  format_key: string
  status: CreativeStatus
  assets: string
  tags: string
  concept_id: string | null
  concept_name: string | null
  others: string
  assignment_count: number
  created_at: number
  updated_at: number
  bytes: number
}

const SORTED: Record<CreativeSortField, string> = {
  created_date: 'created_at',
  updated_date: 'updated_at',
  name: 'name_folded',
  status: 'status',
  assignment_count: 'assignment_count',
}

export async function listCreatives(
  { dialect, read }: Database,
  owner: string,
  { filter, sort, limit, after }: CreativeQuery,
): Promise<CreativePage> {
  const params: SqlValue[] = [owner]
  const conditions = ['owner = $1', ...conditionsOf(dialect, filter, params)]
  const counts = await read.all<{ status: string; format_key: string; n: number }>(
    `SELECT status, format_key, count(*) AS n FROM creatives WHERE ${conditions.join(' AND ')}
     GROUP BY status, format_key ORDER BY status, format_key`,
    params,
  )
  const column = SORTED[sort.field]
  const direction = sort.direction === 'asc' ? 'ASC' : 'DESC'
  if (after) {
    const sign = sort.direction === 'asc' ? '>' : '<'
    params.push(after.value, after.creative_id)
    conditions.push(`(${column}, creative_id) ${sign} ($${params.length - 1}, $${params.length})`)
  }
  const rows = await read.all<CreativeRow>(
    `SELECT ${COLUMNS} FROM creatives WHERE ${conditions.join(' AND ')}
     ORDER BY ${column} ${direction}, creative_id ${direction} LIMIT $${params.length + 1}`,
    [...params, limit + 1],
  )
  return {
    creatives: rows.slice(0, limit).map(creativeOf),
    hasMore: rows.length > limit,
    total: counts.reduce((sum, { n }) => sum + n, 0),
    byStatus: totalsOf(counts, 'status'),
    byFormat: totalsOf(counts, 'format_key'),
  }
}

function conditionsOf(
  dialect: Database['dialect'],
  filter: CreativeFilter,
  params: SqlValue[],
): string[] {
  const conditions: string[] = []
  const add = (value: SqlValue | undefined, condition: (place: number) => string) => {
    if (value !== undefined) conditions.push(condition(params.push(value)))
  }
  const addList = (values: readonly string[] | undefined, column: string) =>
    add(values && listedTexts(values), (place) => isIn(dialect, column, place))
  addList(filter.creative_ids, 'creative_id')
  addList(filter.statuses, 'status')
  addList(filter.formatKeys, 'format_key')
  addList(filter.concept_ids, 'concept_id')
  const tag = dialect === 'postgres' ? 'jsonb_array_elements_text(tags::jsonb)' : 'json_each(tags)'
  const named = (place: number) =>
    dialect === 'postgres'
      ? `EXISTS (SELECT 1 FROM ${tag} AS t (value) WHERE ${isIn(dialect, 't.value', place)})`
      : `EXISTS (SELECT 1 FROM ${tag} AS t WHERE ${isIn(dialect, 't.value', place)})`
  add(filter.tagsAny && listedTexts(filter.tagsAny), named)
  for (const wanted of filter.tagsAll ?? []) add(listedTexts([wanted]), named)
  const { nameContains: sought } = filter
  if (sought !== undefined && !isStorable(sought)) conditions.push('1 = 0')
  else {
    add(sought?.toLowerCase(), (place) =>
      dialect === 'postgres'
        ? `strpos(name_folded, $${place}) > 0`
        : `instr(name_folded, $${place}) > 0`,
    )
  }
  if (filter.isAssigned !== undefined) {
    conditions.push(filter.isAssigned ? 'assignment_count > 0' : 'assignment_count = 0')
  }
  add(filter.createdAfter, (place) => `created_at > $${place}`)
  add(filter.createdBefore, (place) => `created_at < $${place}`)
  add(filter.updatedAfter, (place) => `updated_at > $${place}`)
  add(filter.updatedBefore, (place) => `updated_at < $${place}`)
  return conditions
}

/** Half a character is in no stored text, and PostgreSQL takes no JSON that has one. */
export function listedTexts(texts: readonly string[]): string {
  return listed(texts.filter((text) => !/\p{Surrogate}/u.test(text)))
}

function totalsOf(
  counts: readonly { status: string; format_key: string; n: number }[],
  by: 'status' | 'format_key',
): Record<string, number> {
  const totals = new Map<string, number>()
  for (const count of counts) totals.set(count[by], (totals.get(count[by]) ?? 0) + count.n)
  return Object.fromEntries(totals)
}

export function creativeOf(row: CreativeRow): StoredCreative {
  return {
    creative_id: row.creative_id,
    name: row.name,
    format_id: JSON.parse(row.format_id) as StoredCreative['format_id'],
    formatKey: row.format_key,
    status: row.status,
    assets: JSON.parse(row.assets) as StoredCreative['assets'],
    tags: JSON.parse(row.tags) as string[],
    ...defined({
      concept_id: row.concept_id ?? undefined,
      concept_name: row.concept_name ?? undefined,
    }),
    others: JSON.parse(row.others) as Record<string, unknown>,
    assignment_count: row.assignment_count,
    created_at: row.created_at,
    updated_at: row.updated_at,
    bytes: row.bytes,
  }
}
