// The answer to a query with text: interprets the words, finds candidates, compares them exactly, and ranks them.

import { defined } from '../../lib/defined.ts'
import { findCandidates, type Passing } from './candidates.ts'
import { type ComparePorts, compareCandidates } from './compare.ts'
import type { Layers } from './layers.ts'
import { omittedFromSearch } from './omitted.ts'
import type { SearchAnswer, SearchQuery } from './query.ts'
import { createQuestion } from './question.ts'
import { rankCandidates } from './rank.ts'
import { reasonFor } from './reason.ts'
import type { SignalIndex } from './signal-index.ts'
import type { Slice } from './slices.ts'
import type { StaticTable } from './static-table.ts'
import { tierOf } from './tier.ts'
import type { Intent, Understood } from './understood.ts'

interface MatchTextPorts extends Pick<ComparePorts, 'signals' | 'meanings' | 'now'> {
  table: StaticTable
  understand: (spec: string, index: SignalIndex) => Understood
  layers: Layers
}

interface TextSearch {
  index: SignalIndex
  sets: SearchedSets
  query: SearchQuery & { signal_spec: string }
}

interface SearchedSets {
  passing: readonly Passing[]
  /** Rows that fail only the CPM price filter. */
  unpriced: readonly Passing[]
  /** Rows that the caller may see but that the filters exclude. */
  hidden: readonly Passing[]
}

/** The context in which a search runs. */
export interface SearchRun {
  caller: string
  slice: Slice
  abort: AbortSignal
  /** Called between two parts of the work; rejects when the search has been canceled. */
  pause: () => Promise<void>
}

const MAX_INTENTS = 7
const MAX_REWRITES = 3
const WHOLE_UP_TO_WORDS = 20
const WHOLE_UP_TO_CHARACTERS = 400

export async function matchText(
  ports: MatchTextPorts,
  { index, sets, query }: TextSearch,
  { slice, abort, pause }: SearchRun,
): Promise<SearchAnswer> {
  const { layers } = ports
  const { signal_spec, limit, offset } = query
  await pause()
  const { intents: all, avoided, corrected } = ports.understand(signal_spec, index)
  await pause()
  const intents = withWhole(signal_spec, all, avoided).slice(0, MAX_INTENTS)
  const kinds = intents.map(({ text, stage }) => ({
    stage,
    tier: layers.has('tiers') ? tierOf(text) : undefined,
  }))
  const ask = (text: string) => createQuestion(text, index, ports.table)
  const wordings = intents.map((intent) => wordingsOf(intent, corrected).map(ask))
  const unwanted = avoided.map(ask)
  const near =
    intents.length === 0
      ? { found: [], hidden: [] }
      : await findCandidates(index, sets, { intents: wordings, pause })
  await pause()
  const candidates = await compareCandidates(
    {
      index,
      signals: ports.signals,
      meanings: ports.meanings,
      now: ports.now,
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
  const nameOf = (id: string) => nameIn(index, id)
  const ranked = rankCandidates(kinds, candidates.slice(0, near.found.length), nameOf)
  const hidden = rankCandidates(kinds, candidates.slice(near.found.length), nameOf)
  const hits = ranked.slice(offset, offset + limit).map((one) => ({
    signal_agent_segment_id: one.id,
    relevance: one.relevance,
    ...reasonFor(index, one, { wordings: wordings[one.intent]!, ...kinds[one.intent] }),
  }))
  return {
    hits,
    total: ranked.length,
    ...defined({ corrected: corrected.length > 0 ? corrected : undefined }),
    ...omittedFromSearch({ index, query, unpriced: sets.unpriced, ranked, hidden }),
  }
}

function nameIn(index: SignalIndex, id: string): string {
  const place = index.placeOf(id)
  if (place === undefined) return ''
  const { block, row } = index.rowOf(place)
  return block.names.get(row)
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
