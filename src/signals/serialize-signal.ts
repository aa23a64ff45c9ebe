// A signal as one caller receives it (spec 2.6): its own prices, only the requested targets, and the names used by
// both generations.

import { defined } from '../lib/defined.ts'
import type { Version } from '../protocol/releases/release-table.ts'
import { hasFeature } from '../protocol/releases/releases.ts'
import type { Deployment } from '../protocol/schemas/deployment.ts'
import type { PricingOption, Signal } from '../protocol/schemas/signal.ts'
import type { Known } from './access.ts'
import type { CatalogueSignal } from './catalogue.ts'
import type { SearchHit } from './matching/query.ts'
import { signalNames } from './signal-names.ts'

export interface Showing {
  caller: Known | undefined
  deployments: Deployment[]
  /** The name under which this agent vouches for signals if their provider has no domain. */
  agentUrl: string
  /** Why it was found, if the request has a search text. */
  hit?: Pick<SearchHit, 'relevance' | 'reason'> | undefined
  /** The requested price: `pricing` then has a matching one. */
  max_cpm?: number | undefined
  currency?: string | undefined
  /** Members wanted. Default all. */
  fields?: readonly string[] | undefined
  /** The caller's release. Default: members that every release has. */
  version?: Version | undefined
}

export function serializeSignal(
  signal: CatalogueSignal,
  { caller, deployments, agentUrl, hit, max_cpm, currency, fields, version }: Showing,
): Signal {
  const pricing_options = pricesFor(signal, caller)
  const { pricing, note } = cpmOf(signal, pricing_options, { max_cpm, currency })
  const { value_type, categories, range, taxonomy, methodology, refresh_cadence } = signal
  const { countries, updated_at } = signal
  const ext = {
    ...(hit ? { match_reason: hit.reason, relevance: hit.relevance } : {}),
    ...defined({ pricing_note: note, tags: signal.tags.length > 0 ? [...signal.tags] : undefined }),
  }
  const optional: Partial<Signal> = {
    pricing_options,
    ...signalNames(signal, agentUrl),
    ...present({ value_type, range, taxonomy, methodology, refresh_cadence }),
    ...defined({
      categories: categories && categories.length > 0 ? [...categories] : undefined,
      countries: countries.length > 0 ? [...countries] : undefined,
      last_updated: updated_at,
      ext: Object.keys(ext).length > 0 ? ext : undefined,
    }),
    ...disclosed(signal, version),
  }
  return {
    signal_agent_segment_id: signal.signal_agent_segment_id,
    name: signal.name,
    description: signal.description,
    signal_type: signal.signal_type,
    data_provider: signal.data_provider,
    coverage_percentage: signal.coverage_percentage,
    deployments,
    pricing,
    ...(fields ? onlyWanted(optional, withCompanions(fields)) : optional),
  }
}

/** Demographic data about its audience, for callers with a release that supports it. */
function disclosed(
  { restricted_attributes, demographic_predicate }: CatalogueSignal,
  version: Version | undefined,
): Partial<Signal> {
  if (!version || !hasFeature(version, 'restricted_attributes')) return {}
  const hasPredicate = hasFeature(version, 'demographic_predicate')
  return present({ restricted_attributes, ...(hasPredicate ? { demographic_predicate } : {}) })
}

/** A predicate is never sent without the attributes that it touches. */
function withCompanions(fields: readonly string[]): readonly string[] {
  return fields.includes('demographic_predicate') ? [...fields, 'restricted_attributes'] : fields
}

/** Members that a response may omit are left out; the required ones are kept. */
const ALWAYS: readonly string[] = ['signal_id', 'signal_ref', 'ext']

function onlyWanted(optional: Partial<Signal>, fields: readonly string[]): Partial<Signal> {
  return Object.fromEntries(
    Object.entries(optional).filter(
      ([member]) => ALWAYS.includes(member) || fields.includes(member),
    ),
  )
}

/** Every pricing option, with the price negotiated with this caller instead of the list's CPM. */
export function pricesFor(
  { pricing_options, custom_pricing = {} }: CatalogueSignal,
  caller: Known | undefined,
): PricingOption[] {
  const agreed =
    caller && (own(custom_pricing, caller.principal_id) ?? own(custom_pricing, caller.name))
  if (!agreed) return [...pricing_options]
  const listed = pricing_options.find(({ model }) => model === 'cpm')
  const others = pricing_options.filter(({ model }) => model !== 'cpm')
  const pricing_option_id = listed?.pricing_option_id ?? 'agreed-cpm'
  return [{ pricing_option_id, model: 'cpm', ...agreed }, ...others]
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/**
 * The specification's price: that of the first CPM option, or of the first matching one if a price was requested;
 * without a CPM option, the maximum that a share of media amounts to.
 */
function cpmOf(
  { signal_type }: CatalogueSignal,
  options: readonly PricingOption[],
  most: Pick<Showing, 'max_cpm' | 'currency'>,
): { pricing: Signal['pricing']; note?: string } {
  const byCpms = options.filter((option) => option.model === 'cpm')
  const fits = (option: { cpm: number; currency: string }) =>
    most.max_cpm !== undefined && option.currency === most.currency && option.cpm <= most.max_cpm
  const byCpm = byCpms.find(fits) ?? byCpms[0]
  const currency = byCpm?.currency ?? options.find((option) => option.currency)?.currency ?? 'USD'
  if (signal_type === 'owned') return { pricing: { cpm: 0, currency } }
  if (byCpm) return { pricing: { cpm: byCpm.cpm, currency } }
  const byShare = options.find((option) => option.model === 'percent_of_media')
  return {
    pricing: { cpm: byShare?.max_cpm ?? 0, currency },
    note: 'this signal is not priced by CPM: see pricing_options',
  }
}

function present<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Partial<T>
}
