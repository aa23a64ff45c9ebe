// Signals of a catalogue with valid defaults, so that a test shows only what it is about.

import fc from 'fast-check'
import type { CatalogueSignal } from '../../src/signals/catalogue.ts'

export function catalogueSignal(overrides: Partial<CatalogueSignal> = {}): CatalogueSignal {
  return {
    signal_agent_segment_id: 'acme-ev-intenders',
    name: 'Electric Vehicle Intenders',
    description: 'People who compare electric cars and visit dealers.',
    signal_type: 'marketplace',
    data_provider: 'Acme Auto Data',
    coverage_percentage: 12.5,
    countries: ['US', 'CA'],
    pricing_options: [{ pricing_option_id: 'cpm', model: 'cpm', cpm: 2.5, currency: 'USD' }],
    deployments: [
      {
        type: 'platform',
        platform: 'the-trade-desk',
        is_live: false,
        estimated_activation_duration_minutes: 60,
      },
    ],
    tags: ['auto'],
    ...overrides,
  }
}

/** Signals that differ in id and words, from number `first`. */
export function manySignals(count: number, first = 0): CatalogueSignal[] {
  return Array.from({ length: count }, (_, index) => {
    const n = String(first + index).padStart(6, '0')
    return catalogueSignal({ signal_agent_segment_id: `s-${n}`, name: `Audience ${n}` })
  })
}

const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((text) => text.replace(/\p{Cc}|\p{Surrogate}|\ufffd/gu, '').trim())
  .filter((text) => text !== '')
const principal = fc.constantFrom('Demo buyer', 'other|one', '"quoted", or not')
const price = fc.record({
  cpm: fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100),
  currency: fc.constantFrom('USD', 'EUR', 'GBP'),
})
const account = fc.record({ account: word }, { requiredKeys: [] })
const live = fc.oneof(
  fc.record({
    is_live: fc.constant(true),
    activation_key: fc.record({ type: fc.constant('segment_id' as const), segment_id: word }),
  }),
  fc.record({
    is_live: fc.constant(false),
    estimated_activation_duration_minutes: fc.nat(2_880),
  }),
)
const deployment = fc
  .tuple(fc.constantFrom('platform' as const, 'agent' as const), word, account, live)
  .map(([type, name, of, state]) =>
    type === 'platform'
      ? { type, platform: name, ...of, ...state }
      : { type, agent_url: 'https://sales.example/agent', ...of, ...state },
  )
const option = fc.oneof(
  price.map((cpm) => ({ model: 'cpm' as const, ...cpm })),
  price.map(({ currency }) => ({ model: 'percent_of_media' as const, percent: 12, currency })),
  price.map(({ cpm, currency }) => ({
    model: 'per_unit' as const,
    unit: 'matched record',
    unit_price: cpm,
    currency,
  })),
)

/** Any signal as an import makes it. */
export const anySignal: fc.Arbitrary<CatalogueSignal> = fc
  .record(
    {
      signal_agent_segment_id: word,
      name: word,
      description: fc.tuple(word, fc.constantFrom(' ', '\n', '\r\n', ', ', '"'), word),
      signal_type: fc.constantFrom('marketplace' as const, 'custom' as const, 'owned' as const),
      data_provider: word,
      coverage_percentage: fc.integer({ min: 0, max: 1_000 }).map((tenths) => tenths / 10),
      countries: fc.uniqueArray(fc.constantFrom('US', 'GB', 'DE', 'FR')),
      options: fc.array(option, { minLength: 1, maxLength: 3 }),
      deployments: fc.uniqueArray(deployment, {
        maxLength: 4,
        selector: (one) =>
          [one.type, 'platform' in one ? one.platform : '', one.account].join('\0'),
      }),
      tags: fc.uniqueArray(word, { maxLength: 4 }),
      visibility: fc.record({ principals: fc.uniqueArray(principal, { minLength: 1 }) }),
      custom_pricing: fc.dictionary(principal, price),
      updated_at: fc.constant('2026-01-31T12:00:00.000Z'),
      categories: fc.array(word, { minLength: 1, maxLength: 3 }),
      taxonomy: fc.record({ id: word }),
      methodology: word,
      aged: fc.record({
        min: fc.nat(40),
        max: fc.integer({ min: 40, max: 150 }),
        include_unknown: fc.boolean(),
      }),
    },
    {
      requiredKeys: [
        ...(['signal_agent_segment_id', 'name', 'description', 'signal_type'] as const),
        ...(['data_provider', 'coverage_percentage', 'countries', 'options'] as const),
        ...(['deployments', 'tags'] as const),
      ],
    },
  )
  .map(({ options, description, aged, ...rest }) => ({
    ...rest,
    ...(aged && {
      restricted_attributes: ['health_data' as const, 'age' as const],
      demographic_predicate: { age: aged },
    }),
    description: description.join(''),
    pricing_options: options.map((one, index) => ({ pricing_option_id: `o${index}`, ...one })),
  }))
