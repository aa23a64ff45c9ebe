// Large but valid calls about media buys, several at once: each is done or refused, the memory stays bounded, and
// another principal gets answers meanwhile (H1).

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderOf } from '../../src/media-buys/sources/orders.ts'
import { type Answer, call, startApp, type TestApp } from '../support/app.ts'
import { signIn } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import {
  buyRecord,
  catalogueProduct,
  DAY_MS,
  HOUR_MS,
  packageRecord,
} from '../support/media-buys.ts'

type Json = Record<string, unknown>

const MIB = 1_024 * 1_024
/** So wide that only a hang trips it: attacker and victim share one busy thread. */
const PROMPT_MS = 60_000
/** More than before the calls, garbage and the answers that the test itself holds included. */
const MOST_HEAP_BYTES = 1_024 * MIB
const PACKAGES = 100
const BUYS = 30
const QUEUED = 5

describe.each(['sqlite', 'postgres'] as const)('huge media buys [%s]', (store) => {
  let app: TestApp
  let attacker: { principal_id: string; key: string }
  let victim: string
  let oldBuy: string
  const creativeIds = Array.from({ length: 100 }, (_, n) => `creative-${n}`)

  beforeAll(async () => {
    app = await startApp({
      store,
      config: {
        deliverySource: 'simulated',
        maxQueuedDeliveries: QUEUED,
        // Queued deliveries stay queued.
        webhookConcurrency: 0,
      },
    })
    attacker = await app.named('Attacker')
    victim = await app.principal()
    const products = [
      catalogueProduct(),
      catalogueProduct({ product_id: 'approved', requires_approval: true }),
    ]
    await app.storage.transact((tx) => app.storage.products.put(tx, products))
    oldBuy = await store100(400)
    for (let n = 1; n < BUYS; n++) await store100(1)
  })
  afterAll(() => app.stop())

  /** A running buy of the attacker with 100 packages, that began this many days ago. */
  async function store100(days: number): Promise<string> {
    const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
    const buy = buyRecord({
      owner: attacker.principal_id,
      status: 'active',
      created_at: now - days * DAY_MS,
      start_at: now - days * DAY_MS,
      end_at: now + 30 * DAY_MS,
      due_at: now + 30 * DAY_MS,
      packages: Array.from({ length: PACKAGES }, () => packageRecord()),
    })
    await app.storage.transact(async (tx) => {
      await app.storage.mediaBuys.add(tx, buy)
      await app.storage.deliveryOrders.add(tx, buy.media_buy_id, orderOf(buy, buy.start_at))
    })
    return buy.media_buy_id
  }

  const task = (name: string, body: Json, key = attacker.key) =>
    call(`${app.url}/v3/${name}`, { key, body })
  const codeOf = ({ body }: Answer) => (body.errors as { code: string }[] | undefined)?.[0]?.code
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
  const dateOf = (days: number) => inDays(days).slice(0, 10)
  const purchase = (over: Json = {}, terms: Json = {}, packages = 1): Json => ({
    start_time: inDays(1),
    end_time: inDays(5),
    packages: Array.from({ length: packages }, () => ({
      product_id: 'homepage',
      budget: 1_000,
      pricing_option_id: 'cpm_usd',
      ...terms,
    })),
    ...over,
  })
  const synced = (over: Json = {}): Json => ({
    creatives: creativeIds.map((creative_id) => ({
      creative_id,
      name: creative_id,
      format_id: { agent_url: app.url, id: 'display_300x250_image' },
      assets: {
        banner_image: { url: 'https://a.example/a.png', width: 300, height: 250 },
        click_url: { url: 'https://a.example/' },
      },
    })),
    ...over,
  })

  /** Makes the calls at once, and has another principal send small requests until the last one has ended. */
  async function meanwhileOthers(attack: readonly Promise<Answer>[]): Promise<Answer[]> {
    let isOver = false
    const heapBefore = process.memoryUsage().heapUsed
    const answers = Promise.all(attack).finally(() => {
      isOver = true
    })
    answers.catch(() => {})
    let [longest, most] = [0, 0]
    do {
      const began = performance.now()
      expect((await task('get_media_buys', {}, victim)).status).toBe(200)
      longest = Math.max(longest, performance.now() - began)
      most = Math.max(most, process.memoryUsage().heapUsed)
      await new Promise((resolve) => setTimeout(resolve, 20))
    } while (!isOver)
    expect(longest).toBeLessThan(PROMPT_MS)
    expect(most - heapBefore).toBeLessThan(MOST_HEAP_BYTES)
    return answers
  }

  const times = (count: number, start: (n: number) => Promise<Answer>) =>
    Array.from({ length: count }, (_, n) => start(n))

  /** Each is done or says how to proceed, and one at least is done. */
  function expectDone(answers: readonly Answer[]): void {
    for (const one of answers) {
      if (one.status !== 200) expect([one.status, codeOf(one)]).toEqual([429, 'RATE_LIMITED'])
    }
    expect(answers.some(({ status }) => status === 200)).toBe(true)
  }

  test('H1: 400 days of hours of 100 packages, eight times at once, are refused with what to request instead', async () => {
    const hourly = { media_buy_ids: [oldBuy], time_granularity: 'hourly' }
    const refused = await meanwhileOthers(times(8, () => task('get_media_buy_delivery', hourly)))
    for (const one of refused) {
      expect([one.status, codeOf(one)]).toEqual([422, 'VALIDATION_ERROR'])
      expect(one.body.errors).toMatchObject([
        {
          field: expect.stringContaining('start_date'),
          suggestion: expect.stringContaining('fewer days'),
        },
      ])
    }

    const some = { ...hourly, start_date: dateOf(-15), end_date: dateOf(-2) }
    const answers = await meanwhileOthers(times(8, () => task('get_media_buy_delivery', some)))
    expectDone(answers)
  })

  test('H1: a buy that starts 1,090 days ago with hourly reports is refused', async () => {
    const reporting_webhook = {
      url: 'http://127.0.0.1:9/reports',
      reporting_frequency: 'hourly',
      authentication: { schemes: ['Bearer'], credentials: 'a-credential-of-32-characters-or-more' },
    }
    const past = purchase({ start_time: inDays(-1_090), reporting_webhook }, {}, PACKAGES)
    const answers = await meanwhileOthers(times(4, () => task('create_media_buy', past)))
    for (const one of answers) expect([one.status, codeOf(one)]).toEqual([400, 'INVALID_REQUEST'])
  })

  test('H1: deliveries to an endpoint that accepts none are queued up to a limit, and others are not affected', async () => {
    const push = (n: number) => ({
      push_notification_config: { url: `http://127.0.0.1:9/${n}`, operation_id: `op-${n}` },
    })
    const order = (n: number, key?: string) =>
      task('create_media_buy', purchase(push(n), { product_id: 'approved' }), key)
    for (let n = 0; n < QUEUED; n++) {
      const { body } = await order(n)
      // Its end is sent to the endpoint.
      await task(`tasks/${body.task_id}/cancel`, {})
    }
    expect(await app.count('webhook_deliveries')).toBeGreaterThanOrEqual(QUEUED)
    // The count of a queue is reused for a second.
    const full = await eventually(async () => {
      const answer = await order(100)
      expect(answer.status).toBe(409)
      return answer
    })
    expect(full.body.errors).toMatchObject([
      { code: 'QUOTA_EXCEEDED', details: { quota: 'queued_deliveries', limit: QUEUED } },
    ])
    expect((await order(0, victim)).status).toBe(202)
  })

  test('H1: 100 packages × 100 creatives are assigned, listed and synced six times at once', async () => {
    const made = await task('create_media_buy', purchase({}, {}, PACKAGES))
    expect(made.status).toBe(200)
    const { media_buy_id } = made.body
    const ids = (made.body.packages as Json[]).map(({ package_id }) => package_id)
    expect((await task('sync_creatives', synced())).status).toBe(200)

    const assigned = {
      media_buy_id,
      packages: ids.map((package_id) => ({ package_id, creative_ids: creativeIds })),
    }
    const [updated] = await meanwhileOthers([task('update_media_buy', assigned)])
    expect(updated?.status).toBe(200)

    const assignments = Object.fromEntries(creativeIds.map((id) => [id, ids]))
    const answers = await meanwhileOthers([
      ...times(2, () => task('update_media_buy', assigned)),
      ...times(2, () => task('list_creatives', { pagination: { max_results: 100 } })),
      ...times(2, () => task('sync_creatives', synced({ assignments }))),
    ])
    expectDone(answers)
  })

  test('H1: assignments beyond the cost of a call are refused before any is read', async () => {
    const packages = Array.from({ length: 160 }, (_, n) => `p-${n}`)
    const assignments = Object.fromEntries(creativeIds.map((id) => [id, packages]))
    const [refused] = await meanwhileOthers([task('sync_creatives', synced({ assignments }))])
    expect(refused?.status).toBe(422)
    expect(refused?.body.errors).toMatchObject([
      { code: 'VALIDATION_ERROR', field: expect.stringContaining('assignments') },
    ])
  })

  test('H1: a budget of 1e303 is refused, and the largest accepted ones leave the console readable', async () => {
    const refused = await task('create_media_buy', purchase({}, { budget: 1e303 }))
    expect([refused.status, codeOf(refused)]).toEqual([400, 'INVALID_REQUEST'])
    const largest = await task('create_media_buy', purchase({}, { budget: 1e12 }, 10), victim)
    expect(largest.status).toBe(200)

    const operator = await signIn(app, await app.principal('operator'))
    const { status, body } = await operator.get(`/buys?q=${largest.body.media_buy_id}`)
    expect(status).toBe(200)
    expect(body.items).toMatchObject([{ media_buy_id: largest.body.media_buy_id }])
    expect((await operator.get('/buys')).status).toBe(200)
  })

  test('H1: pages of 30 buys × 100 packages end early, and together have all of them', async () => {
    const page = { status_filter: ['active'], pagination: { max_results: 100 } }
    const answers = await meanwhileOthers(times(8, () => task('get_media_buys', page)))
    expectDone(answers)

    const found = new Set<unknown>()
    let cursor: unknown
    do {
      const { status, body } = await task('get_media_buys', {
        ...page,
        pagination: { ...page.pagination, ...(cursor === undefined ? {} : { cursor }) },
      })
      expect(status).toBe(200)
      const buys = body.media_buys as Json[]
      expect(buys.length).toBeLessThan(BUYS)
      for (const { media_buy_id } of buys) found.add(media_buy_id)
      cursor = (body.pagination as Json).cursor
    } while (cursor !== undefined)
    expect(found.size).toBe(BUYS)
  })
})
