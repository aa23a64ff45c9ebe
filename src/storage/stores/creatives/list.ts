// An owner's creatives in SQL, filtered, sorted and paged. A page begins after the last creative of the previous
// page, so creatives added in between shift nothing.

import type {
  CreativeFilter,
  CreativePage,
  CreativeQuery,
  CreativeSortField,
  StoredCreative,
} from '../../../creative/library-store.ts'
import { groupsOf } from '../../../lib/chunks.ts'
import { defined } from '../../../lib/defined.ts'
import { createPacer } from '../../../lib/pacer.ts'
import type { CreativeStatus } from '../../../protocol/schemas/creative-library.ts'
import { type Conditions, createConditions } from '../../sql/conditions.ts'
import type { Database } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { countBy, readPage } from '../../sql/pages.ts'

export const CREATIVE_COLUMNS = `creative_id, name, format_id, format_key, status, assets, tags, concept_id,
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

/** Creatives of an owner that one statement scans; fewer where each is compared with several tags. */
const LOOKED_THROUGH = 5_000
/** Bytes of content that are read at once; at least one creative is read. */
const CONTENT_BYTES = 256 * 1_024

/** A large library is scanned in parts, so that other callers are served in between. */
export async function listCreatives(
  database: Database,
  owner: string,
  query: CreativeQuery,
): Promise<CreativePage> {
  const counts = createCounts()
  let keys: PageKey[] = []
  const pacer = createPacer()
  const most = Math.ceil(LOOKED_THROUGH / (1 + (query.filter.tagsAll?.length ?? 0)))
  for (let range: Range | undefined = { after: '' }; range; ) {
    const until = await endOfRange(database, owner, { after: range.after, most })
    const part = { owner, filter: query.filter, range: { after: range.after, until } }
    counts.add(await countIn(database, part))
    const found = await keysIn(database, part, query)
    keys = keys.length === 0 ? found : firstOf([...keys, ...found], query)
    range = until === undefined ? undefined : { after: until }
    if (pacer.isDue()) await pacer.pause()
  }
  const page = withinPage(keys.slice(0, query.limit), query.most)
  return {
    creatives: await contentsOf(database, owner, page),
    hasMore: keys.length > page.length,
    ...counts.page(),
  }
}

/** Ids after one and up to another; without `until`, up to the last. */
interface Range {
  after: string
  until?: string | undefined
}

/** The creatives of one range that the filter selects. */
interface LibraryPart {
  owner: string
  filter: CreativeFilter
  range: Range
}

/** The fields that select a page, before any content is read. */
interface PageKey {
  creative_id: string
  sort_value: string | number
  bytes: number
  assignment_count: number
}

/** The last id of a part of the library; undefined when it is the last part. */
async function endOfRange(
  { read }: Database,
  owner: string,
  { after, most }: { after: string; most: number },
): Promise<string | undefined> {
  const row = await read.get<{ creative_id: string }>(
    `SELECT creative_id FROM creatives WHERE owner = $1 AND creative_id > $2
     ORDER BY creative_id LIMIT 1 OFFSET $3`,
    [owner, after, most - 1],
  )
  return row?.creative_id
}

function countIn({ read }: Database, part: LibraryPart) {
  const conditions = conditionsOf(part)
  return countBy(read, { from: 'creatives', conditions, by: ['status', 'format_key'] })
}

type Counted = Awaited<ReturnType<typeof countIn>>

function createCounts() {
  let total = 0
  const of = { status: new Map<string, number>(), format_key: new Map<string, number>() }
  return {
    add: (counted: Counted) => {
      total += counted.total
      for (const column of ['status', 'format_key'] as const) {
        for (const [value, n] of Object.entries(counted.of[column])) {
          of[column].set(value, (of[column].get(value) ?? 0) + n)
        }
      }
    },
    page: () => ({
      total,
      byStatus: Object.fromEntries(of.status),
      byFormat: Object.fromEntries(of.format_key),
    }),
  }
}

async function keysIn(
  { read }: Database,
  part: LibraryPart,
  { sort, limit, after }: CreativeQuery,
): Promise<PageKey[]> {
  const column = SORTED[sort.field]
  const { rows } = await readPage<PageKey>(read, {
    select: `SELECT creative_id, ${column} AS sort_value, bytes, assignment_count FROM creatives`,
    conditions: conditionsOf(part),
    keys: [column, 'creative_id'],
    direction: sort.direction,
    after: after && [after.value, after.creative_id],
    limit: limit + 1,
  })
  return rows
}

/** One more creative than the page holds, in the page's order. */
function firstOf(keys: PageKey[], { sort, limit }: CreativeQuery): PageKey[] {
  const sign = sort.direction === 'asc' ? 1 : -1
  return keys
    .sort(
      (a, b) =>
        sign * (compared(a.sort_value, b.sort_value) || compared(a.creative_id, b.creative_id)),
    )
    .slice(0, limit + 1)
}

/** Texts as the database compares them: by their bytes. */
function compared(a: string | number, b: string | number): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b)
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** A page ends early when its content becomes too large; it has at least one creative. */
function withinPage(keys: readonly PageKey[], most: CreativeQuery['most']): readonly PageKey[] {
  if (!most) return keys
  let [bytes, assignments] = [0, 0]
  const end = keys.findIndex((key, index) => {
    bytes += key.bytes
    assignments += key.assignment_count
    return index > 0 && (bytes > most.bytes || assignments > most.assignments)
  })
  return end < 0 ? keys : keys.slice(0, end)
}

async function contentsOf(
  { read }: Database,
  owner: string,
  keys: readonly PageKey[],
): Promise<StoredCreative[]> {
  const found = new Map<string, StoredCreative>()
  const pacer = createPacer()
  for (const group of groupsOf(keys, ({ bytes }) => bytes, CONTENT_BYTES)) {
    const rows = await read.all<CreativeRow>(
      `SELECT ${CREATIVE_COLUMNS} FROM creatives WHERE owner = $1 AND ${isIn('creative_id', 2)}`,
      [owner, listed(group.map(({ creative_id }) => creative_id))],
    )
    for (const row of rows) found.set(row.creative_id, creativeOf(row))
    if (pacer.isDue()) await pacer.pause()
  }
  return keys.flatMap(({ creative_id }) => found.get(creative_id) ?? [])
}

function conditionsOf({ owner, filter, range: { after, until } }: LibraryPart): Conditions {
  const { isAssigned } = filter
  const conditions = createConditions()
  conditions.is('owner =', owner)
  if (after !== '') conditions.is('creative_id >', after)
  conditions.is('creative_id <=', until)
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
