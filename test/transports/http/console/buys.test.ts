import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MediaBuyRecord } from '../../../../src/media-buys/media-buy.ts'
import { orderOf } from '../../../../src/media-buys/sources/orders.ts'
import { startApp, type TestApp } from '../../../support/app.ts'
import { type ConsoleClient, signIn } from '../../../support/console.ts'
import { buyRecord, DAY_MS, HOUR_MS, packageRecord } from '../../../support/media-buys.ts'
import { newChannel } from '../../../support/outbox-contract.ts'

const HOSTILE = '<img src=x onerror="alert(1)">\u202e</script>'

describe.each(['sqlite', 'postgres'] as const)('media buys in the console [%s]', (store) => {
  let app: TestApp
  let operator: ConsoleClient
  let viewer: ConsoleClient

  beforeAll(async () => {
    // Nothing moves by itself: what is pending here stays as it is.
    app = await startApp({
      store,
      config: {
        trustProxy: ['127.0.0.1'],
        webhookConcurrency: 0,
        taskConcurrency: 0,
        deliverySource: 'simulated',
      },
    })
    operator = await signIn(app, await app.principal('operator'))
    viewer = await signIn(app, await app.principal('viewer'))
  })
  afterAll(() => app.stop())

  /** Runs for two days of four. */
  const running = async (over: Partial<MediaBuyRecord> = {}) => {
    const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
    const buy = buyRecord({
      created_at: now - 3 * DAY_MS,
      start_at: now - 2 * DAY_MS,
      end_at: now + 2 * DAY_MS,
      status: 'active',
      due_at: now + 2 * DAY_MS,
      ...over,
    })
    await app.storage.transact(async (tx) => {
      await app.storage.mediaBuys.add(tx, buy)
      await app.storage.deliveryOrders.add(tx, buy.media_buy_id, orderOf(buy, buy.start_at))
    })
    return buy
  }
  const hook = (subject: string) =>
    app.storage.transact((tx) =>
      app.storage.channels.put(tx, newChannel({ owner: 'prn_buyer', subject }), 9),
    )
  const REJECTED = {
    resource_type: 'creative',
    resource_id: 'c1',
    to: 'rejected',
    reason_code: 'content_rejected',
    impairment_type: 'safety',
  }

  test('a buy is listed, found and returned with what the buyer sent, unchanged', async () => {
    const buy = await running({
      terms: { name: HOSTILE, buyer_ref: 'ref-7', brand: { domain: 'acme.example' } },
    })
    const { body } = await viewer.get(`/buys?q=${buy.media_buy_id}`)
    expect(body.items).toMatchObject([
      { media_buy_id: buy.media_buy_id, name: HOSTILE, brand: 'acme.example', status: 'active' },
    ])
    const ids = async (query: string) =>
      (await viewer.get(`/buys?${query}`)).body.items.map(
        (item: { media_buy_id: string }) => item.media_buy_id,
      )
    expect(await ids('q=ref-7')).toEqual([buy.media_buy_id])
    expect(await ids('brand=acme.example')).toEqual([buy.media_buy_id])
    expect(await ids('principal_id=prn_nobody')).toEqual([])
    const returned = await viewer.get(`/buys/${buy.media_buy_id}`)
    expect(returned.body).toMatchObject({
      name: HOSTILE,
      revision: 1,
      may: { impair: true },
      approvals: [],
      package_list: [{ product_id: 'homepage', budget: 1_000, pacing: 'even', paused: false }],
      history: [{ action: 'create', actor: 'buyer', status: 'active' }],
    })
    expect((await viewer.get('/buys/mb_none')).status).toBe(404)
    expect((await viewer.get('/buys?cursor=WyJ4IiwxXQ')).body.error.code).toBe('invalid_cursor')
    expect((await viewer.get('/buys?status=nonsense')).status).toBe(400)
  })

  test('a buy with a budget that no schema accepts today is listed, with an invalid amount', async () => {
    const owner = 'prn_huge'
    const huge = await running({ owner, total_budget: Number.POSITIVE_INFINITY })
    const good = await running({ owner })
    const { status, body } = await viewer.get(`/buys?principal_id=${owner}`)
    expect(status).toBe(200)
    const budgets = new Map(
      body.items.map((item: { media_buy_id: string; total_budget: number | null }) => [
        item.media_buy_id,
        item.total_budget,
      ]),
    )
    expect(budgets.get(huge.media_buy_id)).toBeNull()
    expect(budgets.get(good.media_buy_id)).toBe(1_000)
    const returned = await viewer.get(`/buys/${huge.media_buy_id}`)
    expect(returned.body).toMatchObject({ total_budget: null, package_list: [{ budget: 1_000 }] })
  })

  test('an approval with such a budget does not hide the others', async () => {
    const requested = {
      currency: 'USD',
      product_ids: ['homepage'],
      start_time: '2026-01-01T00:00:00Z',
      end_time: '2026-01-02T00:00:00Z',
    }
    const ask = (task_id: string, total_budget: number) =>
      app.storage.transact((tx) =>
        app.storage.approvals.ask(tx, {
          task_id,
          owner: 'prn_huge',
          task_type: 'create_media_buy',
          media_buy_id: 'mb_1',
          reason: 'large',
          requested: { ...requested, total_budget },
        }),
      )
    await ask('task_huge', 1e303)
    await ask('task_infinite', Number.POSITIVE_INFINITY)
    await ask('task_good', 7_000)
    const { status, body } = await operator.get('/approvals')
    expect(status).toBe(200)
    const items = body.items as { task_id: string; requested: { total_budget: number | null } }[]
    // Asked for within a millisecond, perhaps: in any order.
    const budgets = items.map((item) => [item.task_id, item.requested.total_budget])
    expect(Object.fromEntries(budgets)).toEqual({
      task_huge: null,
      task_infinite: null,
      task_good: 7_000,
    })
  })

  test('pacing is what was delivered against what was due by then', async () => {
    const buy = await running({ packages: [packageRecord({ budget: 4_000 })] })
    const { body } = await viewer.get(`/buys/${buy.media_buy_id}/pacing`)
    // Half of the flight is over, evenly; the simulated ad server is at most a tenth below that.
    expect(body.total.expected.spend).toBeGreaterThan(1_900)
    expect(body.total.expected.spend).toBeLessThanOrEqual(2_000)
    expect(body.total.bought).toEqual({ spend: 4_000, impressions: 400_000 })
    expect(body.total.delivered.spend).toBeGreaterThan(0)
    expect(body.curve.at(-1).spend).toBeCloseTo(body.total.delivered.spend, 4)
    expect(body.packages).toHaveLength(1)
    expect(['on_pace', 'behind', 'ahead']).toContain(body.total.pace)
    const later = await running({ start_at: Date.now() + DAY_MS, status: 'pending_start' })
    const waiting = await viewer.get(`/buys/${later.media_buy_id}/pacing`)
    expect(waiting.body).toMatchObject({ total: { pace: 'not_begun', delivered: { spend: 0 } } })
  })

  test('spec 6.2: every window that has ended has a report due, also one that no one has processed', async () => {
    const buy = await running({ reporting: { reporting_frequency: 'daily' } })
    const { media_buy_id, owner } = buy
    await app.storage.transact((tx) =>
      app.storage.reports.touch(tx, { media_buy_id, owner, delay_ms: HOUR_MS }),
    )
    const { body } = await viewer.get(`/buys/${media_buy_id}/reports`)
    const ended = body.items.length
    expect(ended).toBeGreaterThanOrEqual(2)
    expect(new Set(body.items.map((item: { state: string }) => item.state))).toEqual(
      new Set(['owed']),
    )
    expect(body.stream).toMatchObject({
      reporting_frequency: 'daily',
      is_final: false,
      counts: { owed: ended, late: 0 },
      next: { due_at: expect.any(String), window_end: expect.any(String) },
    })
    expect((await viewer.get(`/buys/${media_buy_id}/reports?state=late`)).body.items).toEqual([])
    const none = await running()
    expect((await viewer.get(`/buys/${none.media_buy_id}/reports`)).body).toEqual({ items: [] })
  })

  test('a report leads to its delivery, page by page', async () => {
    const buy = await running({ reporting: { reporting_frequency: 'daily' } })
    const { media_buy_id, owner } = buy
    const subject = `media_buy_reports:${media_buy_id}`
    await hook(subject)
    const [channel] = await app.storage.channels.list(owner, subject)
    await app.storage.transact(async (tx) => {
      const { reports, outbox } = app.storage
      await reports.touch(tx, { media_buy_id, owner })
      const windows = [1, 2, 3].map((n) => ({
        media_buy_id,
        owner,
        kind: 'window' as const,
        is_settled: true,
        digest: undefined,
        start: n * HOUR_MS,
        end: (n + 1) * HOUR_MS,
        state: 'sent' as const,
        sequence_number: n,
        notification_types: ['scheduled', 'adjusted'] as const,
        figures: { p: { spend: n, impressions: 10 * n } },
        expected_at: undefined,
        sent_at: 1,
        ended_at: undefined,
        reason: undefined,
      }))
      await reports.save(tx, [], windows)
      if (!channel) throw new Error('no channel')
      const body = Buffer.from('{}')
      await outbox.add(
        tx,
        [
          {
            channel,
            task_id: undefined,
            operation_id: undefined,
            body,
            notification_type: 'scheduled',
            sequence_number: 3,
            idempotency_key: randomUUID(),
          },
        ],
        DAY_MS,
      )
    })
    const path = `/buys/${media_buy_id}/reports?state=sent&limit=2`
    const first = await viewer.get(path)
    expect(first.body.items).toMatchObject([
      { sequence_number: 3, spend: 3, impressions: 30, delivery: { state: 'pending' } },
      { sequence_number: 2, notification_types: ['scheduled', 'adjusted'] },
    ])
    expect(first.body.items[1].delivery).toBeUndefined()
    const second = await viewer.get(`${path}&cursor=${first.body.next_cursor}`)
    expect(second.body.items).toMatchObject([{ sequence_number: 1 }])
    expect(second.body.next_cursor).toBeUndefined()
    const { body } = await viewer.get(`/buys/${media_buy_id}/activity`)
    expect(body).toMatchObject({
      has_webhook: true,
      items: [{ delivery_id: first.body.items[0].delivery.delivery_id, status: 'pending' }],
    })
  })

  test('spec 6.3: an operator raises and clears an impairment, the buyer is notified, the log has both', async () => {
    const buy = await running()
    const { media_buy_id } = buy
    await hook(`media_buy:${media_buy_id}`)
    const path = `/buys/${media_buy_id}/impairments`
    expect((await viewer.post(path, REJECTED)).status).toBe(403)
    expect((await viewer.get(`/buys/${media_buy_id}`)).body.impairments.open).toEqual([])

    const raised = await operator.post(path, { ...REJECTED, reason: HOSTILE })
    expect(raised.body.impairments).toMatchObject({
      open: [{ resource_id: 'c1', to: 'rejected', raised_by: 'operator', reason: HOSTILE }],
      reported: [{ health: 'impaired', changes: ['raised: creative c1'] }],
    })
    const [{ impairment_id, package_ids }] = raised.body.impairments.open
    expect(package_ids).toEqual(buy.packages.map(({ package_id }) => package_id))
    expect((await viewer.get('/buys?trouble=impaired')).body.items).toMatchObject([
      { media_buy_id, open_impairments: 1 },
    ])
    const reported = await viewer.get(`/deliveries?media_buy_id=${media_buy_id}`)
    expect(reported.body.items).toMatchObject([{ notification_type: 'impairment', media_buy_id }])

    expect((await viewer.post(`${path}/${impairment_id}/clear`)).status).toBe(403)
    const cleared = await operator.post(`${path}/${impairment_id}/clear`)
    expect(cleared.body.impairments).toMatchObject({ open: [], cleared: [{ impairment_id }] })
    const again = await operator.post(`${path}/${impairment_id}/clear`)
    expect([again.status, again.body.error.message]).toEqual([
      409,
      expect.stringContaining('already'),
    ])
    const { body } = await viewer.get('/audit?limit=4')
    expect(
      body.items.map(({ action, outcome, target }: Record<string, string>) => [
        action,
        outcome,
        target,
      ]),
    ).toEqual([
      ['impairments.clear', 'refused', media_buy_id],
      ['impairments.clear', 'done', media_buy_id],
      [
        'console.request',
        'refused',
        'POST /console/api/buys/:media_buy_id/impairments/:impairment_id/clear',
      ],
      ['impairments.raise', 'done', media_buy_id],
    ])
  })

  test('what is not right of an impairment is refused with what would be', async () => {
    const { media_buy_id } = await running()
    const path = `/buys/${media_buy_id}/impairments`
    const refused = async (over: object) => {
      const { status, body } = await operator.post(path, { ...REJECTED, ...over })
      return [status, body.error.message]
    }
    expect(await refused({ to: 'withdrawn' })).toEqual([
      400,
      'to of creative must be suspended or rejected, not withdrawn',
    ])
    expect(await refused({ from: 'Not a word' })).toEqual([
      400,
      expect.stringMatching(/^from must/),
    ])
    expect(await refused({ reason: 'x'.repeat(501) })).toEqual([
      400,
      'reason may have 1 to 500 characters',
    ])
    expect(await refused({ package_ids: ['pk_other'] })).toEqual([
      400,
      expect.stringMatching(/^package_ids must be of .*, not pk_other$/),
    ])
    expect((await refused({ reason_code: 'because' }))[0]).toBe(400)
    const ended = await running({ status: 'completed', due_at: undefined })
    const silent = await operator.post(`/buys/${ended.media_buy_id}/impairments`, REJECTED)
    expect([silent.status, silent.body.error.message]).toEqual([
      409,
      'the media buy is completed: no further events are sent for it',
    ])
    expect((await operator.post('/buys/mb_none/impairments', REJECTED)).status).toBe(404)
  })
})
