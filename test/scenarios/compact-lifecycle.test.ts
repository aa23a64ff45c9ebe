// The tasks of 3.2 between a seller and a buyer over loopback: products are listed and bought, media plans are requested,
// refined, finalised, declined and accepted, and what was bought is controlled.

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { canonicalDigest } from '../../src/lib/canonical-json.ts'
import { decide } from '../../src/media-buys/approvals.ts'
import type { CatalogueProduct } from '../../src/protocol/schemas/product.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { catalogueProduct, DAY_MS } from '../support/media-buys.ts'

type Json = Record<string, unknown>

interface Proposal {
  proposal_id: string
  proposal_status: string
  parent_proposal_id?: string
  commercial_terms: Json & { purchases: Json[]; total_budget: { amount: number } }
  terms_digest: string
}

let app: TestApp
let key: string

const BRAND = { domain: 'acme.example' }
const ACCOUNT = { account: { brand: BRAND, operator: 'agency.example' } }

const PRODUCTS = [
  catalogueProduct({ product_id: 'video', name: 'Morning video', description: 'Clips.' }),
  catalogueProduct({ product_id: 'audio', name: 'Morning audio', description: 'Talk.' }),
  catalogueProduct({ product_id: 'signed', name: 'Takeover', requires_approval: true }),
]

const put = (products: readonly CatalogueProduct[]) =>
  app.storage.transact((tx) => app.storage.products.put(tx, products))

beforeAll(async () => {
  app = await startApp()
  key = await app.principal()
  await put(PRODUCTS)
})

afterAll(() => app.stop())

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
let count = 0
const fresh = () => ({ idempotency_key: `compact-0123456789-${++count}` })

const answer = (name: string, body: Json, as = key) =>
  call(`${app.url}/v3/${name}`, { key: as, body: { proto_version: '3.2', ...body } })
const task = async (name: string, body: Json, as = key): Promise<Json> =>
  (await answer(name, body, as)).body as Json
const codeOf = (body: Json) => (body.errors as { code: string }[] | undefined)?.[0]?.code
const fieldOf = (body: Json) => (body.errors as { field?: string }[] | undefined)?.[0]?.field

const listed = async (criteria?: Json) => {
  const body = await task('list_products', criteria ? { criteria } : {})
  return body as { feed_version: string; products: (Json & { product_id: string })[] }
}

async function purchase(over: Json = {}, purchases: Json[] = [{ product_id: 'video' }]) {
  const { feed_version } = await listed()
  return {
    ...fresh(),
    ...ACCOUNT,
    feed_version,
    start_time: inDays(1),
    end_time: inDays(9),
    purchases: purchases.map((one) => ({ pricing_option_id: 'cpm_usd', budget: 500, ...one })),
    ...over,
  }
}

async function proposed(over: Json = {}): Promise<Proposal> {
  const body = await task('request_proposals', {
    ...fresh(),
    brief: 'morning clips and talk',
    brand: BRAND,
    ...over,
  })
  return (body.proposals as Proposal[])[0] as Proposal
}

const refined = (...refinements: Json[]) => task('refine_proposals', { ...fresh(), refinements })

async function finalised({ proposal_id }: Proposal): Promise<Proposal> {
  const { results } = await refined({ proposal_id, action: 'finalize' })
  return (results as { proposal: Proposal }[])[0]?.proposal as Proposal
}

const accepted = ({ proposal_id, terms_digest }: Proposal, over: Json = {}, as = key) =>
  task(
    'accept_proposal',
    { ...fresh(), ...ACCOUNT, proposal_id, proposal_terms_digest: terms_digest, ...over },
    as,
  )

test('spec 4.5: the tasks of 3.2 are not there for callers of earlier releases', async () => {
  const older = await call(`${app.url}/v3/list_products`, { key, body: { proto_version: '3.1' } })
  expect(older.status).toBe(400)
  expect(older.body).toMatchObject({ proto_version: '3.1', errors: [{ code: 'INVALID_REQUEST' }] })
  const unnamed = await call(`${app.url}/v3/list_products`, { key, body: {} })
  expect(unnamed.body).toMatchObject({ outcome: 'listed', proto_version: '3.2' })
  const reported = (release: string) =>
    call(`${app.url}/v3/get_agent_capabilities`, { key, body: { proto_version: release } })
  const [before, now] = [await reported('3.1'), await reported('3.2')]
  expect((before.body as Json).tasks).not.toContain('buy_products')
  expect((before.body as { media_buy: Json }).media_buy.lifecycle_tools).toBeUndefined()
  expect((now.body as { media_buy: Json }).media_buy).toMatchObject({
    lifecycle_tools: expect.arrayContaining(['list_products', 'control_media_buy']),
    proposal_refinement: { supported_dimensions: expect.arrayContaining(['total_budget']) },
  })
})

test('spec 4.5: products are listed in pages, without a status and without names of formats', async () => {
  const first = await task('list_products', { max_results: 2, fields: ['pricing_options'] })
  expect(first).not.toHaveProperty('status')
  expect(first.products).toEqual([
    { product_id: 'audio', name: 'Morning audio', pricing_options: [expect.anything()] },
    { product_id: 'signed', name: 'Takeover', pricing_options: [expect.anything()] },
  ])
  const second = await task('list_products', { max_results: 2, cursor: first.next_cursor })
  expect(second.products).toMatchObject([{ product_id: 'video' }])
  expect(second).not.toHaveProperty('next_cursor')
  const { products, feed_version } = await listed({ product_ids: ['video'] })
  expect(products).toHaveLength(1)
  expect(products[0]).not.toHaveProperty('format_ids')
  const again = await task('list_products', { if_feed_version: feed_version })
  expect(again).toMatchObject({ outcome: 'unchanged', feed_version })
  expect(again).not.toHaveProperty('products')
})

test('spec 4.5: a criterion that is not served is refused, and never dropped', async () => {
  const body = await task('list_products', {
    criteria: { offer_filters: { exclusivity: 'exclusive' }, catalog: { catalog_id: 'c' } },
  })
  const errors = body.errors as { code: string; field: string }[]
  expect(errors.map(({ code, field }) => [code, field])).toEqual([
    ['UNSUPPORTED_FEATURE', 'criteria.catalog'],
    ['UNSUPPORTED_FEATURE', 'criteria.offer_filters.exclusivity'],
  ])
})

test('spec 4.5: products are bought as they were listed, and the terms are kept with a digest', async () => {
  const overlay = { geo_countries: ['US'], geo_regions: null }
  const request = await purchase({ name: 'Spring' }, [
    { product_id: 'video', targeting_overlay: overlay },
    { product_id: 'audio' },
  ])
  const made = await task('buy_products', request)
  expect(made).toMatchObject({ status: 'completed', name: 'Spring', revision: 1 })
  const agreed = made.accepted_proposal as Proposal
  expect(agreed).toMatchObject({
    proposal_status: 'accepted',
    proposal_kind: 'new_media_buy',
    media_buy_id: made.media_buy_id,
    commercial_terms: {
      source_feed_version: request.feed_version,
      brand: BRAND,
      total_budget: { amount: 1_000, currency: 'USD' },
      purchases: [
        { product_id: 'video', targeting_overlay: { geo_countries: ['US'] } },
        { product_id: 'audio' },
      ],
    },
  })
  expect(agreed.terms_digest).toBe(`sha256:${canonicalDigest(agreed.commercial_terms)}`)
  expect(made.purchase_bindings).toMatchObject([
    { purchase_index: 0, product_id: 'video' },
    { purchase_index: 1, product_id: 'audio' },
  ])
  const { media_buys } = await task('get_media_buys', { media_buy_ids: [made.media_buy_id] })
  expect(media_buys).toMatchObject([
    { name: 'Spring', accepted_proposal_id: agreed.proposal_id, total_budget: 1_000 },
  ])
})

test('spec 3.2: a purchase that is repeated under its key is made once', async () => {
  const request = await purchase()
  const [first, second] = [await task('buy_products', request), await task('buy_products', request)]
  expect(second).toMatchObject({ replayed: true, media_buy_id: first.media_buy_id })
  const other = await answer('buy_products', { ...request, name: 'Another' })
  expect(other.body).toMatchObject({ errors: [{ code: 'IDEMPOTENCY_CONFLICT' }] })
})

test('spec 4.5: what changed since it was listed is not bought', async () => {
  const request = await purchase()
  const [video] = PRODUCTS as [CatalogueProduct]
  await put([{ ...video, name: 'Dearer video' }])
  onTestFinished(() => put(PRODUCTS).then(() => {}))
  const body = await task('buy_products', request)
  expect([codeOf(body), fieldOf(body)]).toEqual(['CONFLICT', 'feed_version'])
})

test('spec 4.5: everything that is wrong with a purchase is reported with its place', async () => {
  const unserved = await task(
    'buy_products',
    await purchase({ frequency_cap: { max_impressions: 3 } }, [
      { product_id: 'video', catalog_ids: ['c'] },
    ]),
  )
  const errors = unserved.errors as { code: string; field: string }[]
  expect(errors.map(({ field }) => field)).toEqual(['frequency_cap', 'purchases[0].catalog_ids'])
  const unknown = await task('buy_products', await purchase({}, [{ product_id: 'none' }]))
  expect([codeOf(unknown), fieldOf(unknown)]).toEqual([
    'PRODUCT_NOT_FOUND',
    'purchases[0].product_id',
  ])
  const twice = await task('buy_products', await purchase({ brand: BRAND }))
  expect([codeOf(twice), fieldOf(twice)]).toEqual(['INVALID_REQUEST', 'brand'])
  const unpriced = await task('buy_products', await purchase({}, [{ budget: undefined }]))
  expect(codeOf(unpriced)).toBe('INVALID_REQUEST')
})

test('spec 3.4: a buy of 3.2 that the seller decides on waits, and has its terms when it is approved', async () => {
  const waiting = await task('buy_products', await purchase({}, [{ product_id: 'signed' }]))
  // The seller's decision is not asked of the caller.
  expect(waiting).toMatchObject({ status: 'submitted' })
  const task_id = waiting.task_id as string
  expect(await task('get_task_status', { task_id })).toMatchObject({ status: 'input-required' })
  await decide(app.storage, task_id, { approved: true, by: 'cli' })
  await eventually(async () => {
    const status = await task('get_task_status', { task_id, include_result: true })
    expect(status).toMatchObject({
      status: 'completed',
      task_type: 'buy_products',
      result: { accepted_proposal: { proposal_status: 'accepted' } },
    })
  })
})

test('spec 4.5: a plan is requested, revised, finalised and accepted, each under an id of its own', async () => {
  const first = await proposed({
    criteria: { offer_filters: { budget_range: { max: 2_000, currency: 'USD' } } },
    opportunity: { opportunity_id: 'spring' },
  })
  expect(first).toMatchObject({ proposal_status: 'draft', opportunity_id: 'spring' })
  expect(first.commercial_terms.total_budget).toEqual({ amount: 2_000, currency: 'USD' })
  const { results, products } = await refined({
    proposal_id: first.proposal_id,
    action: 'revise',
    constraints: { total_budget: { max: 1_500, currency: 'USD' } },
    product_changes: { audio: 'omit' },
  })
  const [
    {
      proposals: [second],
    },
  ] = results as [{ proposals: [Proposal] }]
  expect(second).toMatchObject({
    parent_proposal_id: first.proposal_id,
    opportunity_id: 'spring',
    commercial_terms: { purchases: [{ product_id: 'video', budget: 1_500 }] },
  })
  expect(products).toMatchObject([{ product_id: 'video' }])
  const held = await finalised(second)
  expect(held).toMatchObject({ proposal_status: 'committed', terms_digest: second.terms_digest })
  expect(held.proposal_id).not.toBe(second.proposal_id)
  expect((await finalised(second)).proposal_id).toBe(held.proposal_id)
  const [video] = PRODUCTS as [CatalogueProduct]
  const [option] = video.pricing_options as [CatalogueProduct['pricing_options'][number]]
  await put([{ ...video, pricing_options: [{ ...option, fixed_price: 99 }] }])
  onTestFinished(() => put(PRODUCTS).then(() => {}))
  const made = await accepted(held, { name: 'Held' })
  expect(made).toMatchObject({
    status: 'completed',
    name: 'Held',
    accepted_proposal: { proposal_id: held.proposal_id, terms_digest: held.terms_digest },
    purchase_bindings: [{ product_id: 'video' }],
  })
  const kept = await app.storage.transact((tx) =>
    app.storage.mediaBuys.lock(tx, { media_buy_id: made.media_buy_id as string }),
  )
  expect(kept?.packages).toMatchObject([{ budget: 1_500, pricing: { rate: option.fixed_price } }])
  expect(codeOf(await accepted(held))).toBe('INVALID_STATE')
})

test('spec 4.5: only who was offered a proposal accepts it, at the terms that it read', async () => {
  const draft = await proposed()
  expect(codeOf(await accepted(draft))).toBe('PROPOSAL_NOT_COMMITTED')
  const held = await finalised(draft)
  const other = { ...held, terms_digest: `sha256:${'A'.repeat(43)}` }
  expect(codeOf(await accepted(other))).toBe('CONFLICT')
  expect(codeOf(await accepted(held, { total_budget: { amount: 5, currency: 'USD' } }))).toBe(
    'VALIDATION_ERROR',
  )
  expect(codeOf(await accepted(held, {}, await app.principal()))).toBe('PROPOSAL_NOT_FOUND')
  const facade = await task('create_media_buy', {
    ...fresh(),
    proposal_id: held.proposal_id,
    start_time: held.commercial_terms.start_time,
    end_time: held.commercial_terms.end_time,
    total_budget: held.commercial_terms.total_budget,
  })
  expect(facade).toMatchObject({ status: 'completed', proposal_id: held.proposal_id })
})

test('spec 4.5: a requirement that cannot be met makes no draft, and a call that finalises does all or nothing', async () => {
  const draft = await proposed()
  const { proposal_id } = draft
  const { results } = await refined({
    proposal_id,
    action: 'revise',
    constraints: { cpm: { max: 0.01, currency: 'USD' } },
    product_changes: { none: 'include' },
  })
  expect(results).toEqual([
    {
      source_proposal_id: proposal_id,
      outcome: 'unable',
      reason_code: 'constraint_unsatisfiable',
      reason: expect.stringContaining('none cannot be included'),
      unsatisfied_constraints: ['cpm'],
      unsatisfied_product_changes: { none: 'include' },
    },
  ])
  const both = await refined(
    { proposal_id, action: 'finalize' },
    { proposal_id: 'none', action: 'finalize' },
  )
  expect(both.results).toMatchObject([{ outcome: 'unable' }, { outcome: 'unable' }])
  const mixed = await refined(
    { proposal_id, action: 'finalize' },
    { proposal_id: 'other', action: 'revise', ask: 'drop audio' },
  )
  expect(codeOf(mixed)).toBe('INVALID_REQUEST')
  const unread = await refined({ proposal_id, action: 'revise', alternatives: { count: 2 } })
  expect(unread).toMatchObject({
    errors: [{ code: 'UNSUPPORTED_FEATURE', details: { unsupported_dimension: 'alternatives' } }],
  })
})

test('spec 4.5: a brief that nothing matches is answered with a reason, which is no failure', async () => {
  const none = await answer('request_proposals', { ...fresh(), brief: 'zzzz', brand: BRAND })
  expect(none.status).toBe(200)
  expect(none.body).toMatchObject({ status: 'completed', outcome: 'rejected' })
  const little = await task('request_proposals', {
    ...fresh(),
    brief: 'morning',
    brand: BRAND,
    criteria: { offer_filters: { start_date: '2001-01-01' } },
  })
  expect([codeOf(little), fieldOf(little)]).toEqual([
    'INVALID_REQUEST',
    'criteria.offer_filters.start_date',
  ])
})

test('spec 4.5: what was declined stays declined, and cannot be refined or accepted', async () => {
  const draft = await proposed({ opportunity: { opportunity_id: 'autumn' } })
  const held = await finalised(draft)
  const declines = [
    { proposal_id: held.proposal_id, reason: 'price' },
    { proposal_id: 'none', reason: 'price' },
  ]
  const body = await task('decline_proposals', { ...fresh(), declines })
  expect(body).not.toHaveProperty('status')
  expect(body.results).toMatchObject([{ outcome: 'declined' }, { outcome: 'unable' }])
  const again = await task('decline_proposals', { ...fresh(), declines: declines.slice(0, 1) })
  expect(again.results).toMatchObject([{ outcome: 'declined' }])
  const { proposal_id } = held
  expect(codeOf(await refined({ proposal_id, action: 'revise', ask: 'drop audio' }))).toBe(
    'INVALID_STATE',
  )
  expect(codeOf(await accepted(held))).toBe('INVALID_STATE')
  const strange = await task('decline_proposals', {
    ...fresh(),
    declines: [{ proposal_id: draft.proposal_id, reason: 'price' }],
    opportunity: { opportunity_id: 'another' },
  })
  expect(codeOf(strange)).toBe('VALIDATION_ERROR')
})

test('spec 3.4: a buy is paused, renamed, scaled and canceled, each by the revision that was read', async () => {
  const made = await task(
    'buy_products',
    await purchase({}, [
      { product_id: 'video', targeting_overlay: { geo_countries: ['US'], language: ['en'] } },
      { product_id: 'audio', budget: 1_500 },
    ]),
  )
  const { media_buy_id } = made
  const [{ package_id: video }, { package_id: audio }] = made.purchase_bindings as [
    { package_id: string },
    { package_id: string },
  ]
  const control = (revision: number, body: Json) =>
    task('control_media_buy', { ...fresh(), ...ACCOUNT, media_buy_id, revision, ...body })
  const renamed = await control(1, { name: 'Autumn', paused: true })
  expect(renamed).toMatchObject({ status: 'completed', revision: 2, affected_package_ids: [] })
  expect(renamed.available_actions).toContainEqual({
    task: 'control_media_buy',
    action: 'resume',
    mode: 'self_serve',
  })
  const scaled = await control(2, {
    total_budget: { amount: 1_000, currency: 'USD' },
    packages: [{ package_id: video, targeting_overlay: { geo_countries: ['CA'], language: null } }],
  })
  expect(scaled).toMatchObject({ revision: 3, affected_package_ids: [video, audio] })
  const { media_buys } = await task('get_media_buys', { media_buy_ids: [media_buy_id] })
  expect(media_buys).toMatchObject([
    {
      name: 'Autumn',
      total_budget: 1_000,
      packages: [{ budget: 250, targeting_overlay: { geo_countries: ['CA'] } }, { budget: 750 }],
    },
  ])
  expect((media_buys as { packages: { targeting_overlay: Json }[] }[])[0]?.packages[0]).toEqual(
    expect.objectContaining({ targeting_overlay: { geo_countries: ['CA'] } }),
  )
  expect(codeOf(await control(2, { paused: false }))).toBe('CONFLICT')
  const mixed = await control(3, { canceled: true, paused: false })
  expect([codeOf(mixed), fieldOf(mixed)]).toEqual(['INVALID_REQUEST', 'paused'])
  const unserved = await control(3, { daily_budget_cap: 5, end_time: inDays(30) })
  expect((unserved.errors as Json[]).map(({ code }) => code)).toEqual([
    'UNSUPPORTED_FEATURE',
    'UNSUPPORTED_FEATURE',
  ])
  expect(await control(3, { canceled: true, cancellation_reason: 'over' })).toMatchObject({
    media_buy_status: 'canceled',
    available_actions: [],
  })
  const foreign = await task(
    'control_media_buy',
    { ...fresh(), ...ACCOUNT, media_buy_id, revision: 4, paused: true },
    await app.principal(),
  )
  expect(codeOf(foreign)).toBe('MEDIA_BUY_NOT_FOUND')
})
