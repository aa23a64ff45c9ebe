// A catalogue in memory, and a search over it that knows words and nothing of their meaning: for tests of
// what is done with a search's answers.

import { ANY_PLACE, placeKey } from '../../src/protocol/target-place.ts'
import type { CatalogueSignal, StoredSignal } from '../../src/signals/catalogue.ts'
import type { SearchQuery, TargetFilter } from '../../src/signals/matching/query.ts'
import type { SignalSearch } from '../../src/signals/search/signal-search.ts'
import type { SignalStore } from '../../src/signals/store.ts'

export function catalogueSignal(over: Partial<CatalogueSignal> = {}): CatalogueSignal {
  return {
    signal_agent_segment_id: 'ev-intenders',
    name: 'Electric Vehicle Intenders',
    description: 'People who compare electric cars and plan to buy one within six months.',
    signal_type: 'marketplace',
    data_provider: 'Motor Minds',
    data_provider_domain: 'motor-minds.example',
    coverage_percentage: 12.5,
    countries: ['US', 'DE'],
    pricing_options: [{ pricing_option_id: 'cpm', model: 'cpm', cpm: 4.5, currency: 'USD' }],
    deployments: [
      {
        type: 'platform',
        platform: 'sandbox',
        is_live: false,
        estimated_activation_duration_minutes: 60,
      },
    ],
    tags: [],
    ...over,
  }
}

export interface MemorySignals extends Pick<SignalStore, 'get' | 'ids' | 'latest'> {
  put(...signals: CatalogueSignal[]): void
  remove(id: string): void
  all(): CatalogueSignal[]
}

export function memorySignals(...given: CatalogueSignal[]): MemorySignals {
  const byId = new Map<string, StoredSignal>()
  let seq = 0
  const put = (...signals: CatalogueSignal[]) => {
    for (const signal of signals) {
      const version = (byId.get(signal.signal_agent_segment_id)?.version ?? 0) + 1
      const stored = { signal, version, text_digest: '', changed_at: 0 }
      byId.set(signal.signal_agent_segment_id, stored)
      seq++
    }
  }
  put(...given)
  return {
    put,
    remove: (id) => {
      if (byId.delete(id)) seq++
    },
    all: () => [...byId.values()].map(({ signal }) => signal),
    latest: async () => seq,
    ids: async (after = '', limit) =>
      [...byId.keys()]
        .sort()
        .filter((id) => id > after)
        .slice(0, limit),
    get: async (ids) =>
      new Map(ids.flatMap((id) => (byId.has(id) ? [[id, byId.get(id) as StoredSignal]] : []))),
  }
}

/** By how many of the words a signal has; nothing when it has none of them. */
export function naiveSearch(
  all: () => readonly CatalogueSignal[] | Promise<readonly CatalogueSignal[]>,
): SignalSearch {
  return {
    status: async () => ({ signals: (await all()).length, vectors: 0, model: { state: 'unused' } }),
    search: async (query) => {
      const fitting = (await all()).filter(
        (signal) => passes(signal, query) && scoreOf(signal, query.signal_spec) > 0,
      )
      const affordable = fitting.filter((signal) => isWithin(signal, query))
      const byCpm = fitting.length - affordable.length
      const hits = affordable
        .map((signal) => ({
          id: signal.signal_agent_segment_id,
          score: scoreOf(signal, query.signal_spec),
        }))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .map(({ id, score }) => ({
          signal_agent_segment_id: id,
          relevance: score,
          reason: 'shares words',
        }))
      const { offset, limit } = query
      return {
        hits: hits.slice(offset, offset + limit),
        total: hits.length,
        ...(byCpm > 0 ? { omitted: { byCpm, better: { count: 0, filters: [], places: [] } } } : {}),
      }
    },
  }
}

function passes(signal: CatalogueSignal, query: SearchQuery): boolean {
  const {
    among,
    principal,
    catalog_types,
    data_providers,
    min_coverage_percentage,
    countries,
    deployments,
  } = query
  const names = signal.visibility?.principals
  if (
    names &&
    !(principal && [principal.principal_id, principal.name].some((n) => names.includes(n)))
  ) {
    return false
  }
  return (
    (!among || among.includes(signal.signal_agent_segment_id)) &&
    (!catalog_types || catalog_types.includes(signal.signal_type)) &&
    (!data_providers ||
      data_providers.some((one) => one.toLowerCase() === signal.data_provider.toLowerCase())) &&
    signal.coverage_percentage >= (min_coverage_percentage ?? 0) &&
    (!countries ||
      signal.countries.length === 0 ||
      signal.countries.some((one) => countries.includes(one))) &&
    (!deployments || deployments.some((target) => goesTo(signal, target)))
  )
}

function isWithin(signal: CatalogueSignal, { principal, max_cpm, currency }: SearchQuery): boolean {
  if (max_cpm === undefined || signal.signal_type === 'owned') return true
  const { custom_pricing = {} } = signal
  const own =
    principal && (custom_pricing[principal.principal_id] ?? custom_pricing[principal.name])
  const options = own ? [{ model: 'cpm' as const, ...own }] : signal.pricing_options
  return options.some(
    (one) => one.model === 'cpm' && one.currency === currency && one.cpm <= max_cpm,
  )
}

function goesTo({ deployments }: CatalogueSignal, target: TargetFilter): boolean {
  return deployments.some((one) => {
    const isThere =
      one.type === target.type && [placeKey(target), ANY_PLACE].includes(placeKey(one))
    return isThere && (one.account === undefined || one.account === target.account)
  })
}

function scoreOf({ name, description }: CatalogueSignal, signal_spec: string | undefined): number {
  if (signal_spec === undefined) return 1
  const text = `${name} ${description}`.toLowerCase()
  const words = signal_spec
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word.length > 2)
  const shared = words.filter((word) => text.includes(word)).length
  return words.length === 0 ? 0 : shared / words.length
}
