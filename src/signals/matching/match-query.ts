// One query over the catalogue, on one thread: updates the index from the store, interprets the words, finds
// candidates, compares them exactly, and sorts them.

import { defined } from '../../lib/defined.ts'
import type { Transact } from '../../lib/transaction.ts'
import type { SignalStore, SignalVectorStore } from '../store.ts'
import { allOf, compareIds, findCandidates, type Passing, without } from './candidates.ts'
import { compareCandidates } from './compare.ts'
import { followCatalogue } from './follow-catalogue.ts'
import { ALL_LAYERS, type Layers } from './layers.ts'
import { createMeaningVectors } from './meaning-vectors.ts'
import { omittedFromList, omittedFromSearch, openQuery, unpricedQuery } from './omitted.ts'
import { createPassingCache } from './passing-cache.ts'
import type { SearchAnswer, SearchQuery } from './query.ts'
import { createQuestion } from './question.ts'
import { rankCandidates } from './rank.ts'
import { type CallerRank, FIRST_RANK } from './rank-of-caller.ts'
import { reasonFor } from './reason.ts'
import type { SentenceModel } from './sentence-model.ts'
import { createSignalIndex, type SignalIndex } from './signal-index.ts'
import { createSlices, type Slice } from './slices.ts'
import { sortInSlices } from './sort-in-slices.ts'
import type { StaticTable } from './static-table.ts'
import { tierOf } from './tier.ts'
import type { Intent, Understood } from './understood.ts'

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

const MAX_INTENTS = 7
const MAX_REWRITES = 3
const WHOLE_UP_TO_WORDS = 20
const WHOLE_UP_TO_CHARACTERS = 400

export function createQueryMatcher(ports: MatchPorts): QueryMatcher {
  const { signals, table, now, layers = ALL_LAYERS } = ports
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
  const filters = createPassingCache()
  const slices = createSlices()
  const orders = new WeakMap<readonly Passing[], readonly number[]>()

  async function search(query: SearchQuery, under: Under): Promise<SearchAnswer> {
    const { caller, slice, pause } = under
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
    return found(held, sets, { ...query, signal_spec: query.signal_spec }, under)
  }

  async function found(
    held: SignalIndex,
    sets: SearchedSets,
    query: SearchQuery & { signal_spec: string },
    { slice, abort, pause }: Under,
  ): Promise<SearchAnswer> {
    const { signal_spec, limit, offset } = query
    await pause()
    const { intents: all, avoided, corrected } = ports.understand(signal_spec, held)
    await pause()
    const intents = withWhole(signal_spec, all, avoided).slice(0, MAX_INTENTS)
    const kinds = intents.map(({ text, stage }) => ({
      stage,
      tier: layers.has('tiers') ? tierOf(text) : undefined,
    }))
    const ask = (text: string) => createQuestion(text, held, table)
    const wordings = intents.map((intent) => wordingsOf(intent, corrected).map(ask))
    const unwanted = avoided.map(ask)
    const near =
      intents.length === 0
        ? { found: [], hidden: [] }
        : await findCandidates(held, sets, wordings, pause)
    await pause()
    const candidates = await compareCandidates(
      {
        index: held,
        signals,
        meanings,
        now,
        abort,
        pause,
        wait: slice.wait,
        layers,
        by: { rank: slice.rank, abort, charge: slice.charge },
      },
      {
        places: [...near.found, ...near.hidden],
        withTiers: kinds.some(({ tier }) => tier !== undefined),
        wordings,
        unwanted,
      },
    )
    await pause()
    const nameOf = (id: string) => nameIn(held, id)
    const ranked = rankCandidates(kinds, candidates.slice(0, near.found.length), nameOf)
    const hidden = rankCandidates(kinds, candidates.slice(near.found.length), nameOf)
    const hits = ranked.slice(offset, offset + limit).map((one) => ({
      signal_agent_segment_id: one.id,
      relevance: one.relevance,
      ...reasonFor(held, one, { wordings: wordings[one.intent]!, ...kinds[one.intent] }),
    }))
    return {
      hits,
      total: ranked.length,
      ...defined({ corrected: corrected.length > 0 ? corrected : undefined }),
      ...omittedFromSearch({ index: held, query, unpriced: sets.unpriced, ranked, hidden }),
    }
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

interface SearchedSets {
  passing: readonly Passing[]
  /** Rows that fail only the CPM price filter. */
  unpriced: readonly Passing[]
  /** Rows that the caller may see but that the filters exclude. */
  hidden: readonly Passing[]
}

function nameIn(index: SignalIndex, id: string): string {
  const place = index.placeOf(id)
  if (place === undefined) return ''
  const { block, row } = index.rowOf(place)
  return block.names.get(row)
}

/** Searches by the server itself: ahead of everyone else's. */
const OWN: MatchCaller & MatchListeners = {
  caller: '',
  rank: FIRST_RANK,
}

/** The context in which a search runs. */
interface Under {
  caller: string
  slice: Slice
  abort: AbortSignal
  /** Called between two parts of the work; rejects when the search has been canceled. */
  pause: () => Promise<void>
}

/** If a short text was split into several audiences, it is also read as one: it may describe a single audience. */
function withWhole(
  spec: string,
  intents: readonly Intent[],
  avoided: readonly string[],
): readonly Intent[] {
  const isShort =
    spec.length <= WHOLE_UP_TO_CHARACTERS && spec.split(/\s+/).length <= WHOLE_UP_TO_WORDS
  if (intents.length < 2 || avoided.length > 0 || !isShort) return intents
  return [{ text: spec, rewrites: [] }, ...intents]
}

/** The original words, the catalogue terms, and the original spelling if it was repaired. */
function wordingsOf(
  { text, rewrites }: Intent,
  corrected: Understood['corrected'],
): readonly string[] {
  const spelt = corrected.reduce((so, { from, to }) => so.replaceAll(to, from), text)
  return [...new Set([text, ...rewrites.slice(0, MAX_REWRITES), spelt])]
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
