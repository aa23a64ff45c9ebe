// What the filters of a search exclude (spec 4.3): how many signals only because of their price, and whether
// something clearly better is available elsewhere. Only what the caller may see is counted.

import { defined } from '../../lib/defined.ts'
import { ANY_PLACE } from '../../protocol/target-place.ts'
import { countOf, type Passing } from './candidates.ts'
import { createExplainer } from './filter.ts'
import { FILTER_NAMES } from './filter-names.ts'
import type { Omitted, SearchQuery } from './query.ts'
import type { Ranked } from './rank.ts'
import type { SignalIndex } from './signal-index.ts'

/** The same query without its filters. Without a key, the types define what may be seen, so they are kept. */
export function openQuery(query: SearchQuery): SearchQuery {
  const { signal_spec, among, principal, seesAll, catalog_types, limit, offset } = query
  return {
    signal_spec,
    among,
    principal,
    ...defined({ seesAll, catalog_types: principal || seesAll ? undefined : catalog_types }),
    limit,
    offset,
  }
}

/** The same query with any CPM. */
export function unpricedQuery({ max_cpm: _, currency: __, ...query }: SearchQuery): SearchQuery {
  return query
}

/** How much more relevant than the first hit a signal must be to count as clearly better. */
const CLEARLY = 0.1
const MOST_PLACES = 10

const NOTHING_BETTER: Omitted['better'] = { count: 0, filters: [], places: [] }

export function omittedFromList(
  passing: readonly Passing[],
  unpriced: readonly Passing[],
): { omitted?: Omitted } {
  const byCpm = countOf(unpriced) - countOf(passing)
  return byCpm > 0 ? { omitted: { byCpm, better: NOTHING_BETTER } } : {}
}

export interface Searched {
  index: SignalIndex
  query: SearchQuery
  unpriced: readonly Passing[]
  /** The hits that pass the filters, and the relevant ones that do not, each list sorted best first. */
  ranked: readonly Ranked[]
  hidden: readonly Ranked[]
}

export function omittedFromSearch(searched: Searched): { omitted?: Omitted } {
  const { index, query, unpriced, ranked, hidden } = searched
  const rows = new Map(unpriced.map(({ block, passes }) => [block, passes]))
  const byCpm = hidden.filter(({ id }) => {
    const found = rowOf(index, id)
    return found && rows.get(found.block)?.[found.row] === 1
  }).length
  const least = ranked[0] ? ranked[0].relevance + CLEARLY : 0
  const better = hidden.filter(({ relevance }) => relevance >= least)
  if (byCpm === 0 && better.length === 0) return {}
  return { omitted: { byCpm, better: reportOf(better, index, query) } }
}

function reportOf(
  better: readonly Ranked[],
  index: SignalIndex,
  query: SearchQuery,
): Omitted['better'] {
  if (better.length === 0) return NOTHING_BETTER
  const explain = createExplainer(query, index.shared)
  const found = better.flatMap(({ id }) => rowOf(index, id) ?? [])
  const against = new Set(found.flatMap(({ block, row }) => explain(block, row)))
  // Accounts are not reported: they may belong to other callers.
  const places = found.flatMap(({ block, row }) =>
    index.shared.places.values[block.places[row]!]!.flatMap(({ name, account }) =>
      account === undefined && name !== ANY_PLACE ? [name] : [],
    ),
  )
  return {
    count: better.length,
    filters: FILTER_NAMES.filter((name) => against.has(name)),
    places: [...new Set(places)].slice(0, MOST_PLACES),
  }
}

function rowOf(index: SignalIndex, id: string): ReturnType<SignalIndex['rowOf']> | undefined {
  const place = index.placeOf(id)
  return place === undefined ? undefined : index.rowOf(place)
}
