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
import { type Conditions, createConditions } from '../../sql/conditions.ts'
import type { Database } from '../../sql/database.ts'
import { countBy, readPage } from '../../sql/pages.ts'

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
  const conditions = conditionsOf(dialect, owner, filter)
  const counts = await countBy(read, {
    from: 'creatives',
    conditions,
    by: ['status', 'format_key'],
  })
  const { rows, hasMore } = await readPage<CreativeRow>(read, {
    select: `SELECT ${COLUMNS} FROM creatives`,
    conditions,
    keys: [SORTED[sort.field], 'creative_id'],
    direction: sort.direction,
    after: after && [after.value, after.creative_id],
    limit,
  })
  return {
    creatives: rows.map(creativeOf),
    hasMore,
    total: counts.total,
    byStatus: counts.of.status,
    byFormat: counts.of.format_key,
  }
}

function conditionsOf(
  dialect: Database['dialect'],
  owner: string,
  filter: CreativeFilter,
): Conditions {
  const { isAssigned } = filter
  const conditions = createConditions(dialect)
  conditions.is('owner =', owner)
  conditions.isIn('creative_id', filter.creative_ids)
  conditions.isIn('status', filter.statuses)
  conditions.isIn('format_key', filter.formatKeys)
  conditions.isIn('concept_id', filter.concept_ids)
  conditions.overlaps('tags', filter.tagsAny)
  for (const wanted of filter.tagsAll ?? []) conditions.overlaps('tags', [wanted])
  conditions.contains('name_folded', filter.nameContains?.toLowerCase())
  if (isAssigned !== undefined) conditions.add(`assignment_count ${isAssigned ? '>' : '='} 0`)
  conditions.is('created_at >', filter.createdAfter)
  conditions.is('created_at <', filter.createdBefore)
  conditions.is('updated_at >', filter.updatedAfter)
  conditions.is('updated_at <', filter.updatedBefore)
  return conditions
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
