import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CatalogueSignal } from '../../../src/signals/catalogue.ts'
import { allOf, passingRows } from '../../../src/signals/matching/candidates.ts'
import { createFilter } from '../../../src/signals/matching/filter.ts'
import type { SearchQuery } from '../../../src/signals/matching/query.ts'
import { createSignalIndex } from '../../../src/signals/matching/signal-index.ts'
import { staticTable } from '../../../src/signals/matching/static-table.ts'
import { catalogueSignal } from '../../support/memory-signals.ts'
import { runs } from '../../support/runs.ts'

const COUNTRIES = ['US', 'DE', 'FR']
const PRINCIPALS = ['p1', 'Acme', 'Other']
const price = fc.constantFrom(0, 1, 2.5, 5)
const option = fc.oneof(
  fc
    .tuple(price, fc.constantFrom('USD', 'EUR'))
    .map(([cpm, currency]) => ({ model: 'cpm' as const, cpm, currency })),
  price.map((percent) => ({ model: 'percent_of_media' as const, percent, currency: 'USD' })),
  price.map((amount) => ({
    model: 'flat_fee' as const,
    amount,
    currency: 'USD',
    period: 'monthly' as const,
  })),
)
const account = fc.option(fc.constantFrom('a', 'b'), { nil: undefined })
const place = fc.oneof(
  fc.record({
    type: fc.constant('platform' as const),
    platform: fc.constantFrom('x', 'y'),
    account,
  }),
  fc.record({
    type: fc.constant('agent' as const),
    agent_url: fc.constantFrom('https://x.example', 'https://y.example'),
    account,
  }),
)

const signal: fc.Arbitrary<Partial<CatalogueSignal>> = fc.record({
  signal_type: fc.constantFrom('marketplace', 'custom', 'owned'),
  data_provider: fc.constantFrom('Acme Data', 'ACME DATA', 'Beta'),
  coverage_percentage: fc.constantFrom(0, 10, 50, 100),
  countries: fc.subarray(COUNTRIES),
  pricing_options: fc
    .array(option, { minLength: 1, maxLength: 3 })
    .map((options) => options.map((one, at) => ({ pricing_option_id: `o${at}`, ...one }))),
  deployments: fc.array(
    fc
      .oneof(place, fc.constant({ type: 'agent' as const, agent_url: '*' }))
      .map((one) => ({ ...one, is_live: false })),
    { maxLength: 3 },
  ),
  visibility: fc.option(fc.record({ principals: fc.subarray(PRINCIPALS) }), { nil: undefined }),
  custom_pricing: fc.option(
    fc.dictionary(
      fc.constantFrom(...PRINCIPALS),
      fc.record({ cpm: price, currency: fc.constantFrom('USD', 'EUR') }),
    ),
    { nil: undefined },
  ),
})

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const query: fc.Arbitrary<Omit<SearchQuery, 'limit' | 'offset'>> = fc.record({
  principal: maybe(fc.constantFrom({ principal_id: 'p1', name: 'Acme' })),
  catalog_types: maybe(fc.subarray(['marketplace', 'custom', 'owned'])),
  data_providers: maybe(fc.subarray(['acme data', 'BETA'])),
  max_cpm: maybe(price),
  currency: fc.constantFrom('USD', 'EUR', 'GBP'),
  max_percent: maybe(price),
  min_coverage_percentage: maybe(fc.constantFrom(0, 10, 60)),
  countries: maybe(fc.subarray(COUNTRIES, { minLength: 1 })),
  deployments: maybe(fc.array(place, { minLength: 1, maxLength: 2 })),
})

test('lets through exactly what a look at each signal would', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(signal, { maxLength: 12 }), query, async (parts, requested) => {
      const signals = parts.map((part, at) =>
        catalogueSignal({ ...part, signal_agent_segment_id: `s${at}` }),
      )
      const index = createSignalIndex(staticTable())
      for (const one of signals) {
        index.put({ signal: one, version: 1, text_digest: '', changed_at: 0 })
      }
      const filter = createFilter(requested, index.shared)
      const places = allOf(await passingRows(index, filter, async () => {}))
      const ids = places.map((at) => index.rowOf(at).block.ids.get(index.rowOf(at).row))
      expect(ids.sort()).toEqual(
        signals
          .filter((one) => passes(one, requested))
          .map((one) => one.signal_agent_segment_id)
          .sort(),
      )
    }),
    { numRuns: runs({ usual: 50, all: 150 }) },
  )
})

/** The rules of the port, one after the other. */
test('spec 2.7: an agent’s URL is compared in its one spelling', async () => {
  const index = createSignalIndex(staticTable())
  const deployments = [
    { type: 'agent' as const, agent_url: 'https://Sales.example:443/agent/', is_live: false },
  ]
  const stored = { version: 1, text_digest: '', changed_at: 0 }
  index.put({ signal: catalogueSignal({ deployments }), ...stored })
  const count = async (agent_url: string) => {
    const filter = createFilter({ deployments: [{ type: 'agent', agent_url }] }, index.shared)
    return allOf(await passingRows(index, filter, async () => {})).length
  }
  expect(await count('https://sales.example/agent')).toBe(1)
  expect(await count('https://sales.example/Agent')).toBe(0)
})

function passes(one: CatalogueSignal, requested: Omit<SearchQuery, 'limit' | 'offset'>): boolean {
  const { principal } = requested
  const seesIt = (names: readonly string[]) =>
    principal !== undefined &&
    [principal.principal_id, principal.name].some((n) => names.includes(n))
  if (one.visibility && !seesIt(one.visibility.principals)) return false
  if (requested.catalog_types && !requested.catalog_types.includes(one.signal_type)) return false
  const provider = one.data_provider.toLowerCase()
  if (
    requested.data_providers &&
    !requested.data_providers.some((name) => name.toLowerCase() === provider)
  )
    return false
  if (one.coverage_percentage < (requested.min_coverage_percentage ?? 0)) return false
  if (requested.countries && one.countries.length > 0) {
    if (!requested.countries.some((code) => one.countries.includes(code))) return false
  }
  const agreed =
    principal &&
    (one.custom_pricing?.[principal.principal_id] ?? one.custom_pricing?.[principal.name])
  const options = agreed
    ? [{ model: 'cpm', ...agreed }, ...one.pricing_options.filter((o) => o.model !== 'cpm')]
    : one.pricing_options
  const { max_cpm, currency, max_percent } = requested
  const isCheap = (o: { cpm?: number; currency?: string | undefined }) =>
    max_cpm !== undefined && o.cpm !== undefined && o.currency === currency && o.cpm <= max_cpm
  if (max_cpm !== undefined && one.signal_type !== 'owned' && !options.some(isCheap)) return false
  const isSmall = (o: { percent?: number }) =>
    max_percent === undefined || o.percent === undefined || o.percent <= max_percent
  if (!options.some(isSmall)) return false
  if (!requested.deployments) return true
  return requested.deployments.some((target) =>
    one.deployments.some(
      (there) =>
        there.type === target.type &&
        ('platform' in there
          ? there.platform === (target as typeof there).platform
          : ['*', (target as typeof there).agent_url].includes(there.agent_url)) &&
        (there.account === undefined || there.account === target.account),
    ),
  )
}
