import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tableOf } from '../../src/cli/answer-tables.ts'
import { fittedLines } from '../../src/cli/fitted-table.ts'

const rowsOf = (body: Record<string, unknown>) => tableOf(body)?.rows

test('spec 2.6: signals are displayed with coverage, price and where they are live', () => {
  const deployments = [
    {
      type: 'platform',
      platform: 'ttd',
      account: 'a1',
      is_live: true,
      activation_key: { type: 'segment_id', segment_id: 's9' },
    },
    { type: 'platform', platform: 'dv', is_live: false, estimated_activation_duration_minutes: 60 },
    {
      type: 'agent',
      agent_url: 'https://sales.example',
      is_live: true,
      activation_key: { type: 'key_value', key: 'k', value: 'v' },
    },
  ]
  const signal = {
    signal_agent_segment_id: 'ev',
    name: 'EV buyers',
    signal_type: 'marketplace',
    data_provider: 'Acme',
    coverage_percentage: 12.5,
    pricing: { cpm: 3, currency: 'USD' },
    deployments,
  }
  const options = [
    { model: 'flat_fee', amount: 100, period: 'monthly', currency: 'EUR' },
    { model: 'cpm', cpm: 1 },
  ]
  const other = { ...signal, pricing: undefined, pricing_options: options, deployments: [] }
  expect(rowsOf({ signals: [signal, other] })).toEqual([
    [
      'ev',
      'EV buyers',
      'marketplace',
      'Acme',
      '12.5 %',
      '3 USD CPM',
      'ttd/a1: live (s9), dv: not live, 60 min, https://sales.example: live (k=v)',
    ],
    ['ev', 'EV buyers', 'marketplace', 'Acme', '12.5 %', '100 EUR monthly +1', '-'],
  ])
})

test('spec 2.3: formats are displayed with their size and what they need', () => {
  const format = {
    format_id: { agent_url: 'https://a.example', id: 'display_300x250' },
    name: 'Banner',
    type: 'display',
    renders: [{ role: 'primary', dimensions: { width: 300, height: 250 } }],
    assets: [
      { asset_id: 'image', asset_type: 'image', required: true },
      { asset_id: 'tracker', asset_type: 'url', required: false },
    ],
  }
  const open = {
    format_id: 'old',
    name: 'Any',
    type: 'display',
    renders: [{ parameters_from_format_id: true }],
  }
  expect(rowsOf({ formats: [format, open] })).toEqual([
    ['display_300x250', 'Banner', 'display', '300×250', 'image'],
    ['old', 'Any', 'display', 'by its id', '-'],
  ])
})

test('previews have a row for each render', () => {
  const renders = [
    {
      render_id: 'r1',
      role: 'primary',
      preview_url: 'https://p.example/1',
      dimensions: { width: 1, height: 2 },
    },
    { render_id: 'r2', role: 'companion', preview_html: '<p>' },
  ]
  expect(rowsOf({ previews: [{ preview_id: 'p', input: { name: 'Phone' }, renders }] })).toEqual([
    ['p', 'Phone', 'primary', '1×2', 'https://p.example/1', '-'],
    ['p', 'Phone', 'companion', '-', '(html)', '-'],
  ])
})

test('media buys and their delivery are displayed with money and figures', () => {
  const buy = {
    media_buy_id: 'mb1',
    status: 'active',
    health: 'ok',
    total_budget: { amount: 10, currency: 'USD' },
    packages: [{}, {}],
  }
  expect(rowsOf({ media_buys: [buy, { ...buy, total_budget: 5, currency: 'EUR' }] })).toEqual([
    ['mb1', 'active', 'ok', '10 USD', '-', '-', '2'],
    ['mb1', 'active', 'ok', '5 EUR', '-', '-', '2'],
  ])
  const totals = { impressions: 1000, spend: 12.5, clicks: 3, ctr: 0.003 }
  const by_package = [{ package_id: 'p1', spend: 12.5 }]
  expect(
    rowsOf({
      media_buy_deliveries: [{ media_buy_id: 'mb1', status: 'active', totals, by_package }],
    }),
  ).toEqual([
    ['mb1', '(all)', 'active', '1000', '12.5', '3', '0.30 %'],
    ['', 'p1', '', '-', '12.5', '-', '-'],
  ])
})

test('an answer of another shape has no table, and no shape breaks one', () => {
  expect(tableOf({ products: [] })).toBeUndefined()
  const members = [
    'signals',
    'formats',
    'previews',
    'media_buys',
    'media_buy_deliveries',
    'deployments',
  ]
  fc.assert(
    fc.property(fc.constantFrom(...members), fc.array(fc.jsonValue()), (member, rows) => {
      const table = tableOf({ [member]: rows })
      expect(table && fittedLines(table, 80).every((line) => typeof line === 'string')).toBe(true)
    }),
  )
})
