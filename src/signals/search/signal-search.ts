// The signal search that get_signals uses, behind the queue. Deterministic: equal queries over an equal catalogue
// return equal results.

import type { SearchAnswer, SearchQuery } from '../matching/query.ts'
import type { CallerRank } from '../matching/rank-of-caller.ts'

/** Who asks. */
export interface SearchCaller {
  /** A principal, or an address if there is no key. */
  caller: string
  hasKey: boolean
}

/**
 * Finds signals for `get_signals`. A late result is not waited for; signals that the caller may not see are removed
 * afterwards.
 */
export interface SignalSearch {
  /** Without a caller it is a search by the server itself. */
  search(query: SearchQuery, abort: AbortSignal, by?: SearchCaller): Promise<SearchAnswer>
  status(): Promise<SearchStatus>
}

/** A search that the queue has started, with its rank among concurrent searches. */
export interface RankedSearch {
  search(query: SearchQuery, abort: AbortSignal, by?: RankedCaller): Promise<RankedAnswer>
}

/** The search without the queue in front of it. */
export interface BareSearch extends RankedSearch, Pick<SignalSearch, 'status'>, KnowsModel {
  start(): void
  /** Resolves when nothing of it is running any more. */
  stop(): Promise<void>
}

export interface KnowsModel {
  /** From the latest response: sends no query, so a probe may read it. */
  readonly model: ModelStatus
}

export interface RankedAnswer extends SearchAnswer {
  /** The thread time it used, in milliseconds, if known. */
  usedMs?: number | undefined
  /** The state of the sentence model when it ended, if known. */
  model?: ModelStatus | undefined
}

export interface RankedCaller extends SearchCaller {
  rank: CallerRank
}

/** What a search has to look in. */
export interface SearchStatus {
  signals: number
  /** Number of signals that have a vector of the sentence model. */
  vectors: number
  model: ModelStatus
}

/** Whether searches use the sentence model: it is loaded for the first of them, or soon after the start. */
export type ModelStatus =
  | { state: 'unused' | 'used' | 'off' }
  | { state: 'missing'; reason: string }
