// The search over the catalogue, on one thread: catches up with the store, understands the words, finds
// candidates, compares them exactly, and puts them in order. `app/signals/` runs it in a worker.

import type { Transact } from '../../lib/transaction.ts'
import type { SignalStore, SignalVectorStore } from '../store.ts'
import { allOf, compareIds, findCandidates, type Passing } from './candidates.ts'
import { compareCandidates } from './compare.ts'
import { followCatalogue } from './follow-catalogue.ts'
import { createMeaningVectors } from './meaning-vectors.ts'
import { createPassingCache } from './passing-cache.ts'
import { createQuestion } from './question.ts'
import { rankCandidates } from './rank.ts'
import { reasonFor } from './reason.ts'
import type { SearchAnswer, SearchQuery } from './search.ts'
import type { SentenceModel } from './sentence-model.ts'
import { createSignalIndex, type SignalIndex } from './signal-index.ts'
import type { StaticTable } from './static-table.ts'
import type { Intent, Understood } from './understand.ts'

export interface MatcherPorts {
  signals: Pick<SignalStore, 'changes' | 'latest' | 'get'>
  vectors: Pick<SignalVectorStore, 'get' | 'put' | 'counts'>
  transact: Transact
  table: StaticTable
  model: () => Promise<SentenceModel | undefined>
  understand: (spec: string, index: SignalIndex) => Understood
  /** In milliseconds, from any beginning. */
  now: () => number
  onFault: (error: unknown) => void
}

export interface Matcher {
  search(query: SearchQuery, abort: AbortSignal): Promise<SearchAnswer>
  /** Reads what has changed, so that the next search need not. */
  catchUp(): Promise<void>
  readonly size: number
}

const MAX_INTENTS = 7
const MAX_REWRITES = 3
const WHOLE_UP_TO_WORDS = 20
const WHOLE_UP_TO_CHARACTERS = 400

export function createMatcher(ports: MatcherPorts): Matcher {
  const { signals, table, now } = ports
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
  const meanings = createMeaningVectors(ports)
  const filters = createPassingCache()

  async function search(query: SearchQuery, abort: AbortSignal): Promise<SearchAnswer> {
    await following.catchUp()
    abort.throwIfAborted()
    const passing = filters.passing(query, index)
    return query.spec === undefined
      ? listed(index, passing, query)
      : await found(index, passing, { ...query, spec: query.spec }, abort)
  }

  async function found(
    held: SignalIndex,
    passing: readonly Passing[],
    { spec, limit, offset }: SearchQuery & { spec: string },
    abort: AbortSignal,
  ): Promise<SearchAnswer> {
    const { intents: all, avoided, corrected } = ports.understand(spec, held)
    const intents = withWhole(spec, all, avoided).slice(0, MAX_INTENTS)
    const ask = (text: string) => createQuestion(text, held, table)
    const wordings = intents.map((intent) => wordingsOf(intent, corrected).map(ask))
    const unwanted = avoided.map(ask)
    const places = intents.length === 0 ? [] : findCandidates(held, passing, wordings)
    const candidates = await compareCandidates(
      { index: held, signals, meanings, now, abort },
      { places, wordings, unwanted },
    )
    abort.throwIfAborted()
    const ranked = rankCandidates(
      intents.map(({ stage }) => stage),
      candidates,
    )
    const hits = ranked.slice(offset, offset + limit).map((one) => ({
      signal_agent_segment_id: one.id,
      relevance: one.relevance,
      reason: reasonFor(held, one, wordings[one.intent]!),
    }))
    return { hits, total: ranked.length, ...(corrected.length > 0 ? { corrected } : {}) }
  }

  return {
    catchUp: following.catchUp,
    search: async (query, abort) => {
      searching++
      try {
        return await search(query, abort)
      } finally {
        // Places are good while a search holds them.
        if (--searching === 0) index.tidy()
      }
    },
    get size() {
      return index.size
    },
  }
}

/** Where a short text was taken for several audiences, it is also read as one: it may describe a single. */
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

/** As it was said, in the catalogue's words, and, where spelling was repaired, as it was spelt. */
function wordingsOf(
  { text, rewrites }: Intent,
  corrected: Understood['corrected'],
): readonly string[] {
  const spelt = corrected.reduce((so, { from, to }) => so.replaceAll(to, from), text)
  return [...new Set([text, ...rewrites.slice(0, MAX_REWRITES), spelt])]
}

/** Without words: all that passes, by id. */
function listed(
  index: SignalIndex,
  passing: readonly Passing[],
  { limit, offset }: SearchQuery,
): SearchAnswer {
  const places = allOf(passing)
  const page = places.sort((a, b) => compareIds(index, a, b)).slice(offset, offset + limit)
  const hits = page.map((place) => {
    const { block, row } = index.rowOf(place)
    return {
      signal_agent_segment_id: block.ids.get(row),
      relevance: 1,
      reason: 'passes the filters',
    }
  })
  return { hits, total: places.length }
}
