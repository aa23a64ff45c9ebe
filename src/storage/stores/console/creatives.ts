// Creatives of all libraries in SQL, the newest first.

import type {
  ConsoleQueries,
  CreativeListFilter,
  CreativePlace,
  ListedCreative,
} from '../../../console/queries.ts'
import { creativeStatus } from '../../../protocol/schemas/creative-library.ts'
import { createConditions } from '../../sql/conditions.ts'
import type { Database } from '../../sql/database.ts'
import { readPage } from '../../sql/pages.ts'

const COLUMNS = `owner, creative_id, name, name_folded, format_key, status, assignment_count, created_at,
  updated_at`

interface Row extends Omit<ListedCreative, 'formatKey'> {
  format_key: string
  name_folded: string
}

/** Rows examined for one page if no index supports a filter: most of them may not match. */
const MAX_STEPS = 2_000

/** An index supports one filter; the others are checked against its rows. */
export async function listAllCreatives(
  database: Database,
  filter: CreativeListFilter,
): ReturnType<ConsoleQueries['creatives']> {
  const { limit } = filter
  const served = servedBy(filter)
  const isFit = fitOf(filter, served)
  const { rows, hasMore } = await newest(database, filter, {
    served,
    limit: isFit ? MAX_STEPS : limit,
  })
  const found = isFit ? rows.filter(isFit) : rows
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : hasMore ? rows.at(-1) : undefined
  return { rows: page.map(creativeOf), next: placeOf(last) }
}

type Served = 'owner' | 'formatKey' | 'status' | undefined

/** The filter that usually leaves the fewest rows. */
function servedBy({ owner, formatKey, status }: CreativeListFilter): Served {
  if (owner !== undefined) return 'owner'
  if (formatKey !== undefined) return 'formatKey'
  return status === undefined ? undefined : 'status'
}

/** Undefined where every row fits. */
function fitOf(
  { formatKey, status, sought }: CreativeListFilter,
  served: Served,
): ((row: Row) => boolean) | undefined {
  const tests: ((row: Row) => boolean)[] = []
  if (formatKey !== undefined && served !== 'formatKey') {
    tests.push((row) => row.format_key === formatKey)
  }
  if (status !== undefined && served !== 'status') tests.push((row) => row.status === status)
  if (sought !== undefined) {
    const folded = sought.toLowerCase()
    tests.push((row) => row.name_folded.includes(folded) || row.creative_id === sought)
  }
  return tests.length === 0 ? undefined : (row) => tests.every((fits) => fits(row))
}

function newest(
  { read }: Database,
  { owner, status, formatKey, after }: CreativeListFilter,
  { served, limit }: { served: Served; limit: number },
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const conditions = createConditions()
  if (served === 'owner') conditions.is('owner =', owner)
  if (served === 'formatKey') conditions.is('format_key =', formatKey)
  if (served === 'status') conditions.isOneOf('status', creativeStatus.options, status)
  return readPage<Row>(read, {
    select: `SELECT ${COLUMNS} FROM creatives`,
    conditions,
    keys: ['created_at', 'owner', 'creative_id'],
    direction: 'desc',
    after: after && [after.created_at, after.owner, after.creative_id],
    limit,
  })
}

function placeOf(row: CreativePlace | undefined): CreativePlace | undefined {
  return row && { created_at: row.created_at, owner: row.owner, creative_id: row.creative_id }
}

function creativeOf({ format_key: formatKey, name_folded: _, ...row }: Row): ListedCreative {
  return { ...row, formatKey }
}
