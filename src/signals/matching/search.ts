// The search over the catalogue as get_signals uses it: words and limits in, the ids of signals out,
// the best first. Deterministic: equal questions over an equal catalogue have equal answers.

import type { FilterName } from './filter.ts'
import type { CallerRank } from './rank-of-caller.ts'

/** Where a signal shall go; with an account, deployments of that account or of the whole platform. */
export type TargetFilter =
  | { type: 'platform'; platform: string; account?: string | undefined }
  | { type: 'agent'; agent_url: string; account?: string | undefined }

/** What is looked for; what is left out limits nothing. */
export interface SearchQuery {
  /** Whom to reach, in plain words. Without it: all that passes, by id. */
  spec?: string | undefined
  /** Only these signals. */
  among?: readonly string[] | undefined
  /** Who asks, by id and name: sees what is visible to all, and what is visible to it. */
  principal?: { principal_id: string; name: string } | undefined
  types?: readonly string[] | undefined
  /** Names of providers, compared without case. */
  providers?: readonly string[] | undefined
  /** Passes when an option by CPM costs no more in the currency, by the caller's own price, or when it is free. */
  maxCpm?: { cpm: number; currency: string } | undefined
  /** Passes when a share of media is no more, or when an option is no share. */
  maxPercent?: number | undefined
  minCoverage?: number | undefined
  /** Passes when the signal can be used in one of them. */
  countries?: readonly string[] | undefined
  /** Passes when the signal can go to one of them. */
  targets?: readonly TargetFilter[] | undefined
  limit: number
  offset: number
}

/** A signal that was found. */
export interface SearchHit {
  signal_agent_segment_id: string
  /** 0 to 1. */
  relevance: number
  /** In a few words, for people: why it is here. */
  reason: string
}

/** What a search found. */
export interface SearchAnswer {
  hits: readonly SearchHit[]
  /** How many there are in all, as far as they were looked for. */
  total: number
  /** Words that were read otherwise than they were spelt. */
  corrected?: readonly { from: string; to: string }[] | undefined
  /** What the filters kept away, where there is something to tell of it. */
  leftOut?: LeftOut | undefined
}

/** As far as it was looked for; only of what the caller may see. */
export interface LeftOut {
  /** Those that pass everything but the price by CPM. */
  byCpm: number
  /** Those that fit clearly better than the first hit, or at all when there is none. */
  better: {
    count: number
    /** What keeps them away. */
    filters: readonly FilterName[]
    /** Where they can go: names of platforms and URLs of agents. */
    places: readonly string[]
  }
}

/** Who asks. */
export interface Searcher {
  /** A principal, or an address without a key. */
  caller: string
  hasKey: boolean
}

/** Finds signals for `get_signals`. What it answers late is not waited for; what the caller may not see is left out afterwards. */
export interface SignalSearch {
  /** Without a searcher it is the server's own. */
  search(query: SearchQuery, abort: AbortSignal, by?: Searcher): Promise<SearchAnswer>
  status(): Promise<SearchStatus>
}

/** A search with its place among those that go on at the same time. */
export interface RankedSearch {
  search(query: SearchQuery, abort: AbortSignal, by?: RankedSearcher): Promise<RankedAnswer>
}

export interface RankedAnswer extends SearchAnswer {
  /** How long it kept threads busy, in milliseconds, where that is known. */
  usedMs?: number | undefined
  /** How it stood with the sentence model at its end, where that is known. */
  model?: ModelStatus | undefined
}

export interface RankedSearcher extends Searcher {
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
