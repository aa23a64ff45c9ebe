// One query over the catalogue, on one thread: updates the index from the store, filters, and lists what
// passes or matches the text.

import type { Transact } from '../../lib/transaction.ts'
import type { SignalStore, SignalVectorStore } from '../store.ts'
import { allOf, compareIds, type Passing, without } from './candidates.ts'
import { followCatalogue } from './follow-catalogue.ts'
import { ALL_LAYERS, type Layers } from './layers.ts'
import { matchText, type SearchRun } from './match-text.ts'
import { createMeaningVectors } from './meaning-vectors.ts'
import { omittedFromList, openQuery, unpricedQuery } from './omitted.ts'
import { createPassingCache } from './passing-cache.ts'
import type { SearchAnswer, SearchQuery } from './query.ts'
import { type CallerRank, FIRST_RANK } from './rank-of-caller.ts'
import type { SentenceModel } from './sentence-model.ts'
import { createSignalIndex, type SignalIndex } from './signal-index.ts'
import { createSlices } from './slices.ts'
import { sortInSlices } from './sort-in-slices.ts'
import type { StaticTable } from './static-table.ts'
import type { Understood } from './understood.ts'

export interface MatchPorts {
  signals: Pick<SignalStore, 'changes' | 'latest' | 'get'>
  vectors: Pick<SignalVectorStore, 'get' | 'put' | 'counts'>
  transact: Transact
  table: StaticTable
  model: () => Promise<SentenceModel | undefined>
  understand: (spec: string, index: SignalIndex) => Understood
  /** In milliseconds, from an arbitrary starting point. */
  now: () => number
  onFault: (error: unknown) => void
  /** Default all. */
  layers?: Layers | undefined
}

export interface QueryMatcher {
  match(
    query: SearchQuery,
    abort: AbortSignal,
    by?: MatchCaller & MatchListeners,
  ): Promise<SearchAnswer>
  /** Reads what has changed, so that the next search does not have to. */
  catchUp(): Promise<void>
  readonly size: number
}

/** The caller, and its rank among concurrent callers. */
interface MatchCaller {
  caller: string
  rank: CallerRank
}

interface MatchListeners {
  /** Called each time the search continues after it has yielded or waited. */
  onResume?: () => void
  /** Called at the end with the thread time it used, in milliseconds. */
  onUsed?: (ms: number) => void
}

export function createQueryMatcher(ports: MatchPorts): QueryMatcher {
  const { signals, table, layers = ALL_LAYERS } = ports
  let index = createSignalIndex(table)
  let searching = 0
  const following = followCatalogue({
    signals,
    index,
    onExpired: () => {
      index = createSignalIndex(table)
      return index
    },
  })
  const model = layers.has('model') ? ports.model : async () => undefined
  const meanings = createMeaningVectors({ ...ports, model })
  const textPorts = { ...ports, layers, meanings }
  const filters = createPassingCache()
  const slices = createSlices()
  const orders = new WeakMap<readonly Passing[], readonly number[]>()

  async function search(query: SearchQuery, run: SearchRun): Promise<SearchAnswer> {
    const { caller, slice, pause } = run
    await slice.wait(following.catchUp())
    await pause()
    const held = index
    const passing = await filters.passing(query, held, { caller, pause })
    const unpriced =
      query.max_cpm !== undefined
        ? await filters.passing(unpricedQuery(query), held, { caller, pause })
        : passing
    if (query.signal_spec === undefined) {
      const list = await listed(held, passing, { query, pause, orders })
      return { ...list, ...omittedFromList(passing, unpriced) }
    }
    const open = await filters.passing(openQuery(query), held, { caller, pause })
    const sets = { passing, unpriced, hidden: without(open, passing) }
    const text = { index: held, sets, query: { ...query, signal_spec: query.signal_spec } }
    return matchText(textPorts, text, run)
  }

  return {
    catchUp: following.catchUp,
    match: async (query, abort, by = OWN) => {
      const slice = slices.begin(by.rank, by.onResume)
      const pause = async () => {
        await slice.pause()
        abort.throwIfAborted()
      }
      searching++
      try {
        return await search(query, { caller: by.caller, slice, abort, pause })
      } finally {
        slice.end()
        by.onUsed?.(slice.usedMs())
        // Places stay valid while a search holds them.
        if (--searching === 0) index.tidy()
      }
    },
    get size() {
      return index.size
    },
  }
}

/** Searches by the server itself: ahead of everyone else's. */
const OWN: MatchCaller & MatchListeners = {
  caller: '',
  rank: FIRST_RANK,
}

interface Listing {
  query: SearchQuery
  pause: () => Promise<void>
  /** Places by id, for as long as the filter result is cached: a list is requested page by page. */
  orders: WeakMap<readonly Passing[], readonly number[]>
}

/** Without text: all that pass, by id. */
async function listed(
  index: SignalIndex,
  passing: readonly Passing[],
  { query: { limit, offset }, pause, orders }: Listing,
): Promise<SearchAnswer> {
  const compare = (a: number, b: number) => compareIds(index, a, b)
  const places = orders.get(passing) ?? (await sortInSlices(allOf(passing), { compare, pause }))
  orders.set(passing, places)
  const hits = places.slice(offset, offset + limit).map((place) => {
    const { block, row } = index.rowOf(place)
    return {
      signal_agent_segment_id: block.ids.get(row),
      relevance: 1,
      reason: 'passes the filters',
    }
  })
  return { hits, total: places.length }
}
