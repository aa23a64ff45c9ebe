import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CatalogueSignal } from '../../src/signals/catalogue.ts'
import { readSignal } from '../../src/signals/read-signal.ts'
import { anySignal } from '../support/catalogue.ts'

const row = (overrides: Record<string, unknown> = {}) => ({
  signal_agent_segment_id: 'acme-ev',
  name: 'Electric Vehicle Intenders',
  description: 'People who compare electric cars.',
  signal_type: 'marketplace',
  data_provider: 'Acme',
  coverage_percentage: 12,
  countries: ['US'],
  pricing: { cpm: 2.5, currency: 'USD' },
  deployments: [{ type: 'platform', platform: 'the-trade-desk' }],
  ...overrides,
})

function read(overrides: Record<string, unknown> = {}): CatalogueSignal {
  const result = readSignal(row(overrides))
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  return result.signal
}

function faults(overrides: Record<string, unknown>): [string, string][] {
  const result = readSignal(row(overrides))
  if (result.ok) throw new Error('it was taken')
  return result.faults.map(({ pointer, message }) => [pointer, message])
}

const pointers = (overrides: Record<string, unknown>) => faults(overrides).map(([at]) => at)

test('spec 2.6: a plain row becomes a signal with all that may be left out', () => {
  expect(read()).toEqual({
    signal_agent_segment_id: 'acme-ev',
    name: 'Electric Vehicle Intenders',
    description: 'People who compare electric cars.',
    signal_type: 'marketplace',
    data_provider: 'Acme',
    coverage_percentage: 12,
    countries: ['US'],
    pricing_options: [{ pricing_option_id: 'cpm', model: 'cpm', cpm: 2.5, currency: 'USD' }],
    deployments: [
      {
        type: 'platform',
        platform: 'the-trade-desk',
        is_live: false,
        estimated_activation_duration_minutes: 60,
      },
    ],
    tags: [],
  })
})

test('everything that is wrong is reported at once, by its place', () => {
  const reported = faults({
    name: '',
    signal_type: 'rented',
    coverage_percentage: 101,
    countries: ['US', 'Germany'],
    pricing: { cpm: -1, currency: 'dollar' },
    deployments: [{ type: 'platform' }, { type: 'agent', agent_url: 'sales.example' }],
    updated_at: 'yesterday',
  })
  expect(reported.map(([pointer]) => pointer)).toEqual([
    '/name',
    '/signal_type',
    '/coverage_percentage',
    '/countries/1',
    '/pricing/cpm',
    '/pricing/currency',
    '/deployments/0/platform',
    '/deployments/1/agent_url',
    '/updated_at',
  ])
  for (const [, message] of reported) expect(message).toMatch(/^This (must|field is required)/)
})

test.each([
  'signal_agent_segment_id',
  'name',
  'description',
  'signal_type',
  'data_provider',
  'coverage_percentage',
  'pricing',
  'deployments',
])('a row without %s is refused, and so is one where it is null', (member) => {
  expect(pointers({ [member]: undefined })).toEqual([`/${member}`])
  expect(pointers({ [member]: null })).toEqual([`/${member}`])
})

test.each([null, 7, 'text', [], [{}]])('%j is no row', (value) => {
  expect(readSignal(value)).toMatchObject({ ok: false, faults: [{ pointer: '' }] })
})

test('control characters and broken characters are refused where they stand', () => {
  expect(pointers({ signal_agent_segment_id: 'a\0b' })).toEqual(['/signal_agent_segment_id'])
  expect(pointers({ name: 'two\nlines' })).toEqual(['/name'])
  expect(pointers({ description: 'half \ud800' })).toEqual(['/description'])
  expect(read({ description: 'two\nlines' }).description).toBe('two\nlines')
})

test('members by another name, in another case, with space around, or unknown are put right', () => {
  const signal = read({
    signal_agent_segment_id: '  acme-ev ',
    signal_type: undefined,
    catalog_type: 'Owned',
    last_updated: '2026-01-31',
    countries: ['us', ' GB', 'US'],
    tags: ['ev', ' ev ', 'auto'],
    data_provider_domain: null,
    visibility: null,
    nobody: { knows: 'this' },
  })
  expect(signal).toMatchObject({
    signal_agent_segment_id: 'acme-ev',
    signal_type: 'owned',
    updated_at: '2026-01-31T00:00:00.000Z',
    countries: ['US', 'GB'],
    tags: ['ev', 'auto'],
  })
  expect(Object.keys(signal)).not.toContain('nobody')
})

test.each([
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00.5+02:00', '2026-01-31T10:00:00.500Z'],
  ['2026-01-31 12:00', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
])('the time %s is kept as %s', (given, kept) => {
  expect(read({ updated_at: given }).updated_at).toBe(kept)
})

test('a row without countries is good everywhere', () => {
  expect(read({ countries: undefined }).countries).toEqual([])
})

describe('spec 2.6: the price', () => {
  test('of an owned signal is none, unless one is given', () => {
    const free = { pricing_option_id: 'cpm', model: 'cpm', cpm: 0, currency: 'USD' }
    expect(read({ signal_type: 'owned', pricing: undefined }).pricing_options).toEqual([free])
    expect(read({ signal_type: 'owned' }).pricing_options).toMatchObject([{ cpm: 2.5 }])
  })

  test('may be several options, which get an id and a model where they have none', () => {
    const { pricing_options } = read({
      pricing: undefined,
      pricing_options: [
        { cpm: 1, currency: 'EUR' },
        { model: 'cpm', cpm: 2, currency: 'USD', note: 'dropped' },
        { model: 'percent_of_media', percent: 12, max_cpm: 5, currency: 'USD' },
        {
          pricing_option_id: 'flat',
          model: 'flat_fee',
          amount: 9,
          period: 'monthly',
          currency: 'USD',
        },
      ],
    })
    expect(pricing_options).toEqual([
      { pricing_option_id: 'cpm', model: 'cpm', cpm: 1, currency: 'EUR' },
      { pricing_option_id: 'cpm-2', model: 'cpm', cpm: 2, currency: 'USD' },
      {
        pricing_option_id: 'percent_of_media',
        model: 'percent_of_media',
        percent: 12,
        max_cpm: 5,
        currency: 'USD',
      },
      {
        pricing_option_id: 'flat',
        model: 'flat_fee',
        amount: 9,
        period: 'monthly',
        currency: 'USD',
      },
    ])
  })

  test('has each option once, and at least one', () => {
    const option = { pricing_option_id: 'a', model: 'cpm', cpm: 1, currency: 'USD' }
    expect(pointers({ pricing_options: [option, option] })).toEqual([
      '/pricing_options/1/pricing_option_id',
    ])
    expect(pointers({ pricing_options: [] })).toEqual(['/pricing_options'])
    expect(pointers({ pricing_options: [{ model: 'barter' }] })).toEqual([
      '/pricing_options/0/model',
    ])
  })

  test('of a principal is a CPM with its currency', () => {
    const custom_pricing = { 'Demo buyer': { cpm: 1, currency: 'USD' } }
    expect(read({ custom_pricing }).custom_pricing).toEqual(custom_pricing)
    expect(pointers({ custom_pricing: { 'Demo buyer': { cpm: 1 } } })).toEqual([
      '/custom_pricing/Demo buyer/currency',
    ])
  })
})

describe('spec 2.7, 2.8: a deployment', () => {
  const deployment = (one: Record<string, unknown>) => read({ deployments: [one] }).deployments[0]

  test('that is live without a key gets one that is always the same', () => {
    expect(deployment({ type: 'platform', platform: 'x', is_live: true })).toEqual({
      type: 'platform',
      platform: 'x',
      is_live: true,
      activation_key: { type: 'segment_id', segment_id: 'acme-ev' },
    })
    expect(deployment({ agent_url: 'https://sales.example/a', is_live: true })).toMatchObject({
      type: 'agent',
      activation_key: { type: 'key_value', value: 'acme-ev' },
    })
  })

  test('keeps its own key, account and estimate', () => {
    const live = {
      type: 'platform',
      platform: 'x',
      account: 'a-1',
      is_live: true,
      activation_key: { type: 'segment_id', segment_id: 'own' },
    }
    expect(deployment(live)).toEqual(live)
    const later = { type: 'platform', platform: 'x', is_live: false }
    expect(deployment({ ...later, estimated_activation_duration_minutes: 5 })).toEqual({
      ...later,
      estimated_activation_duration_minutes: 5,
    })
  })

  test('that is not live has no key: a key is left out, with a warning', () => {
    const activation_key = { type: 'segment_id', segment_id: 'own' }
    const result = readSignal(row({ deployments: [{ platform: 'x', activation_key }] }))
    expect(result).toMatchObject({
      ok: true,
      warnings: [{ pointer: '/deployments/0/activation_key' }],
    })
    expect(deployment({ platform: 'x', activation_key })).not.toHaveProperty('activation_key')
  })

  test('spec 2.7: any agent is *, and live nowhere before one asks', () => {
    const any = { type: 'agent', agent_url: '*' }
    expect(deployment(any)).toMatchObject({ ...any, is_live: false })
    expect(pointers({ deployments: [{ ...any, is_live: true }] })).toEqual([
      '/deployments/0/is_live',
    ])
    expect(pointers({ deployments: [any, any] })).toEqual(['/deployments/1'])
  })

  test('has a target that no other has', () => {
    const one = { type: 'platform', platform: 'x' }
    expect(pointers({ deployments: [one, { ...one, is_live: true }] })).toEqual(['/deployments/1'])
    expect(read({ deployments: [one, { ...one, account: 'a' }] }).deployments).toHaveLength(2)
    expect(read({ deployments: [] }).deployments).toEqual([])
  })
})

describe('the people in it', () => {
  const aged = (age: unknown, restricted_attributes: unknown = ['age']) =>
    readSignal(row({ restricted_attributes, demographic_predicate: { age } }))

  test('are a predicate by age with the attribute that it touches', () => {
    const age = { min: 25, include_unknown: false }
    expect(aged(age)).toMatchObject({
      ok: true,
      signal: { demographic_predicate: { age }, restricted_attributes: ['age'] },
    })
  })

  test.each<[string, unknown, unknown, string]>([
    [
      'an age that nobody has',
      { min: 151, include_unknown: true },
      ['age'],
      '/demographic_predicate/age/min',
    ],
    [
      'ages the wrong way round',
      { min: 30, max: 20, include_unknown: true },
      ['age'],
      '/demographic_predicate/age/max',
    ],
    ['no age at all', { include_unknown: true }, ['age'], '/demographic_predicate/age/min'],
    [
      'not saying what of the unknown',
      { min: 18 },
      ['age'],
      '/demographic_predicate/age/include_unknown',
    ],
    [
      'an attribute that there is not',
      { min: 18, include_unknown: true },
      ['age', 'shoe'],
      '/restricted_attributes/1',
    ],
    [
      'not naming age',
      { min: 18, include_unknown: true },
      ['health_data'],
      '/restricted_attributes',
    ],
  ])('are refused by their place: %s', (_what, age, attributes, pointer) => {
    expect(aged(age, attributes)).toMatchObject({ ok: false, faults: [{ pointer }] })
  })
})

test('who may see it is at least one principal', () => {
  expect(pointers({ visibility: { principals: [] } })).toEqual(['/visibility/principals'])
  expect(read({ visibility: { principals: ['Demo buyer'] } }).visibility).toEqual({
    principals: ['Demo buyer'],
  })
})

test('what was read is read again as the same, without a warning', () => {
  fc.assert(
    fc.property(anySignal, (signal) => {
      const again = readSignal(JSON.parse(JSON.stringify(signal)))
      expect(again).toEqual({ ok: true, signal, warnings: [] })
    }),
  )
})

test('no JSON value makes it throw', () => {
  fc.assert(
    fc.property(
      fc.record(
        {
          signal_agent_segment_id: fc.jsonValue(),
          deployments: fc.jsonValue(),
          pricing_options: fc.jsonValue(),
          pricing: fc.jsonValue(),
          custom_pricing: fc.jsonValue(),
          updated_at: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
      (overrides) => {
        const result = readSignal({ ...row(), ...overrides })
        if (result.ok) expect(readSignal(result.signal)).toMatchObject({ ok: true })
        else expect(result.faults.length).toBeGreaterThan(0)
      },
    ),
  )
})
