// A signal as it is in the operator's catalogue (spec 2.6): its name and meaning, who may see it, what it costs, and
// where it can go. `serialize-signal.ts` creates what a caller receives.

import type { ActivationKey } from '../protocol/schemas/deployment.ts'
import type { PricingOption, Signal } from '../protocol/schemas/signal.ts'

/** A signal as it is stored in the catalogue. */
export interface CatalogueSignal
  extends Pick<Signal, 'value_type' | 'categories' | 'range' | 'taxonomy'>,
    Pick<Signal, 'methodology' | 'refresh_cadence'>,
    Pick<Signal, 'restricted_attributes' | 'demographic_predicate'> {
  signal_agent_segment_id: string
  name: string
  description: string
  signal_type: Signal['signal_type']
  data_provider: string
  data_provider_domain?: string | undefined
  /** Percentage of the agent's population, 0 to 100. */
  coverage_percentage: number
  /** ISO codes; empty where it can be used everywhere. */
  countries: readonly string[]
  /** At least one; the first CPM option is returned as `pricing`. */
  pricing_options: readonly PricingOption[]
  deployments: readonly CatalogueDeployment[]
  /** The only principals, by id or name, that may see it. Absent: everyone. */
  visibility?: { principals: readonly string[] } | undefined
  /** By a principal's id or name. */
  custom_pricing?: Readonly<Record<string, { cpm: number; currency: string }>> | undefined
  tags: readonly string[]
  /** When its provider last refreshed it, as ISO 8601 in UTC. */
  updated_at?: string | undefined
}

/** Where a signal can go. Without an account it is platform-wide: valid for every account there. */
export type CatalogueDeployment = (
  | { type: 'platform'; platform: string }
  | { type: 'agent'; agent_url: string }
) & {
  account?: string | undefined
  /** Whether it can be used there without prior activation. */
  is_live: boolean
  /** Present only where it is live. */
  activation_key?: ActivationKey | undefined
  estimated_activation_duration_minutes?: number | undefined
}

/** Since when a signal has been live where the catalogue says that it is live, if known. */
export function liveSince({
  signal,
  changed_at,
}: Pick<StoredSignal, 'changed_at'> & Partial<StoredSignal>): string {
  return signal?.updated_at ?? new Date(changed_at).toISOString()
}

/** A signal with the store's data about it. */
export interface StoredSignal {
  signal: CatalogueSignal
  /** Starts at 1; incremented with each change of content. */
  version: number
  /** SHA-256 of name and description as they are embedded: identifies its vector. */
  text_digest: string
  /** When this version was added to the catalogue, in milliseconds. */
  changed_at: number
}
