import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Channel } from '../../../../src/webhooks/sender/store.ts'
import { startApp, type TestApp } from '../../../support/app.ts'
import { type ConsoleClient, signIn } from '../../../support/console.ts'
import { newChannel } from '../../../support/outbox-contract.ts'

const HOSTILE = '<img src=x onerror="alert(1)">\u202e</script>'

describe.each(['sqlite', 'postgres'] as const)('the views of the console [%s]', (store) => {
  let app: TestApp
  let operator: ConsoleClient
  let viewer: ConsoleClient

  beforeAll(async () => {
    // Nothing is sent by itself: what waits here stays as it is.
    app = await startApp({
      store,
      config: { trustProxy: ['127.0.0.1'], webhookConcurrency: 0, taskConcurrency: 0 },
    })
    operator = await signIn(app, await app.principal('operator', 'approver'))
    viewer = await signIn(app, await app.principal('viewer'))
  })
  afterAll(() => app.stop())

  const channel = (over: object = {}) =>
    app.storage.transact((tx) =>
      app.storage.channels.put(tx, newChannel(over), 9),
    ) as Promise<Channel>
  const deliver = (to: Channel, over: object = {}) =>
    app.storage.transact((tx) =>
      app.storage.outbox.add(
        tx,
        [
          {
            channel: to,
            task_id: undefined,
            operation_id: 'op-1',
            sequence_number: undefined,
            notification_type: 'completed',
            idempotency_key: randomUUID(),
            body: Buffer.from('{"status":"completed"}'),
            ...over,
          },
        ],
        3_600_000,
      ),
    )
  const ids = (body: { items: { delivery_id: number }[] }) =>
    body.items.map(({ delivery_id }) => delivery_id)

  test('a delivery is found by whatever people have in hand', async () => {
    const task_id = `task_${randomUUID()}`
    const to = await channel({ subject: `task:${task_id}`, url: 'https://found.example/hook?x=1' })
    const idempotency_key = randomUUID()
    await deliver(to, { task_id, operation_id: 'op-found', idempotency_key })
    const [{ delivery_id, endpoint_id }] = (await viewer.get(`/deliveries?task_id=${task_id}`)).body
      .items
    for (const query of [
      `task_id=${task_id}`,
      'operation_id=op-found',
      `idempotency_key=${idempotency_key}`,
      'endpoint=https://found.example/hook',
      `endpoint_id=${endpoint_id}`,
      `q=${task_id}`,
      'q=op-found',
      `q=${idempotency_key}`,
      `q=%23${delivery_id}`,
      'q=https://found.example/hook',
      `q=${delivery_id}&status=pending`,
    ]) {
      const { status, body } = await viewer.get(`/deliveries?${query}`)
      expect([query, status, ids(body)]).toEqual([query, 200, [delivery_id]])
    }
    for (const query of ['q=nothing', `q=${task_id}&status=delivered`, 'media_buy_id=mb_none']) {
      expect([query, ids((await viewer.get(`/deliveries?${query}`)).body)]).toEqual([query, []])
    }
  })

  test('spec 2.11: the deliveries of a buy are its changes and its reports', async () => {
    const buy = `mb_${randomUUID()}`
    for (const subject of [`media_buy:${buy}`, `media_buy_reports:${buy}`]) {
      await deliver(await channel({ subject }))
    }
    const { body } = await viewer.get(`/deliveries?media_buy_id=${buy}`)
    expect(body.items.map((item: { media_buy_id: string }) => item.media_buy_id)).toEqual([
      buy,
      buy,
    ])
  })

  test('every row comes once, while rows are added, whatever the size of a page', async () => {
    const to = await channel({ url: 'https://paged.example/hook' })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 6 }),
        async (limit, additions) => {
          await deliver(to)
          await deliver(to)
          const query = `/deliveries?endpoint=https://paged.example/hook&limit=${limit}`
          const before = ids((await viewer.get(`${query.replace(/limit=\d/, 'limit=200')}`)).body)
          const seen: number[] = []
          let cursor = ''
          for (let page = 0; ; page++) {
            const { body } = await viewer.get(`${query}${cursor}`)
            seen.push(...ids(body))
            if (additions[page]) await deliver(to)
            if (body.next_cursor === undefined) break
            cursor = `&cursor=${body.next_cursor}`
          }
          expect(seen).toEqual(before)
        },
      ),
      { numRuns: 6 },
    )
  })

  test('a cursor of another list, or none at all, is refused', async () => {
    for (const path of ['/deliveries', '/tasks', '/endpoints', '/audit', '/approvals']) {
      const answer = await viewer.get(`${path}?cursor=WyJ4IiwxXQ`)
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 400, 'invalid_cursor'])
    }
    expect((await viewer.get('/deliveries?limit=0')).status).toBe(400)
    expect((await viewer.get('/deliveries?limit=201')).status).toBe(400)
    expect((await viewer.get('/deliveries?nonsense=1')).status).toBe(400)
  })

  test('cancel and retry do what they say, are kept with who did it, and a viewer changes nothing', async () => {
    await deliver(await channel({ url: 'https://acted.example/hook' }))
    const list = '/deliveries?endpoint=https://acted.example/hook'
    const [id] = ids((await viewer.get(list)).body)
    expect((await viewer.post(`/deliveries/${id}/cancel`)).status).toBe(403)
    expect((await viewer.get(`/deliveries/${id}`)).body).toMatchObject({
      state: 'pending',
      may: { retry: true, cancel: true },
    })
    const cancelled = await operator.post(`/deliveries/${id}/cancel`)
    expect(cancelled.body).toMatchObject({
      state: 'cancelled',
      reason: 'cancelled by an operator',
      may: { retry: true, cancel: false },
    })
    const again = await operator.post(`/deliveries/${id}/cancel`)
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict'])
    expect((await operator.post(`/deliveries/${id}/retry`)).body).toMatchObject({
      state: 'pending',
    })
    const { body } = await viewer.get('/audit?limit=3')
    expect(
      body.items.map((entry: { action: string; outcome: string; target: string }) => [
        entry.action,
        entry.outcome,
        entry.target,
      ]),
    ).toEqual([
      ['deliveries.retry', 'done', String(id)],
      ['deliveries.cancel', 'refused', String(id)],
      ['deliveries.cancel', 'done', String(id)],
    ])
  })

  test('what third parties wrote stays data, exactly as it was', async () => {
    const to = await channel({ url: 'https://hostile.example/hook' })
    await deliver(to, {
      operation_id: HOSTILE,
      notification_type: HOSTILE,
      body: Buffer.from(HOSTILE),
    })
    const list = await viewer.get('/deliveries?endpoint=https://hostile.example/hook')
    expect(list.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(list.body.items[0]).toMatchObject({ operation_id: HOSTILE, notification_type: HOSTILE })
    const one = await viewer.get(`/deliveries/${list.body.items[0].delivery_id}`)
    expect(one.body.body).toEqual({
      text: HOSTILE,
      bytes: Buffer.byteLength(HOSTILE),
      has_token: false,
      is_cut: false,
    })
  })

  test('an endpoint is paused, resumed and tested', async () => {
    const to = await channel({ url: 'https://paused.example/hook' })
    await deliver(to)
    const [item] = (await viewer.get('/endpoints?q=paused.example')).body.items
    expect(item).toMatchObject({ url: 'https://paused.example/hook', state: 'unused', waiting: 1 })
    const path = `/endpoints/${item.endpoint_id}`
    expect((await operator.post(`${path}/resume`)).status).toBe(409)
    expect((await operator.post(`${path}/pause`)).body).toMatchObject({
      state: 'paused',
      may: { pause: false, resume: true, test: true },
      channels: [{ channel_id: to.channel_id }],
    })
    expect((await operator.post(`${path}/pause`)).status).toBe(409)
    expect((await viewer.get('/endpoints?state=paused')).body.items).toHaveLength(1)
    expect((await viewer.get('/overview')).body.queue.paused_endpoints).toBe(1)
    expect((await operator.post(`${path}/resume`)).body).toMatchObject({ state: 'unused' })
    const tested = await operator.post(`${path}/test`)
    const sent = await viewer.get(`/deliveries/${tested.body.delivery_id}`)
    expect(sent.body).toMatchObject({ notification_type: 'webhook_test', state: 'pending' })
    expect(JSON.parse(sent.body.body.text)).toMatchObject({ task_type: 'webhook_test' })
  })

  test('an endpoint that no one registered is not there', async () => {
    const id = Buffer.from(JSON.stringify(['endpoint', 'prn_x', 'https://no.example/'])).toString(
      'base64url',
    )
    for (const answer of [
      await viewer.get(`/endpoints/${id}`),
      await operator.post(`/endpoints/${id}/pause`),
      await operator.post(`/endpoints/${id}/test`),
    ]) {
      expect(answer.status).toBe(404)
    }
  })

  const task = (task_id: string, over: object = {}) =>
    app.storage.transact((tx) =>
      app.storage.tasks.add(tx, {
        task_id,
        owner: 'prn_a',
        task_type: 'build_creative',
        domain: 'creative',
        status: 'submitted',
        context: undefined,
        context_id: undefined,
        is_told: true,
        has_webhook: false,
        state: undefined,
        request: {},
        idempotency_key: undefined,
        deadlineMs: 3_600_000,
        ...over,
      }),
    )

  test('a task of any principal is returned, and canceled with a reason', async () => {
    const id = `task_${randomUUID()}`
    await task(id)
    expect((await viewer.get(`/tasks?q=${id}`)).body.items).toMatchObject([{ task_id: id }])
    expect((await viewer.get(`/tasks/${id}`)).body).toMatchObject({
      status: 'submitted',
      history: [],
      may: { cancel: true, decide: false },
    })
    const canceled = await operator.post(`/tasks/${id}/cancel`, { reason: 'not wanted' })
    expect(canceled.body).toMatchObject({
      status: 'canceled',
      message: 'canceled: not wanted',
      may: { cancel: false },
    })
    expect((await operator.post(`/tasks/${id}/cancel`)).status).toBe(409)
    expect((await viewer.get('/tasks?status=canceled')).body.items).toHaveLength(1)
    expect((await viewer.get('/tasks?status=open')).body.items).toHaveLength(0)
    const [last] = (await viewer.get('/audit?action=tasks.cancel&limit=9')).body.items.slice(1)
    expect(last).toMatchObject({ target: id, outcome: 'done', detail: 'not wanted' })
  })

  test('spec 3.2: what waits for approval is approved or rejected, once', async () => {
    const waiting = [`task_${randomUUID()}`, `task_${randomUUID()}`]
    for (const task_id of waiting) {
      await task(task_id, { status: 'input-required', task_type: 'create_media_buy' })
      await app.storage.transact((tx) =>
        app.storage.approvals.ask(tx, {
          task_id,
          owner: 'prn_a',
          task_type: 'create_media_buy',
          media_buy_id: 'mb_1',
          reason: HOSTILE,
          requested: {
            total_budget: 50_000,
            currency: 'USD',
            product_ids: ['p'],
            start_time: '2026-01-01T00:00:00Z',
            end_time: '2026-02-01T00:00:00Z',
          },
        }),
      )
    }
    const first = await viewer.get('/approvals?limit=1')
    const second = await viewer.get(`/approvals?limit=1&cursor=${first.body.next_cursor}`)
    const found = [...first.body.items, ...second.body.items]
    expect(new Set(found.map(({ task_id }: { task_id: string }) => task_id))).toEqual(
      new Set(waiting),
    )
    expect(found[0]).toMatchObject({ reason: HOSTILE, requested: { total_budget: 50_000 } })
    expect(second.body.next_cursor).toBeUndefined()
    const [one, other] = waiting
    expect((await viewer.post(`/approvals/${one}`, { approved: true })).status).toBe(403)
    expect((await operator.post(`/approvals/${one}`, { approved: true })).body).toMatchObject({
      state: 'approved',
      decided_by: expect.stringMatching(/^prn_/),
    })
    expect((await operator.post(`/approvals/${one}`, { approved: false })).status).toBe(409)
    const no = await operator.post(`/approvals/${other}`, { approved: false, note: 'too dear' })
    expect(no.body).toMatchObject({ state: 'rejected', note: 'too dear' })
    expect((await operator.post('/approvals/none', { approved: true })).status).toBe(404)
    expect((await viewer.get('/approvals')).body.items).toEqual([])
  })

  test('above a second amount two people approve, and one rejection suffices', async () => {
    const waiting = [`task_${randomUUID()}`, `task_${randomUUID()}`]
    for (const task_id of waiting) {
      await task(task_id, { status: 'input-required', task_type: 'create_media_buy' })
      await app.storage.transact((tx) =>
        app.storage.approvals.ask(tx, {
          task_id,
          owner: 'prn_a',
          task_type: 'create_media_buy',
          media_buy_id: 'mb_1',
          reason: 'large',
          requested: {
            total_budget: 500_000,
            currency: 'USD',
            product_ids: ['p'],
            start_time: '2026-01-01T00:00:00Z',
            end_time: '2026-02-01T00:00:00Z',
          },
          needed: 2,
        }),
      )
    }
    const [one, other] = waiting
    const approver = await signIn(app, await app.principal('approver'))
    const onlyOperator = await signIn(app, await app.principal('operator'))
    const refused = await onlyOperator.post(`/approvals/${one}`, { approved: true })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'no_approver'])

    const first = await approver.post(`/approvals/${one}`, { approved: true, note: 'fine' })
    expect(first.body).toMatchObject({ state: 'waiting', needed: 2, first_by_name: 'Caller' })
    const again = await approver.post(`/approvals/${one}`, { approved: true })
    expect([again.status, again.body.error.message]).toEqual([
      409,
      expect.stringContaining('a second person'),
    ])
    const second = await operator.post(`/approvals/${one}`, { approved: true })
    expect(second.body).toMatchObject({ state: 'approved', decided_by_name: 'Caller' })
    expect(second.body.decided_by).not.toBe(second.body.first_by)

    await approver.post(`/approvals/${other}`, { approved: true })
    const rejected = await approver.post(`/approvals/${other}`, { approved: false })
    expect(rejected.body).toMatchObject({ state: 'rejected' })
  })

  test('the overview shows at a glance what is wrong', async () => {
    for (const range of ['1h', '24h', '7d']) {
      const { status, body } = await viewer.get(`/overview?range=${range}`)
      expect([range, status]).toEqual([range, 200])
      expect(body.deliveries.buckets.length).toBeGreaterThan(40)
    }
    expect((await viewer.get('/overview?range=1y')).status).toBe(400)
  })
})
