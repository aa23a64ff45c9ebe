// The signal search that get_signals uses, behind the queue. Deterministic: equal queries over an equal catalogue
// have equal results.

import type { SearchAnswer, SearchQuery } from '../matching/query.ts'
import type { CallerRank } from '../matching/rank-of-caller.ts'

/** Who asks. */
export interface SearchCaller {
  /** A principal, or an address without a key. */
  caller: string
  hasKey: boolean
}

/** Finds signals for `get_signals`. What it answers late is not waited for; what the caller may not see is left out afterwards. */
export interface SignalSearch {
  /** Without a caller it is the server's own. */
  search(query: SearchQuery, abort: AbortSignal, by?: SearchCaller): Promise<SearchAnswer>
  status(): Promise<SearchStatus>
}

/** What the queue lets through: a search with its place among those that go on at the same time. */
export interface RankedSearch {
  search(query: SearchQuery, abort: AbortSignal, by?: RankedCaller): Promise<RankedAnswer>
}

/** The search without a queue before it. */
export interface BareSearch extends RankedSearch, Pick<SignalSearch, 'status'>, KnowsModel {
  start(): void
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>
}

export interface KnowsModel {
  /** As the latest answer reported it: sends no query, so a probe may read it. */
  readonly model: ModelStatus
}

export interface RankedAnswer extends SearchAnswer {
  /** How long it kept threads busy, in milliseconds, where that is known. */
  usedMs?: number | undefined
  /** How it stood with the sentence model at its end, where that is known. */
  model?: ModelStatus | undefined
}

export interface RankedCaller extends SearchCaller {
  rank: CallerRank
}

/** What a search has to look in. */
export interface SearchStatus {
  signals: number
  /** Signals whose vector of the sentence model is there. */
  vectors: number
  model: ModelStatus
}

/** Whether searches have the sentence model: it is loaded for the first of them, or soon after the start. */
export type ModelStatus =
  | { state: 'unused' | 'used' | 'off' }
  | { state: 'missing'; reason: string }
