// What the calls of the creative library cost: creatives with their content, and their assignments to packages.

import { cacheFor } from '../lib/cache-for.ts'
import { charsAsJson } from '../lib/json-size.ts'
import type { ListCreativesRequest } from '../protocol/schemas/list-creatives.ts'
import type { SyncCreativesRequest } from '../protocol/schemas/sync-creatives.ts'
import type { TaskCost } from '../protocol/task.ts'
import { libraryOwner } from './library-owner.ts'
import type { CreativeStore } from './library-store.ts'
import { MAX_LIST_ASSIGNMENTS, MAX_LIST_BYTES } from './limits.ts'

const KIB = 1_024
const CALL = 20

/** Units for each creative and assignment that is written, and for each creative that is archived. */
const SYNC = { creative: 20, assignment: 4, archived: 1 } as const

/** A sync with as many creatives, bytes and assignments as the schema allows costs less than this. */
const MOST_SYNC_UNITS = 60_000

export function syncCost(
  library: Pick<CreativeStore, 'size' | 'bytesOf'>,
): TaskCost<SyncCreativesRequest> {
  return {
    grows: 'creatives and their kilobytes, assignments, and with delete_missing the library',
    limit: MOST_SYNC_UNITS,
    estimate: async (request, { principal }) => {
      const { creatives, delete_missing } = request
      const kilobytes = charsAsJson(creatives) / KIB
      const requested =
        CALL +
        kilobytes +
        SYNC.creative * creatives.length +
        SYNC.assignment * countAssignments(request)
      // Nothing more is looked up for a call that will be refused.
      if (requested > MOST_SYNC_UNITS) return requested
      const ids = creatives.map(({ creative_id }) => creative_id)
      const owner = libraryOwner(principal)
      const stored = delete_missing ? (await library.size(owner)).creatives : 0
      return requested + (await library.bytesOf(owner, ids)) / KIB + SYNC.archived * stored
    },
    reduce: {
      field: '/assignments',
      advice:
        'Send fewer creatives or assignments in one call: about 10,000 assignments fit. ' +
        'In a large library, omit delete_missing and archive creatives by their ids.',
    },
  }
}

function countAssignments({ assignments = [] }: SyncCreativesRequest): number {
  if (Array.isArray(assignments)) return assignments.length
  return Object.values(assignments).reduce((sum, packages) => sum + packages.length, 0)
}

/**
 * Units for each creative that a filter looks at, for each creative and assignment of the page, and for each assignment
 * in the media buys of the filter.
 */
const LIST = { searched: 0.2, creative: 5, assignment: 1, inBuys: 4 } as const
const MOST_LIST_UNITS = 100_000

/** How long library sizes are cached, and of how many owners: lists are frequent, and their cost need not be exact. */
const SIZES = { ms: 2_000, size: 1_000 } as const

export function listCost(
  library: Pick<CreativeStore, 'size' | 'countAssignments' | 'countInBuys'>,
  { defaultPage }: { defaultPage: number },
): TaskCost<ListCreativesRequest> {
  const sizeOf = cacheFor(SIZES, async (owner) => ({
    ...(await library.size(owner)),
    assignments: await library.countAssignments(owner, MAX_LIST_ASSIGNMENTS),
  }))
  return {
    grows:
      'creatives of the library × tags of the filter, assignments in the media buys of the filter, ' +
      'and bytes and assignments of the page',
    limit: MOST_LIST_UNITS,
    estimate: async ({ filters = {}, pagination = {}, include_assignments }, { principal }) => {
      const owner = libraryOwner(principal)
      const { creatives, bytes, ...size } = await sizeOf(owner)
      const inBuys = filters.media_buy_ids
        ? await library.countInBuys(owner, filters.media_buy_ids, MOST_LIST_UNITS / LIST.inBuys)
        : 0
      const tags = (filters.tags?.length ?? 0) + (filters.tags_any?.length ?? 0)
      const listed = Math.min(pagination.max_results ?? defaultPage, creatives)
      const average = creatives === 0 ? 0 : bytes / creatives
      const assignments = include_assignments === false ? 0 : size.assignments
      return (
        CALL +
        LIST.searched * creatives * (1 + tags) +
        LIST.inBuys * inBuys +
        LIST.creative * listed +
        Math.min(average * listed, MAX_LIST_BYTES) / KIB +
        LIST.assignment * assignments
      )
    },
    reduce: { field: '/filters', advice: 'Filter by fewer tags or media buys.' },
  }
}
