// What buyers ask and report once a buy is made, over loopback: figures by creative, feedback, and usage.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../support/app.ts'
import { catalogueProduct, DAY_MS } from '../support/media-buys.ts'

type Json = Record<string, unknown>

let app: TestApp
let key: string
let other: string

const ACCOUNT = { brand: { domain: 'acme.example' }, operator: 'agency.example' }
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const PERIOD = { start: '2026-01-01T00:00:00Z', end: '2026-01-31T00:00:00Z' }
let count = 0
const fresh = () => ({ idempotency_key: `reports-0123456789-${++count}` })

const task = async (name: string, body: Json, as = key, release = '3.2'): Promise<Json> =>
  (await call(`${app.url}/v3/${name}`, { key: as, body: { proto_version: release, ...body } }))
    .body as Json
const codesOf = (body: Json) => (body.errors as { code: string }[]).map(({ code }) => code)
const fieldOf = (body: Json) => (body.errors as { field?: string }[])[0]?.field

const banner = (creative_id: string) => ({
  creative_id,
  name: creative_id,
  format_id: { agent_url: app.url, id: 'display_300x250_image' },
  assets: {
    banner_image: { url: 'https://a.example/a.png', width: 300, height: 250 },
    click_url: { url: 'https://a.example/' },
  },
})

interface Bought {
  media_buy_id: string
  packages: { package_id: string }[]
}

async function bought(creative_assignments: Json[]): Promise<Bought> {
  const made = await task('create_media_buy', {
    ...fresh(),
    account: ACCOUNT,
    start_time: 'asap',
    end_time: inDays(9),
    packages: [
      { product_id: 'homepage', pricing_option_id: 'cpm_usd', budget: 500, creative_assignments },
    ],
  })
  return made as unknown as Bought
}

beforeAll(async () => {
  app = await startApp()
  key = await app.principal()
  other = await app.principal()
  await app.storage.transact((tx) => app.storage.products.put(tx, [catalogueProduct()]))
  const creatives = [banner('one'), banner('two')]
  const synced = await task('sync_creatives', { ...fresh(), creatives })
  expect(synced).toMatchObject({ creatives: [{ action: 'created' }, { action: 'created' }] })
})

afterAll(() => app.stop())

test('spec 4.5: figures by creative name the buy, the period and the currency, and add up to its own', async () => {
  const { media_buy_id, packages } = await bought([
    { creative_id: 'one', weight: 75 },
    { creative_id: 'two', weight: 25 },
  ])
  const body = await task('get_creative_delivery', { media_buy_ids: [media_buy_id] })
  expect(body).toMatchObject({
    status: 'completed',
    media_buy_id,
    currency: 'USD',
    reporting_period: { timezone: 'UTC' },
    creatives: [
      { creative_id: 'one', media_buy_id, format_kind: 'image', totals: { impressions: 0 } },
      { creative_id: 'two', media_buy_id, format_kind: 'image', variants: [] },
    ],
    pagination: { limit: 50, offset: 0, has_more: false, total_count: 2, total: 2 },
    ext: { divided_by_weight: packages.map(({ package_id }) => package_id) },
  })
  const older = await task('get_creative_delivery', { creative_ids: ['two'] }, key, '3.1')
  expect(older.creatives).toMatchObject([
    { creative_id: 'two', format_id: { id: 'display_300x250_image' } },
  ])
  const paged = await task('get_creative_delivery', {
    media_buy_ids: [media_buy_id],
    pagination: { max_results: 1 },
  })
  const { cursor } = paged.pagination as { cursor: string }
  const next = await task('get_creative_delivery', {
    media_buy_ids: [media_buy_id],
    pagination: { max_results: 1, cursor },
  })
  expect(next.creatives).toMatchObject([{ creative_id: 'two' }])
})

test('spec 4.5: figures by creative are their buyer’s alone, and nothing is invented for what is not there', async () => {
  const { media_buy_id } = await bought([{ creative_id: 'one' }])
  const foreign = await task('get_creative_delivery', { media_buy_ids: [media_buy_id] }, other)
  expect(codesOf(foreign)).toEqual(['MEDIA_BUY_NOT_FOUND'])
  const unknown = await task('get_creative_delivery', { creative_ids: ['none'] })
  expect(codesOf(unknown)).toEqual(['CREATIVE_NOT_FOUND'])
  const neither = await task('get_creative_delivery', {})
  expect(codesOf(neither)).toEqual(['INVALID_REQUEST'])
  const partly = await task('get_creative_delivery', { media_buy_ids: [media_buy_id, 'none'] })
  expect(partly).toMatchObject({
    status: 'completed',
    errors: [{ code: 'MEDIA_BUY_NOT_FOUND', field: 'media_buy_ids[1]' }],
  })
})

test('spec 4.5: feedback is kept once, for the seller to read, and replaced by a later one', async () => {
  const { media_buy_id, packages } = await bought([{ creative_id: 'one' }])
  const [{ package_id }] = packages as [{ package_id: string }]
  const said = {
    media_buy_id,
    package_id,
    creative_id: 'one',
    measurement_period: PERIOD,
    performance_index: 1.4,
  }
  const request = { ...fresh(), ...said }
  const first = await task('provide_performance_feedback', request)
  expect(first).toMatchObject({ success: true, application_status: 'accepted' })
  const again = await task('provide_performance_feedback', request)
  expect(again).toMatchObject({ replayed: true, feedback_id: first.feedback_id })
  const later = await task('provide_performance_feedback', {
    ...fresh(),
    ...said,
    performance_index: 0.9,
    supersedes_feedback_id: first.feedback_id,
  })
  const kept = await app.storage.feedback.list({ media_buy_id, limit: 10 })
  expect(kept).toHaveLength(2)
  expect(kept.find((one) => one.feedback_id === first.feedback_id)).toMatchObject({
    assertion: { performance_index: 1.4, creative_id: 'one' },
    superseded_by: later.feedback_id,
  })
})

test('spec 4.5: feedback about what is not the caller’s is refused with its place', async () => {
  const { media_buy_id } = await bought([{ creative_id: 'one' }])
  const about = (over: Json, as = key) =>
    task(
      'provide_performance_feedback',
      { ...fresh(), media_buy_id, measurement_period: PERIOD, performance_index: 1, ...over },
      as,
    )
  expect(codesOf(await about({}, other))).toEqual(['MEDIA_BUY_NOT_FOUND'])
  expect(codesOf(await about({ package_id: 'none', creative_id: 'two' }))).toEqual([
    'PACKAGE_NOT_FOUND',
    'CREATIVE_NOT_FOUND',
  ])
  expect(codesOf(await about({ supersedes_feedback_id: 'none' }))).toEqual(['REFERENCE_NOT_FOUND'])
  const turned = await about({ measurement_period: { start: PERIOD.end, end: PERIOD.start } })
  expect([codesOf(turned), fieldOf(turned)]).toEqual([
    ['INVALID_REQUEST'],
    'measurement_period.end',
  ])
  expect(codesOf(await about({ methodology: 'geo' }))).toEqual(['INVALID_REQUEST'])
})

test('spec 4.5: usage is kept record by record, and final figures take the place of earlier ones', async () => {
  const { media_buy_id } = await bought([{ creative_id: 'one' }])
  const record = (over: Json = {}) => ({
    account: ACCOUNT,
    media_buy_id,
    vendor_cost: 12.5,
    currency: 'USD',
    ...over,
  })
  const reported = (usage: Json[], as = key) =>
    task('report_usage', { ...fresh(), reporting_period: PERIOD, usage }, as)
  const mixed = await reported([
    record(),
    record({ pricing_option_id: 'none' }),
    record({ media_buy_id: undefined }),
    record({ account: { account_id: 'none' } }),
    record({ currency: 'EUR' }),
    record({ signal_agent_segment_id: 'none' }),
    record({ creative_id: 'none' }),
    record({ finalized_at: PERIOD.end }),
  ])
  expect(mixed).toMatchObject({ status: 'completed', accepted: 1 })
  expect((mixed.errors as Json[]).map(({ code, field }) => [code, field])).toEqual([
    ['INVALID_PRICING_OPTION', 'usage[1].pricing_option_id'],
    ['INVALID_USAGE_DATA', 'usage[2].media_buy_id'],
    ['ACCOUNT_NOT_FOUND', 'usage[3].account'],
    ['INVALID_USAGE_DATA', 'usage[4].currency'],
    ['REFERENCE_NOT_FOUND', 'usage[5].signal_agent_segment_id'],
    ['CREATIVE_NOT_FOUND', 'usage[6].creative_id'],
    ['INVALID_USAGE_DATA', 'usage[7].finalized_at'],
  ])
  const final = await reported([
    record({
      vendor_cost: 13,
      final: true,
      finalized_at: PERIOD.end,
      pricing_option_id: 'cpm_usd',
    }),
  ])
  expect(final).toMatchObject({ accepted: 1 })
  expect(final).not.toHaveProperty('errors')
  const kept = (await app.storage.usage.list({ limit: 100 })).filter(
    (one) => one.media_buy_id === media_buy_id,
  )
  expect(
    kept
      .map(({ usage_record, is_superseded }) => [usage_record.vendor_cost, is_superseded])
      .sort((a, b) => Number(a[0]) - Number(b[0])),
  ).toEqual([
    [12.5, true],
    [13, false],
  ])
  expect(await reported([record()], other)).toMatchObject({ accepted: 0 })
})

test('spec 4.5: an account has its currency and time zone for good, and buys in nothing else', async () => {
  const fixed = { ...ACCOUNT, currency: 'EUR', timezone: 'Europe/Amsterdam' }
  const nowhere = await task('sync_accounts', {
    ...fresh(),
    accounts: [{ ...ACCOUNT, timezone: 'Nowhere/None' }],
  })
  expect([codesOf(nowhere), fieldOf(nowhere)]).toEqual([
    ['INVALID_REQUEST'],
    'accounts[0].timezone',
  ])
  const synced = await task('sync_accounts', {
    ...fresh(),
    accounts: [fixed, { ...ACCOUNT, currency: 'USD' }],
  })
  const rows = synced.accounts as (Json & { account_id: string })[]
  expect(rows).toMatchObject([
    { action: 'created', currency: 'EUR', timezone: 'Europe/Amsterdam' },
    { action: 'created', currency: 'USD' },
  ])
  expect(new Set(rows.map(({ account_id }) => account_id)).size).toBe(2)
  const again = await task('sync_accounts', { ...fresh(), accounts: [fixed] })
  expect(again.accounts).toMatchObject([
    { action: 'unchanged', account_id: rows[0]?.account_id, currency: 'EUR' },
  ])
  const listed = await task('list_accounts', {})
  expect(listed.accounts).toContainEqual(
    expect.objectContaining({ account_id: rows[0]?.account_id, timezone: 'Europe/Amsterdam' }),
  )
  const buyFor = (account: Json) =>
    task('create_media_buy', {
      ...fresh(),
      account,
      start_time: 'asap',
      end_time: inDays(3),
      packages: [{ product_id: 'homepage', pricing_option_id: 'cpm_usd', budget: 500 }],
    })
  const refused = await buyFor(fixed)
  expect([codesOf(refused), fieldOf(refused)]).toEqual([['VALIDATION_ERROR'], 'account'])
  expect(await buyFor({ ...ACCOUNT, currency: 'USD' })).toMatchObject({ status: 'completed' })
})

test('spec 2.8: a frequency cap that caps nothing is refused, and one that caps is kept', async () => {
  const buyWith = (frequency_cap: Json) =>
    task('create_media_buy', {
      ...fresh(),
      account: ACCOUNT,
      start_time: 'asap',
      end_time: inDays(3),
      packages: [
        {
          product_id: 'homepage',
          pricing_option_id: 'cpm_usd',
          budget: 500,
          targeting_overlay: { frequency_cap },
        },
      ],
    })
  const empty = await buyWith({ max_impressions: 3 })
  expect([codesOf(empty), fieldOf(empty)]).toEqual([
    ['VALIDATION_ERROR'],
    'packages[0].targeting_overlay.frequency_cap',
  ])
  const cap = { max_impressions: 3, per: 'individuals', window: { interval: 1, unit: 'days' } }
  expect(await buyWith(cap)).toMatchObject({
    packages: [{ targeting_overlay: { frequency_cap: cap } }],
  })
})
