// The query to the catalogue, and its result: text and limits in, the ids of signals out, the best first. Members
// that a request of get_signals has too are named as they are there.

import type { FilterName } from './filter-names.ts'

/** Where a signal shall go; with an account, deployments of that account or of the whole platform. */
export type TargetFilter =
  | { type: 'platform'; platform: string; account?: string | undefined }
  | { type: 'agent'; agent_url: string; account?: string | undefined }

/** What is looked for; what is left out limits nothing. */
export interface SearchQuery {
  /** Whom to reach, in plain words. Without it: all that passes, by id. */
  signal_spec?: string | undefined
  /** Only these signals. */
  among?: readonly string[] | undefined
  /** Who asks, by id and name: sees what is visible to all, and what is visible to it. */
  principal?: { principal_id: string; name: string } | undefined
  /** The operator, to whom no signal is private. Default false. */
  seesAll?: true | undefined
  catalog_types?: readonly string[] | undefined
  /** Names of providers, compared without case. */
  data_providers?: readonly string[] | undefined
  /** Passes when an option by CPM costs no more in the currency, by the caller's own price, or when it is free. */
  max_cpm?: number | undefined
  /** Of `max_cpm`. Default USD. */
  currency?: string | undefined
  /** Passes when a share of media is no more, or when an option is no share. */
  max_percent?: number | undefined
  min_coverage_percentage?: number | undefined
  /** Passes when the signal can be used in one of them. */
  countries?: readonly string[] | undefined
  /** Passes when the signal can go to one of them. */
  deployments?: readonly TargetFilter[] | undefined
  limit: number
  offset: number
}

/** Why a signal matches: its name is what was requested, it has words in common, or it has a similar meaning. */
export const MATCH_TIERS = ['name', 'words', 'meaning'] as const
export type MatchTier = (typeof MATCH_TIERS)[number]

/** A signal that was found. */
export interface SearchHit {
  signal_agent_segment_id: string
  /** 0 to 1. */
  relevance: number
  /** In a few words, for people: why it is here. */
  reason: string
  /** Undefined if the query has no text, or if the search does not say. */
  tier?: MatchTier | undefined
}

/** What a search found. */
export interface SearchAnswer {
  hits: readonly SearchHit[]
  /** How many there are in all, as far as they were looked for. */
  total: number
  /** Words that were read otherwise than they were spelt. */
  corrected?: readonly { from: string; to: string }[] | undefined
  /** What the filters excluded, if there is something to report about it. */
  omitted?: Omitted | undefined
}

/** As far as it was looked for; only of what the caller may see. */
export interface Omitted {
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
