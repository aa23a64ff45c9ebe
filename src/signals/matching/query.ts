// The query to the catalogue, and its result: takes text and limits, returns signal ids, the best first. Members that
// a get_signals request also has keep the same names.

import type { FilterName } from './filter-names.ts'

/** Where a signal should go; with an account, deployments of that account or of the whole platform. */
export type TargetFilter =
  | { type: 'platform'; platform: string; account?: string | undefined }
  | { type: 'agent'; agent_url: string; account?: string | undefined }

/** The search criteria; an omitted one limits nothing. */
export interface SearchQuery {
  /** Whom to reach, in plain language. Without it: all that pass, by id. */
  signal_spec?: string | undefined
  /** Only these signals. */
  among?: readonly string[] | undefined
  /** The caller, by id and name: sees public signals, and private ones visible to it. */
  principal?: { principal_id: string; name: string } | undefined
  /** The operator, who sees private signals too. Default false. */
  seesAll?: true | undefined
  catalog_types?: readonly string[] | undefined
  /** Names of providers, compared case-insensitively. */
  data_providers?: readonly string[] | undefined
  /** Passes if a CPM option costs no more in the currency, at the caller's own price, or if it is free. */
  max_cpm?: number | undefined
  /** Of `max_cpm`. Default USD. */
  currency?: string | undefined
  /** Passes if a share of media is no higher, or if an option is not a share. */
  max_percent?: number | undefined
  min_coverage_percentage?: number | undefined
  /** Passes when the signal can be used in one of them. */
  countries?: readonly string[] | undefined
  /** Passes when the signal can go to one of them. */
  deployments?: readonly TargetFilter[] | undefined
  limit: number
  offset: number
}

/**
 * Why a signal matches: its name is what was requested, it shares words with the query, or it has a similar meaning.
 */
export const MATCH_TIERS = ['name', 'words', 'meaning'] as const
export type MatchTier = (typeof MATCH_TIERS)[number]

/** A signal that was found. */
export interface SearchHit {
  signal_agent_segment_id: string
  /** 0 to 1. */
  relevance: number
  /** A short readable message: why the signal was found. */
  reason: string
  /** Undefined if the query has no text, or if the search does not say. */
  tier?: MatchTier | undefined
}

/** What a search found. */
export interface SearchAnswer {
  hits: readonly SearchHit[]
  /** The total number, as far as they were counted. */
  total: number
  /** Words that were interpreted with a corrected spelling. */
  corrected?: readonly { from: string; to: string }[] | undefined
  /** What the filters excluded, if there is something to report about it. */
  omitted?: Omitted | undefined
}

/** As far as they were counted; only what the caller may see. */
export interface Omitted {
  /** Signals that pass everything except the CPM limit. */
  byCpm: number
  /** Signals that match clearly better than the first hit, or match at all if there is no hit. */
  better: {
    count: number
    /** What keeps them away. */
    filters: readonly FilterName[]
    /** Where they can go: names of platforms and URLs of agents. */
    places: readonly string[]
  }
}
