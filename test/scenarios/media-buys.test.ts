// A seller's server and a buyer over loopback: products, buys, their changes, and the seller's approval.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEgress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { decide } from '../../src/media-buys/approvals.ts'
import { ask } from '../../src/media-buys/ask-buyer.ts'
import { subjectOfBuy, subjectOfReports } from '../../src/media-buys/buy-channels.ts'
import { createA2aClient } from '../../src/transports/a2a/client.ts'
import { throughEgress } from '../../src/transports/client.ts'
import { createMcpClient } from '../../src/transports/mcp/client.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { catalogueProduct, DAY_MS } from '../support/media-buys.ts'
import { onEveryTransport } from '../support/transports.ts'

type Json = Record<string, unknown>

let app: TestApp
let key: string
let operator: string
const received: { path: string; body: Json }[] = []
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  received.push({
    path: request.url ?? '',
    body: JSON.parse(String(Buffer.concat(chunks))) as Json,
  })
  response.end()
})
let hooks: string

beforeAll(async () => {
  app = await startApp({ config: { approveAbove: ['USD:5000'] } })
  key = await app.principal()
  operator = await app.principal('tasks', 'operator', 'approver')
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const option = catalogueProduct().pricing_options[0]!
  await app.storage.transact((tx) =>
    app.storage.products.put(tx, [
      catalogueProduct(),
      catalogueProduct({ product_id: 'sponsorship', name: 'Podcast', requires_approval: true }),
      catalogueProduct({
        product_id: 'euro',
        name: 'Cinema spots',
        channels: ['cinema'],
        pricing_options: [{ ...option, pricing_option_id: 'eur', currency: 'EUR' }],
      }),
      catalogueProduct({ product_id: 'hidden', visible_to: ['prn_nobody'] }),
    ]),
  )
})

afterAll(async () => {
  await app.stop()
  receiver.closeAllConnections()
  receiver.close()
})

const task = (name: string, body: Json, as = key) =>
  call(`${app.url}/v3/${name}`, { key: as, body })
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const reportedAt = (path: string) =>
  received.filter((one) => one.path === path).map(({ body }) => body)

const request = (over: Json = {}, terms: Json = {}): Json => ({
  start_time: inDays(1),
  end_time: inDays(5),
  packages: [{ product_id: 'homepage', budget: 1_000, pricing_option_id: 'cpm_usd', ...terms }],
  ...over,
})

async function bought(over: Json = {}, terms: Json = {}): Promise<Json> {
  const { status, body } = await task('create_media_buy', request(over, terms))
  expect(body).toMatchObject({ status: 'completed' })
  expect(status).toBe(200)
  return body
}

const buyOf = async (id: unknown, as = key) =>
  (await task('get_media_buys', { media_buy_ids: [id] }, as)).body.media_buys as Json[]

async function creative(id: string): Promise<string> {
  const { body } = await task('sync_creatives', {
    creatives: [
      {
        creative_id: id,
        name: id,
        format_id: { agent_url: app.url, id: 'display_300x250_image' },
        assets: {
          banner_image: { url: 'https://a.example/a.png', width: 300, height: 250 },
          click_url: { url: 'https://a.example/' },
        },
      },
    ],
  })
  expect(body).toMatchObject({ status: 'completed' })
  return id
}

test('products are found by their words and filters, and hidden ones are not there', async () => {
  const found = async (body: Json) =>
    ((await task('get_products', body)).body.products as Json[]).map((one) => one.product_id)
  expect(await found({})).toEqual(['euro', 'homepage', 'sponsorship'])
  expect(await found({ brief: 'a podcast please' })).toEqual(['sponsorship'])
  expect(await found({ filters: { channels: ['Cinema'] } })).toEqual(['euro'])
  expect(await found({ filters: { budget_range: { max: 50 } } })).toEqual([])
  const first = await task('get_products', { pagination: { max_results: 2 } })
  const { cursor } = first.body.pagination as Json
  expect(await found({ pagination: { max_results: 2, cursor } })).toEqual(['sponsorship'])
})

test('spec 4.5: a product says which words of the brief it has, as the brief writes them', async () => {
  const { body } = await task('get_products', { brief: 'Podcasting for runners, podcasts too' })
  expect(body.products).toMatchObject([
    { product_id: 'sponsorship', brief_relevance: 'it shares these words: Podcasting' },
  ])
})

test('spec 3.4: a buy waits for its creatives, and continues when they are assigned', async () => {
  const push_notification_config = { url: `${hooks}/supplied`, operation_id: 'op-supplied' }
  const made = await bought({ start_time: 'asap', push_notification_config })
  expect(made).toMatchObject({ media_buy_status: 'pending_creatives', revision: 1 })
  const [one] = made.packages as Json[]
  const creative_id = await creative('banner-1')
  await task('sync_creatives', {
    creatives: [
      {
        creative_id,
        name: creative_id,
        format_id: { agent_url: app.url, id: 'display_300x250_image' },
        assets: {
          banner_image: { url: 'https://a.example/a.png', width: 300, height: 250 },
          click_url: { url: 'https://a.example/' },
        },
      },
    ],
    assignments: [{ creative_id, package_id: one?.package_id }],
  })
  expect(await buyOf(made.media_buy_id)).toMatchObject([
    { status: 'active', media_buy_status: 'active', revision: 2 },
  ])
  await eventually(() => expect(reportedAt('/supplied')).toHaveLength(1))
  expect(reportedAt('/supplied')[0]).toMatchObject({
    operation_id: 'op-supplied',
    result: { media_buy_id: made.media_buy_id, status: 'active', media_buy_status: 'active' },
  })
})

test('spec 4.5: creatives are listed by the media buys that they are in, and an unknown buy gives a note', async () => {
  const [inOne, inBoth] = [await creative('in-one'), await creative('in-both')]
  await creative('in-none')
  const assigned = (...ids: string[]) => ({
    creative_assignments: ids.map((creative_id) => ({ creative_id })),
  })
  const first = await bought({}, assigned(inOne, inBoth))
  const second = await bought({}, assigned(inBoth))
  const listed = async (filters: Json, as = key) => {
    const { body } = await task('list_creatives', { filters }, as)
    const ids = (body.creatives as Json[]).map(({ creative_id }) => creative_id).sort()
    return { ids, total: (body.query_summary as Json).total_matching, ext: body.ext }
  }
  expect(await listed({ media_buy_ids: [first.media_buy_id] })).toEqual({
    ids: [inBoth, inOne],
    total: 2,
  })
  const both = [second.media_buy_id, 'mb_none']
  const request_notes = ['/filters/media_buy_ids/1: no media buy mb_none was found']
  expect(await listed({ media_buy_ids: both })).toEqual({
    ids: [inBoth],
    total: 1,
    ext: { request_notes },
  })
  const named = { media_buy_ids: [first.media_buy_id], creative_ids: [inOne, 'in-none'] }
  expect(await listed(named)).toMatchObject({ ids: [inOne] })
  const foreign = await listed({ media_buy_ids: [first.media_buy_id] }, operator)
  expect(foreign).toMatchObject({ ids: [], ext: { request_notes: [expect.any(String)] } })
})

test('spec 4.5: an outdated revision is a conflict, and nothing is changed', async () => {
  const { media_buy_id } = await bought()
  const paused = await task('update_media_buy', { media_buy_id, revision: 1, paused: true })
  expect(paused.body).toMatchObject({ status: 'completed', revision: 2 })
  const late = await task('update_media_buy', { media_buy_id, revision: 1, canceled: true })
  expect(late.status).toBe(409)
  expect(late.body).toMatchObject({ errors: [{ code: 'CONFLICT' }] })
  expect(await buyOf(media_buy_id)).toMatchObject([{ revision: 2, status: 'pending_creatives' }])
})

test('a change of money, dates and packages is made together, or not at all', async () => {
  const made = await bought()
  const { media_buy_id } = made
  const [one] = made.packages as Json[]
  const change = {
    media_buy_id,
    end_time: inDays(9),
    packages: [{ package_id: one?.package_id, budget: 1_500, pacing: 'even' }],
    new_packages: [{ product_id: 'homepage', budget: 250 }],
  }
  const wrong = await task('update_media_buy', {
    ...change,
    new_packages: [{ product_id: 'missing', budget: 1 }],
  })
  expect(wrong.body).toMatchObject({ errors: [{ code: 'PRODUCT_NOT_FOUND' }] })
  expect(await buyOf(media_buy_id)).toMatchObject([{ revision: 1, total_budget: 1_000 }])
  const { body } = await task('update_media_buy', change)
  expect(body).toMatchObject({ revision: 2 })
  expect(body.affected_packages).toHaveLength(2)
  expect(await buyOf(media_buy_id)).toMatchObject([{ total_budget: 1_750, revision: 2 }])
})

test('spec 3.4: what was canceled stays so', async () => {
  const { media_buy_id } = await bought()
  const cancel = { media_buy_id, canceled: true, cancellation_reason: 'not needed' }
  const done = await task('update_media_buy', cancel)
  expect(done.body).toMatchObject({ media_buy_status: 'canceled', valid_actions: [] })
  const again = await task('update_media_buy', cancel)
  expect(again.body).toMatchObject({ errors: [{ code: 'NOT_CANCELLABLE' }] })
  const paused = await task('update_media_buy', { media_buy_id, paused: true })
  expect(paused.body).toMatchObject({ errors: [{ code: 'INVALID_STATE' }] })
  expect(await buyOf(media_buy_id)).toMatchObject([
    { status: 'canceled', cancellation: { canceled_by: 'buyer', reason: 'not needed' } },
  ])
})

test('everything that is wrong with a buy is reported at once, and nothing is bought', async () => {
  const { status, body } = await task('create_media_buy', {
    start_time: inDays(2),
    end_time: inDays(1),
    packages: [
      { product_id: 'homepage', budget: 5, pricing_option_id: 'cpm_usd' },
      { product_id: 'hidden', budget: 500 },
      { product_id: 'euro', budget: 500, targeting_overlay: { moon_phase: 'full' } },
      { product_id: 'homepage', budget: 500, creative_ids: ['no-such'] },
    ],
  })
  expect(status).toBe(400)
  expect((body.errors as Json[]).map(({ code }) => code).sort()).toEqual(
    [
      'BUDGET_TOO_LOW',
      'CREATIVE_NOT_FOUND',
      'PRODUCT_NOT_FOUND',
      'UNSUPPORTED_FEATURE',
      'INVALID_REQUEST',
      'VALIDATION_ERROR',
      'VALIDATION_ERROR',
      'VALIDATION_ERROR',
      'VALIDATION_ERROR',
    ].sort(),
  )
})

test('spec 2.8: targeting names only keys of signals that are live for the caller', async () => {
  const activation_keys = [{ type: 'segment_id', segment_id: 'somebody-elses' }]
  const { body } = await task(
    'create_media_buy',
    request({}, { targeting_overlay: { activation_keys } }),
  )
  expect(body).toMatchObject({ errors: [{ code: 'REFERENCE_NOT_FOUND' }] })
})

test('spec 2.8: a place that is included and excluded is refused, and others are not', async () => {
  const geo_countries = ['US', 'DE']
  const ask = (geo_countries_exclude: string[]) => {
    const targeting_overlay = { geo_countries, geo_countries_exclude }
    return task('create_media_buy', request({}, { targeting_overlay }))
  }
  expect((await ask(['FR', 'DE'])).body).toMatchObject({
    errors: [
      {
        code: 'VALIDATION_ERROR',
        field: '/packages/0/targeting_overlay/geo_countries_exclude/1',
      },
    ],
  })
  expect((await ask(['FR'])).body).toMatchObject({ media_buy_status: 'pending_creatives' })
})

test('spec 2.8: products are not sought for a country that is included and excluded', async () => {
  const targeting_overlay = { geo_countries: ['US', 'DE'], geo_countries_exclude: ['FR', 'DE'] }
  expect((await task('get_products', { targeting_overlay })).body).toMatchObject({
    errors: [{ code: 'VALIDATION_ERROR', field: '/targeting_overlay/geo_countries_exclude/1' }],
  })
  const criteria = { targeting_overlay }
  const listed = await task('list_products', { proto_version: '3.2', criteria })
  expect(listed.body).toMatchObject({
    errors: [
      {
        code: 'VALIDATION_ERROR',
        field: 'criteria.targeting_overlay.geo_countries_exclude[1]',
      },
    ],
  })
  const unknown = await task('get_products', { targeting_overlay: { weather: ['rain'] } })
  expect(unknown.body).toMatchObject({
    errors: [{ code: 'UNSUPPORTED_FEATURE', field: '/targeting_overlay/weather' }],
  })
  const elsewhere = { targeting_overlay: { geo_countries: ['US'], geo_countries_exclude: ['FR'] } }
  expect((await task('get_products', elsewhere)).body).toMatchObject({ status: 'completed' })
})

test('what is too much is refused, and nothing is bought', async () => {
  const codes = async (over: Json, terms: Json = {}) => {
    const { body } = await task('create_media_buy', request(over, terms))
    return (body.errors as Json[]).map(({ code }) => code)
  }
  const many = Array.from({ length: 101 }, () => ({ product_id: 'homepage', budget: 100 }))
  expect(await codes({ packages: many })).toEqual(['INVALID_REQUEST'])
  const long = { geo_regions: ['x'.repeat(17_000)] }
  expect(await codes({}, { targeting_overlay: long })).toEqual(['VALIDATION_ERROR'])
  const audience_include = Array.from({ length: 101 }, (_, n) => `s${n}`)
  expect(await codes({}, { targeting_overlay: { audience_include } })).toContain('VALIDATION_ERROR')
  expect(await codes({ ext: { note: 'x'.repeat(17_000) } })).toEqual(['VALIDATION_ERROR'])
})

test('a start in the past is refused by name, of a buy and of a package, and asap is offered instead', async () => {
  const past = async (name: string, body: Json) => {
    const { status, body: answer } = await task(name, body)
    expect(status).toBe(400)
    return (answer.errors as Json[]).slice(0, 1)
  }
  const refusal = (pointer: string) => [
    { code: 'INVALID_REQUEST', issues: [{ pointer, message: expect.stringContaining('"asap"') }] },
  ]
  const old = inDays(-0.01)
  expect(await past('create_media_buy', request({ start_time: old }))).toMatchObject(
    refusal('/start_time'),
  )
  expect(await past('create_media_buy', request({}, { start_time: old }))).toMatchObject(
    refusal('/packages/0/start_time'),
  )
  const { media_buy_id, packages } = await bought()
  const [{ package_id }] = packages as [Json]
  expect(await past('update_media_buy', { media_buy_id, start_time: old })).toMatchObject(
    refusal('/start_time'),
  )
  const changed = { media_buy_id, packages: [{ package_id, start_time: old }] }
  expect(await past('update_media_buy', changed)).toMatchObject(refusal('/packages/0/start_time'))
  const added = { product_id: 'homepage', budget: 500, start_time: old }
  expect(await past('update_media_buy', { media_buy_id, new_packages: [added] })).toMatchObject(
    refusal('/new_packages/0/start_time'),
  )
})

test('a start of some minutes ago counts as now, and an unchanged one may be past', async () => {
  const start_time = new Date(Date.now() - 60_000).toISOString()
  const { media_buy_id } = await bought({ start_time })
  const begun = Date.now() - 30 * DAY_MS
  const { storage } = app
  await storage.transact(async (tx) => {
    const buy = await storage.mediaBuys.lock(tx, { media_buy_id: String(media_buy_id) })
    const entry = { revision: 2, at: begun, actor: 'clock', action: 'move' } as const
    await storage.mediaBuys.save(tx, { ...buy!, start_at: begun, revision: 2 }, { entry })
  })
  const same = new Date(begun).toISOString()
  const { body } = await task('update_media_buy', {
    media_buy_id,
    start_time: same,
    end_time: inDays(6),
  })
  expect(body).toMatchObject({ status: 'completed', revision: 3 })
})

test('a flight may end decades from now', async () => {
  const end_time = '2099-12-31T00:00:00.000Z'
  const { media_buy_id } = await bought({ start_time: 'asap', end_time })
  expect(await buyOf(media_buy_id)).toMatchObject([{ end_time }])
  const { body } = await task(
    'create_media_buy',
    request({ end_time: '9999-12-31T23:59:59-01:00' }),
  )
  expect(body.errors).toMatchObject([
    { code: 'INVALID_REQUEST', issues: [{ pointer: '/end_time' }] },
  ])
})

test('amounts above 1e12 are refused by name, so that every sum is finite', async () => {
  for (const [member, terms] of [
    ['budget', { budget: 1e303 }],
    ['bid_price', { bid_price: 1.1e12 }],
    ['impressions', { impressions: 1e13 }],
  ] as const) {
    const { status, body } = await task('create_media_buy', request({}, terms))
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([
      {
        code: 'INVALID_REQUEST',
        issues: [{ pointer: `/packages/0/${member}`, keyword: 'maximum' }],
      },
    ])
  }
  expect(await task('create_media_buy', request({}, { budget: 1e12 }))).toMatchObject({
    body: { status: 'input-required' },
  })
})

test('another principal sees neither the buy nor that it exists', async () => {
  const { media_buy_id } = await bought()
  const other = await app.principal()
  expect(await buyOf(media_buy_id, other)).toEqual([])
  const [theirs, none] = await Promise.all(
    [media_buy_id, 'mb_none'].map((id) =>
      task('update_media_buy', { media_buy_id: id, paused: true }, other),
    ),
  )
  expect(theirs?.status).toBe(404)
  expect(theirs?.body.errors).toEqual(none?.body.errors)
})

test('a repeated request under one key buys once', async () => {
  const body = request({ idempotency_key: 'buy-this-only-once-01' })
  const [one, two] = [await task('create_media_buy', body), await task('create_media_buy', body)]
  expect(two.body).toMatchObject({ replayed: true, media_buy_id: one.body.media_buy_id })
})

test('spec 3.2: above the limit the seller decides: submitted, input-required, completed', async () => {
  const path = '/approved'
  const { body } = await task('create_media_buy', {
    ...request({ push_notification_config: { url: hooks + path } }, { budget: 6_000 }),
    context: { note: 1 },
  })
  expect(body).toMatchObject({ status: 'submitted' })
  const { task_id } = body as { task_id: string }
  await eventually(() => expect(reportedAt(path)).toHaveLength(1))
  expect(reportedAt(path)[0]).toMatchObject({
    task_id,
    status: 'input-required',
    task_type: 'create_media_buy',
    result: { errors: [{ code: 'APPROVAL_REQUIRED' }] },
  })
  const own = await task('provide_task_input', { task_id, approved: true })
  expect(own.body).toMatchObject({ errors: [{ code: 'PERMISSION_DENIED' }] })
  await decide(app.storage, task_id, { approved: true, by: 'cli' })
  await eventually(() => expect(reportedAt(path)).toHaveLength(2))
  expect(reportedAt(path)[1]).toMatchObject({
    task_id,
    status: 'completed',
    context: { note: 1 },
    result: { media_buy_status: 'pending_creatives', revision: 1 },
  })
  const { media_buy_id } = (reportedAt(path)[1] as Json).result as Json
  expect(await buyOf(media_buy_id)).toMatchObject([{ total_budget: 6_000 }])
})

test('spec 3.2: what the seller rejects is an end, by the word of an operator on the wire', async () => {
  const path = '/rejected'
  const terms = { product_id: 'sponsorship' }
  const push_notification_config = { url: hooks + path }
  const { body } = await task('create_media_buy', request({ push_notification_config }, terms))
  const { task_id } = body as { task_id: string }
  await eventually(() => expect(reportedAt(path)).toHaveLength(1))
  const said = { task_id, approved: false, message: 'sold out' }
  expect((await task('provide_task_input', said, operator)).status).toBe(200)
  await eventually(() => expect(reportedAt(path)).toHaveLength(2))
  expect(reportedAt(path)[1]).toMatchObject({
    // No webhook says `rejected` (spec 3.2): the code does.
    task_id,
    status: 'failed',
    result: { errors: [{ code: 'TERMS_REJECTED', message: expect.stringContaining('sold out') }] },
  })
  const requested = await task('get_task_status', { task_id })
  expect(requested.body).toMatchObject({ task_id, status: 'rejected' })
  const again = await task('provide_task_input', { ...said, approved: true }, operator)
  expect(again.body).toMatchObject({ errors: [{ code: 'INVALID_STATE' }] })
})

test('spec 3.2: the seller asks first, is answered on the wire, and decides then', async () => {
  const path = '/asked'
  const { body } = await task('create_media_buy', {
    ...request({ push_notification_config: { url: hooks + path } }, { budget: 7_000 }),
  })
  const { task_id } = body as { task_id: string }
  await eventually(() => expect(reportedAt(path)).toHaveLength(1))
  const early = await task('provide_task_input', { task_id, message: 'well?' })
  expect(early.body).toMatchObject({ errors: [{ code: 'PERMISSION_DENIED' }] })

  await ask(app.storage, task_id, { text: 'Which market is it for?', by: 'cli' })
  await eventually(() => expect(reportedAt(path)).toHaveLength(2))
  expect(reportedAt(path)[1]).toMatchObject({
    status: 'input-required',
    message: 'question from the seller: Which market is it for?',
    result: {
      reason: 'Which market is it for?',
      errors: [{ code: 'APPROVAL_REQUIRED', details: { total_budget: 7_000 } }],
    },
  })
  expect((await task('get_task_status', { task_id })).body).toMatchObject({
    status: 'input-required',
    input_required: { reason: 'Which market is it for?' },
  })

  const others = await app.principal()
  const theirs = await task('provide_task_input', { task_id, message: 'mine' }, others)
  expect(theirs.body).toMatchObject({ errors: [{ code: 'TASK_NOT_FOUND' }] })
  const answered = await task('provide_task_input', { task_id, message: 'Canada' })
  expect(answered.body).toMatchObject({ status: 'input-required' })
  await eventually(() => expect(reportedAt(path)).toHaveLength(3))
  expect(reportedAt(path)[2]).toMatchObject({
    status: 'input-required',
    message: expect.stringContaining('with your answer'),
  })
  expect(await app.storage.approvals.get(task_id)).toMatchObject({
    state: 'waiting',
    talk: [
      { from: 'seller', by: 'cli', text: 'Which market is it for?' },
      { from: 'buyer', text: 'Canada' },
    ],
  })
  const again = await task('provide_task_input', { task_id, message: 'and Peru' })
  expect(again.body).toMatchObject({ errors: [{ code: 'PERMISSION_DENIED' }] })

  await decide(app.storage, task_id, { approved: true, by: 'cli' })
  await eventually(() => expect(reportedAt(path)).toHaveLength(4))
  expect(reportedAt(path)[3]).toMatchObject({ status: 'completed' })
  await expect(ask(app.storage, task_id, { text: 'More?', by: 'cli' })).rejects.toMatchObject({
    errors: [{ code: 'INVALID_STATE' }],
  })
})

test('spec 3.2: a question is answered by a further message on A2A, and a decision needs no answer', async () => {
  const send = async (message: Json) => {
    const params = { message: { role: 'user', kind: 'message', messageId: 'm', ...message } }
    const body = { jsonrpc: '2.0', id: 1, method: 'message/send', params }
    return (await call(`${app.url}/a2a`, { key, body })).body.result as { id: string; status: Json }
  }
  const input = { skill: 'create_media_buy', input: request({}, { budget: 8_000 }) }
  const { id } = await send({ parts: [{ kind: 'data', data: input }] })
  await eventually(async () => expect(await app.storage.approvals.get(id)).toBeDefined())
  await ask(app.storage, id, { text: 'Why so much?', by: 'cli' })
  const returned = async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id } }
    return JSON.stringify((await call(`${app.url}/a2a`, { key, body })).body)
  }
  await eventually(async () =>
    expect(await returned()).toContain('question from the seller: Why so much?'),
  )
  await send({ taskId: id, parts: [{ kind: 'text', text: 'It is a big brand.' }] })
  expect((await app.storage.approvals.get(id))?.talk).toMatchObject([
    { text: 'Why so much?' },
    { from: 'buyer', text: 'It is a big brand.' },
  ])
  await ask(app.storage, id, { text: 'Really?', by: 'cli' })
  await decide(app.storage, id, { approved: false, by: 'cli' })
  await eventually(async () => expect(await returned()).toContain('"state":"rejected"'))
})

test('raising a budget above the limit waits for the seller too, and lowering it does not', async () => {
  const made = await bought()
  const { media_buy_id } = made
  const [one] = made.packages as Json[]
  const set = (budget: number) =>
    task('update_media_buy', { media_buy_id, packages: [{ package_id: one?.package_id, budget }] })
  const { body } = await set(9_000)
  expect(body).toMatchObject({ status: 'input-required' })
  expect(await buyOf(media_buy_id)).toMatchObject([{ total_budget: 1_000, revision: 1 }])
  await decide(app.storage, body.task_id as string, { approved: true, by: 'cli' })
  await eventually(async () =>
    expect(await buyOf(media_buy_id)).toMatchObject([{ total_budget: 9_000, revision: 2 }]),
  )
  expect((await set(8_000)).body).toMatchObject({ status: 'completed', revision: 3 })
})

test('secrets of a reporting_webhook are nowhere in the clear, also while a buy waits', async () => {
  const credentials = 'reporting-credentials-of-32-letters'
  const reporting_webhook = {
    url: `${hooks}/reports`,
    token: 'token-of-the-reports-01',
    reporting_frequency: 'hourly',
    authentication: { schemes: ['HMAC-SHA256'], credentials },
  }
  const push_notification_config = { url: `${hooks}/changes` }
  const made = await bought({ reporting_webhook, push_notification_config })
  const { body } = await task('create_media_buy', request({ reporting_webhook }, { budget: 6_000 }))
  expect(body).toMatchObject({ status: 'input-required' })
  const { read } = app.storage.database
  const kept = await read.all<{ subject: string; name: string }>(
    'SELECT subject, name FROM webhook_channels',
  )
  const id = String(made.media_buy_id)
  expect(kept).toContainEqual({ subject: subjectOfReports(id), name: 'reporting_webhook' })
  expect(kept).toContainEqual({ subject: subjectOfBuy(id), name: 'push_notification_config' })
  for (const table of ['tasks', 'media_buys', 'webhook_channels', 'task_history']) {
    const rows = JSON.stringify(await read.all(`SELECT * FROM ${table}`))
    expect(rows.includes(credentials) || rows.includes(reporting_webhook.token), table).toBe(false)
  }
})

test('flights start and end by the clock, and the buyer is notified of each', async () => {
  const path = '/flight'
  const start_time = new Date(Date.now() + 400).toISOString()
  const end_time = new Date(Date.now() + 900).toISOString()
  const creative_id = await creative('banner-2')
  const made = await bought(
    { start_time, end_time, push_notification_config: { url: hooks + path } },
    { creative_ids: [creative_id] },
  )
  expect(made).toMatchObject({ media_buy_status: 'pending_start' })
  await eventually(() => expect(reportedAt(path)).toHaveLength(2))
  expect(reportedAt(path).map(({ result }) => (result as Json).status)).toEqual([
    'active',
    'completed',
  ])
  expect(await buyOf(made.media_buy_id)).toMatchObject([{ status: 'completed', revision: 3 }])
  // spec 3.2: the task_id of each can be looked up, and is no end of create_media_buy.
  for (const { task_id, task_type, result } of reportedAt(path)) {
    expect(task_type).toBe('update_media_buy')
    const { body } = await task('get_task_status', { task_id })
    expect(body).toMatchObject({ task_id, task_type, status: 'completed', result })
  }
})

test('accounts are made, listed and named, each for its own principal', async () => {
  const wanted = { brand: { domain: 'acme.example' }, operator: 'agency.example' }
  const sync = (over: Json = {}) => task('sync_accounts', { accounts: [{ ...wanted, ...over }] })
  const { body } = await sync()
  expect(body).toMatchObject({ accounts: [{ action: 'created', status: 'active' }] })
  expect((await sync()).body).toMatchObject({ accounts: [{ action: 'unchanged' }] })
  expect((await sync({ payment_terms: 'net_30' })).body).toMatchObject({
    accounts: [{ action: 'updated' }],
  })
  const made = await bought({ account: wanted })
  const listed = (await task('list_accounts', {})).body.accounts as Json[]
  expect(listed).toMatchObject([{ payment_terms: 'net_30', ...wanted }])
  const { account_id } = listed[0] as Json
  expect(await buyOf(made.media_buy_id)).toMatchObject([{ account: { account_id } }])
  const other = await app.principal()
  expect((await task('list_accounts', {}, other)).body.accounts).toEqual([])
  const theirs = await task('create_media_buy', request({ account: { account_id } }), other)
  expect(theirs.body).toMatchObject({ errors: [{ code: 'ACCOUNT_NOT_FOUND' }] })
})

test('spec 4.5: webhooks of accounts are kept and returned, or refused with the place that is wrong, row by row', async () => {
  const about = (operator: string, notification_configs?: Json[]) => ({
    brand: { domain: 'acme.example' },
    operator,
    ...(notification_configs ? { notification_configs } : {}),
  })
  const url = 'https://buyer.example/hooks'
  const hook = { subscriber_id: 'a', url, event_types: ['account.status_changed'] }
  const of = (...event_types: string[]) => [{ ...hook, event_types }]
  const credentials = 'a-secret-that-is-never-returned-0123456789'
  const legacy = { ...hook, authentication: { schemes: ['HMAC-SHA256'], credentials } }
  let calls = 0
  const buyer = await app.principal()
  const sync = async (accounts: Json[], version: Json = { proto_version: '3.1' }) => {
    const { body } = await task(
      'sync_accounts',
      {
        ...version,
        idempotency_key: `notification-configs-${++calls}-0123456789`,
        accounts,
      },
      buyer,
    )
    return body.accounts as Json[]
  }
  const rows = (await sync([
    about('one.example', []),
    about('two.example', [hook]),
    about('three.example', of('account.status_changed', 'final')),
    about('four.example', [hook, hook]),
    about('five.example', of('account.renamed')),
    about('six.example', of('product.created')),
    about('seven.example', of('account.status_changed', 'product.created')),
    about('eight.example', [{ ...hook, url: 'https://10.0.0.1/hooks' }]),
  ])) as { action: string; errors?: { code: string; field: string }[] }[]
  const kept = { ...hook, active: true }
  expect(rows[1]).toMatchObject({ action: 'created', notification_configs: [kept] })
  expect(rows[6]).toMatchObject({
    action: 'created',
    warnings: [
      '/notification_configs/0/event_types: product.created is kept, but this server never sends it',
    ],
  })
  const faultOf = ({ action, errors: [first] = [] }: (typeof rows)[number]) => [
    action,
    first?.code,
    first?.field,
  ]
  expect([2, 3, 4, 5, 7].map((index) => faultOf(rows[index] as (typeof rows)[number]))).toEqual([
    ['failed', 'VALIDATION_ERROR', 'notification_configs[0].event_types[1]'],
    ['failed', 'VALIDATION_ERROR', 'notification_configs[1].subscriber_id'],
    ['failed', 'VALIDATION_ERROR', 'notification_configs[0].event_types[0]'],
    ['failed', 'UNSUPPORTED_FEATURE', 'notification_configs[0].event_types'],
    ['failed', 'VALIDATION_ERROR', 'notification_configs[0].url'],
  ])
  const configsOf = async (operator: string) => {
    const { body } = await task('list_accounts', {}, buyer)
    expect(JSON.stringify(body)).not.toContain(credentials)
    const accounts = body.accounts as (Json & { operator: string })[]
    return accounts.find((one) => one.operator === operator)?.notification_configs
  }
  expect(await configsOf('two.example')).toEqual([kept])
  expect(await sync([about('two.example')])).toMatchObject([{ action: 'unchanged' }])
  expect(await configsOf('two.example')).toEqual([kept])
  const secured = { ...kept, authentication: { schemes: ['HMAC-SHA256'] } }
  expect(await sync([about('two.example', [legacy])], {})).toMatchObject([
    { action: 'updated', notification_configs: [secured] },
  ])
  expect(await configsOf('two.example')).toEqual([secured])
  expect(await sync([about('two.example', [])])).toMatchObject([{ action: 'updated' }])
  expect(await configsOf('two.example')).toEqual([])
})

test('spec 4.5: products are found by kind, by format option and by where they can be targeted', async () => {
  const reader = await app.named('Reader of products')
  const of3 = (name: string, body: Json) =>
    task(name, { proto_version: '3.1', ...body }, reader.key)
  // Other tests of this file do not see it.
  const french = catalogueProduct({
    product_id: 'in_france',
    countries: ['FR'],
    visible_to: [reader.principal_id],
  })
  await app.storage.transact((tx) => app.storage.products.put(tx, [french]))
  const found = async (over: Json) => {
    const { body } = await of3('get_products', { buying_mode: 'wholesale', ...over })
    return (body.products as { product_id: string }[] | undefined)?.map((one) => one.product_id)
  }
  const { body } = await of3('get_products', { proto_version: '3.2', buying_mode: 'wholesale' })
  const options = (body.products as { product_id: string; format_options: Json[] }[]).find(
    ({ product_id }) => product_id === 'homepage',
  )?.format_options
  const [{ format_option_id, format_kind } = {}] = options ?? []
  expect(options?.[0]).toMatchObject({
    format_kind: 'image',
    v1_format_ref: [{ id: expect.any(String) }],
  })
  expect(await found({ filters: { format_kinds: [format_kind] } })).toContain('homepage')
  expect(await found({ filters: { format_kinds: ['audio_daast'] } })).not.toContain('homepage')
  const refs = (id: unknown) => ({ filters: { format_option_refs: [{ format_option_id: id }] } })
  expect(await found(refs(format_option_id))).toContain('homepage')
  expect(await found(refs('no_such'))).toEqual([])
  const targeted = (country: string) => found({ targeting_overlay: { geo_countries: [country] } })
  expect(await targeted('FR')).toContain('in_france')
  expect(await targeted('AQ')).not.toContain('in_france')
  const unknown = await of3('get_products', {
    buying_mode: 'wholesale',
    targeting_overlay: { shoe_size: 43 },
  })
  expect(unknown.body).toMatchObject({
    errors: [{ code: 'UNSUPPORTED_FEATURE', field: 'targeting_overlay.shoe_size' }],
  })
})

test('spec 2.11: an unknown buy has no delivery, no currency and no period', async () => {
  const made = await bought()
  const none = await task('get_media_buy_delivery', { media_buy_ids: ['mb_none'] })
  expect(none).toMatchObject({ status: 404, body: { errors: [{ code: 'MEDIA_BUY_NOT_FOUND' }] } })
  expect(none.body).not.toHaveProperty('currency')
  expect(none.body).not.toHaveProperty('reporting_period')
  const media_buy_ids = [made.media_buy_id, 'mb_none']
  expect((await task('get_media_buy_delivery', { media_buy_ids })).body).toMatchObject({
    media_buy_deliveries: [{ media_buy_id: made.media_buy_id }],
    errors: [{ code: 'MEDIA_BUY_NOT_FOUND', field: '/media_buy_ids/1' }],
  })
})

test('spec 4.5: on HTTP, MCP and A2A the tasks of media buys answer the same', async () => {
  const same = async (name: string, body: Json, as = key) => {
    const result = await onEveryTransport(app.url, name, body, as, [
      'ledger_as_of',
      'reporting_period',
    ])
    return result.body as Json
  }
  const reporting_webhook = { url: `${hooks}/transports`, reporting_frequency: 'daily' }
  const account = { brand: { domain: 'acme.example' }, operator: 'agency.example' }
  const made = await bought({ reporting_webhook, account })
  const media_buy_ids = [made.media_buy_id]
  const found = await same('get_products', { brief: 'newspaper homepage' })
  expect((found.products as Json[])[0]).toMatchObject({ product_id: 'homepage' })
  expect(await same('get_media_buys', { media_buy_ids })).toMatchObject({
    media_buys: [{ media_buy_id: made.media_buy_id, health: 'ok', impairments: [] }],
  })
  expect(await same('get_reporting_status', { media_buy_ids })).toMatchObject({
    reporting_statuses: [{ media_buy_id: made.media_buy_id, health: 'healthy' }],
  })
  expect(await same('get_media_buy_delivery', { media_buy_ids })).toMatchObject({
    media_buy_deliveries: [{ media_buy_id: made.media_buy_id, totals: { spend: 0 } }],
  })
  expect(await same('list_accounts', {})).toMatchObject({ accounts: [expect.anything()] })
  const refused = { media_buy_id: 'mb_nobody', paused: true }
  expect(await same('update_media_buy', refused)).toMatchObject({
    errors: [{ code: 'MEDIA_BUY_NOT_FOUND' }],
  })
  expect(await same('create_media_buy', request({ end_time: inDays(-3) }))).toMatchObject({
    errors: expect.arrayContaining([expect.objectContaining({ field: '/end_time' })]),
  })
})

test('spec 4.5: each transport can buy, pause and cancel', async () => {
  for (const create of [createMcpClient, createA2aClient]) {
    const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
    const path = create === createMcpClient ? '/mcp' : ''
    const client = create({ url: `${app.url}${path}`, key, fetch: throughEgress(egress) })
    const made = await client.call('create_media_buy', request())
    expect(made).toMatchObject({ body: { status: 'completed' } })
    const { media_buy_id } = made.body as Json
    const update = (body: Json) => client.call('update_media_buy', { media_buy_id, ...body })
    expect(await update({ paused: true, revision: 1 })).toMatchObject({ body: { revision: 2 } })
    expect(await update({ paused: false, revision: 1 })).toMatchObject({
      body: { errors: [{ code: 'CONFLICT' }] },
    })
    expect(await update({ canceled: true })).toMatchObject({
      body: { media_buy_status: 'canceled' },
    })
    await egress.close()
  }
})

test('spec 4.5: a brief of 3.x is answered with a proposal, which is finalised and bought once at the price that was held', async () => {
  const seed = await task('get_products', { brief: 'homepage' })
  expect(seed.body.proposals).toBeUndefined()
  const of3 = (name: string, body: Json) => task(name, { proto_version: '3.1', ...body })
  const brief = { buying_mode: 'brief', brief: 'homepage' }
  const [draft] = (await of3('get_products', brief)).body.proposals as Json[]
  expect(draft).toMatchObject({ proposal_status: 'draft', expires_at: expect.any(String) })
  const { proposal_id } = draft as { proposal_id: string }
  const [again] = (await of3('get_products', brief)).body.proposals as Json[]
  expect(again?.proposal_id).toBe(proposal_id)

  const buy = (over: Json = {}) =>
    of3('create_media_buy', {
      idempotency_key: `proposal-${Math.random()}`,
      proposal_id,
      start_time: inDays(1),
      end_time: inDays(5),
      total_budget: { amount: 1_000.01, currency: 'USD' },
      ...over,
    })
  expect((await buy()).body.errors).toMatchObject([{ code: 'PROPOSAL_NOT_COMMITTED' }])
  const ask = 'Drop the podcast. Be bold.'
  const { body: refined } = await of3('get_products', {
    buying_mode: 'refine',
    refine: [{ scope: 'proposal', proposal_id, ask }],
  })
  expect(refined).toMatchObject({
    proposals: [{ proposal_id, allocations: [{ product_id: 'homepage' }] }],
    refinement_applied: [{ status: 'partial', notes: expect.stringContaining('sponsorship') }],
  })
  const finalize = { scope: 'proposal', proposal_id, action: 'finalize' }
  const unknown = { scope: 'proposal', proposal_id: 'no_such' }
  const refine = async (...parts: Json[]) =>
    (await of3('get_products', { buying_mode: 'refine', refine: parts })).body
  // spec 4.5: a request that finalises does nothing else, and names proposals that are there.
  expect(await refine(finalize, unknown)).toMatchObject({
    errors: [{ code: 'INVALID_REQUEST', field: 'refine[1]' }],
  })
  expect(await refine({ ...unknown, action: 'finalize' })).toMatchObject({
    errors: [{ code: 'PROPOSAL_NOT_FOUND' }],
  })
  expect(await refine(unknown)).toMatchObject({ refinement_applied: [{ status: 'unable' }] })
  expect(await refine(finalize)).toMatchObject({
    proposals: [{ proposal_id, proposal_status: 'committed' }],
    refinement_applied: [{ status: 'applied' }],
  })

  const [product] = [...(await app.storage.products.get(['homepage'])).values()]
  const { pricing_options } = product!.product
  const dearer = pricing_options.map((one) => ({ ...one, fixed_price: 999 }))
  const put = (options: typeof pricing_options) =>
    app.storage.transact((tx) =>
      app.storage.products.put(tx, [{ ...product!.product, pricing_options: options }]),
    )
  await put(dearer)
  expect((await buy({ packages: request().packages })).body.errors).toMatchObject([
    { code: 'INVALID_REQUEST' },
  ])
  const { body: made } = await buy()
  await put(pricing_options)
  expect(made).toMatchObject({ status: 'completed', proposal_id })
  const budgets = (made.packages as { budget: number }[]).map(({ budget }) => budget)
  expect(budgets.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1_000.01)
  const kept = await app.storage.transact((tx) =>
    app.storage.mediaBuys.lock(tx, { media_buy_id: made.media_buy_id as string }),
  )
  expect(kept?.packages.map(({ pricing }) => pricing.rate)).not.toContain(999)
  expect((await buy()).body.errors).toMatchObject([{ code: 'INVALID_STATE' }])
  const other = await app.principal()
  expect((await task('create_media_buy', { ...request(), proposal_id }, other)).status).not.toBe(
    200,
  )
})
