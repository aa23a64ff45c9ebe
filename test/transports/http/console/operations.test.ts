import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createInboxStore } from '../../../../src/storage/stores/inbox/inbox.ts'
import type { Channel } from '../../../../src/webhooks/sender/store.ts'
import { startApp, type TestApp } from '../../../support/app.ts'
import { type ConsoleClient, signIn } from '../../../support/console.ts'
import { LIMITS, newMessage } from '../../../support/inbox-contract.ts'
import { newChannel } from '../../../support/outbox-contract.ts'

const HOSTILE = '<img src=x onerror="alert(1)">\u202e</script>'
const SINCE = '2020-01-01T00:00:00.000Z'

describe.each(['sqlite', 'postgres'] as const)('an operator’s hand [%s]', (store) => {
  let app: TestApp
  let operator: ConsoleClient
  let viewer: ConsoleClient

  beforeAll(async () => {
    app = await startApp({
      store,
      config: { trustProxy: ['127.0.0.1'], webhookConcurrency: 0, taskConcurrency: 0 },
    })
    operator = await signIn(app, await app.principal('operator'))
    viewer = await signIn(app, await app.principal('viewer'))
  })
  afterAll(() => app.stop())

  /** Servers that send nothing carry none out by themselves. */
  const stepToTheEnd = async () => {
    const { transact, recoveries } = app.storage
    while (await transact((tx) => recoveries.step(tx, 3_600_000)));
  }
  const audit = async (action: string) =>
    (await viewer.get(`/audit?action=${action}&limit=5`)).body.items

  describe('on an endpoint', () => {
    let url: string
    let channel: Channel
    let at: string

    beforeEach(async () => {
      url = `https://${randomUUID()}.example/hook`
      const { transact, channels, outbox, outboxOperations } = app.storage
      channel = (await transact((tx) =>
        channels.put(tx, newChannel({ url, owner: 'prn_a' }), 9),
      )) as Channel
      const delivery = {
        channel,
        task_id: undefined,
        operation_id: undefined,
        sequence_number: undefined,
        notification_type: 'completed',
        body: Buffer.from('{}'),
      }
      const keys = [randomUUID(), randomUUID()]
      await transact((tx) =>
        outbox.add(
          tx,
          keys.map((idempotency_key) => ({ ...delivery, idempotency_key })),
          3_600_000,
        ),
      )
      const made = await outboxOperations.list({ endpoint: url })
      // Given up, as nothing is sent in these tests.
      await app.storage.database.transact((tx) =>
        tx.run(
          `UPDATE webhook_deliveries SET state = 'exhausted', ended_at = 1, reason = 'refused'
           WHERE endpoint = $1`,
          [url],
        ),
      )
      expect(made).toHaveLength(2)
      const [endpoint] = (await viewer.get(`/endpoints?q=${url}`)).body.items
      at = `/endpoints/${endpoint.endpoint_id}`
    })

    test('what was lost is counted, sent again in the background, and the caller that requested it is recorded', async () => {
      const count = await viewer.get(`${at}/recoveries/count?since=${SINCE}`)
      expect(count.body).toEqual({ count: 2 })
      const none = await viewer.get(`${at}/recoveries/count?since=2999-01-01T00:00:00Z`)
      expect(none.body).toEqual({ count: 0 })
      expect((await viewer.post(`${at}/recoveries`, { since: SINCE })).status).toBe(403)
      expect((await operator.post(`${at}/recoveries`, { since: 'yesterday' })).status).toBe(400)
      const begun = await operator.post(`${at}/recoveries`, { since: SINCE })
      expect(begun.body).toMatchObject({ which: 'failed', since: SINCE, may: { cancel: true } })
      expect((await viewer.get(`${at}/recoveries`)).body.items).toMatchObject([
        { state: 'counting', requested_by: expect.any(String), may: { cancel: true } },
      ])
      await stepToTheEnd()
      expect((await viewer.get(`${at}/recoveries`)).body.items).toMatchObject([
        { state: 'finished', total: 2, sent: 2, passed_over: 0, may: { cancel: false } },
      ])
      expect(
        (await app.storage.outboxOperations.list({ endpoint: url })).map(({ state }) => state),
      ).toEqual(['pending', 'pending'])
      const [entry] = await audit('endpoints.recover')
      expect(entry).toMatchObject({ outcome: 'done', target: `${url} of prn_a` })
      expect(entry.detail).toBe(`what failed since ${SINCE}`)
      const { recovery_id } = begun.body
      const late = await operator.post(`/recoveries/${recovery_id}/cancel`)
      expect([late.status, late.body.error.message]).toEqual([409, 'it has ended already'])
      expect((await operator.post('/recoveries/999999999/cancel')).status).toBe(404)
    })

    test('a second one waits for the end of the first, which can be cancelled', async () => {
      const begin = () => operator.post(`${at}/recoveries`, { since: SINCE, which: 'all' })
      const { recovery_id } = (await begin()).body
      const second = await begin()
      expect([second.status, second.body.error.message]).toEqual([
        409,
        expect.stringContaining('is in progress'),
      ])
      expect((await viewer.post(`/recoveries/${recovery_id}/cancel`)).status).toBe(403)
      const cancelled = await operator.post(`/recoveries/${recovery_id}/cancel`)
      expect(cancelled.body).toMatchObject({ state: 'cancelled', sent: 0 })
      expect((await audit('endpoints.recover_cancel'))[0]).toMatchObject({
        outcome: 'done',
        detail: `recovery ${recovery_id}`,
      })
      expect((await begin()).status).toBe(200)
      await stepToTheEnd()
    })

    test('nothing is sent again where nothing leads', async () => {
      await app.storage.transact((tx) => app.storage.channels.delete(tx, channel))
      const refused = await operator.post(`${at}/recoveries`, { since: SINCE })
      expect([refused.status, refused.body.error.message]).toEqual([
        404,
        'there is no registration that leads to this endpoint',
      ])
      expect((await audit('endpoints.recover'))[0]).toMatchObject({ outcome: 'refused' })
    })

    test('limits are returned, changed, taken back, and on record', async () => {
      const before = (await viewer.get(at)).body.limits
      expect(before.own_concurrency).toBeUndefined()
      const set = (concurrency: unknown, per_second: unknown, by = operator) =>
        by.post(`${at}/limits`, { concurrency, per_second })
      expect((await set(2, 5, viewer)).status).toBe(403)
      expect((await set(2, 0.5)).body.limits).toEqual({
        ...before,
        own_concurrency: 2,
        per_second: 0.5,
      })
      expect((await viewer.get(at)).body.limits.per_second).toBe(0.5)
      for (const [concurrency, rate] of [
        [0, null],
        [1.5, null],
        [257, null],
        ['2', null],
        [null, 0],
        [null, 1001],
        [null, -1],
        [undefined, undefined],
      ]) {
        expect([concurrency, rate, (await set(concurrency, rate)).status]).toEqual([
          concurrency,
          rate,
          400,
        ])
      }
      const [entry] = await audit('endpoints.limits')
      expect(entry).toMatchObject({ outcome: 'done', detail: 'at a time: 2; a second: 0.5' })
      expect((await set(null, null)).body.limits).toEqual(before)
      const unknown = await operator.post(`/endpoints/${'x'.repeat(20)}/limits`, {
        concurrency: 1,
        per_second: null,
      })
      expect(unknown.status).toBe(404)
    })
  })

  describe('on received messages', () => {
    const inbox = () => createInboxStore(app.storage.database)
    async function received(over: Parameters<typeof newMessage>[0] = {}, reason?: string) {
      await inbox().accept([newMessage(over)], LIMITS)
      const { claimed } = await app.storage.transact((tx) =>
        inbox().claim(tx, { limit: 100, leaseMs: 60_000, worker: 'w' }),
      )
      for (const message of claimed) {
        await app.storage.transact((tx) =>
          inbox().finish(
            tx,
            message,
            reason === undefined ? { state: 'applied' } : { state: 'dead', reason },
          ),
        )
      }
      const message_id = claimed[0]?.message_id ?? 0
      return message_id
    }
    const ids = async (query: string) =>
      (await viewer.get(`/received?${query}`)).body.items.map(
        ({ message_id }: { message_id: number }) => message_id,
      )

    test('one is found by whatever people have in hand', async () => {
      const sender = `https://${randomUUID()}.example`
      const [task_id, operation_id, idempotency_key] = [randomUUID(), randomUUID(), randomUUID()]
      const id = await received({ sender, task_id, operation_id, idempotency_key })
      for (const query of [
        `sender=${sender}`,
        `task_id=${task_id}`,
        `operation_id=${operation_id}`,
        `q=${sender}`,
        `q=${task_id}`,
        `q=${operation_id}`,
        `q=${idempotency_key}`,
        `q=%23${id}`,
        `q=${id}&state=applied`,
        `sender=${sender}&since=${SINCE}`,
      ]) {
        expect([query, await ids(query)]).toEqual([query, [id]])
      }
      for (const query of [
        'q=nothing',
        `sender=${sender}&state=dead`,
        `q=${task_id}&since=2999-01-01T00:00:00Z`,
      ]) {
        expect([query, await ids(query)]).toEqual([query, []])
      }
      expect((await viewer.get('/received?cursor=abc')).status).toBe(400)
      expect((await viewer.get('/received/999999999')).status).toBe(404)
    })

    test('every one comes once, the last received first, whatever the size of a page', async () => {
      const sender = `https://${randomUUID()}.example`
      const made: number[] = []
      for (let n = 0; n < 5; n++) made.push(await received({ sender }))
      const seen: number[] = []
      let cursor = ''
      do {
        const { body } = await viewer.get(`/received?sender=${sender}&limit=2${cursor}`)
        for (const { message_id } of body.items) seen.push(message_id)
        cursor = body.next_cursor === undefined ? '' : `&cursor=${body.next_cursor}`
      } while (cursor !== '')
      expect(seen).toEqual(made.reverse())
    })

    test('a dead letter says why, is applied again under a new number, or discarded', async () => {
      const sender = `https://${randomUUID()}.example`
      const id = await received({ sender, body: Buffer.from('{"token":"s3cret"}') }, HOSTILE)
      const other = await received({ sender }, 'the disk is full')
      const { body } = await viewer.get(`/received/${id}`)
      expect(body).toMatchObject({
        state: 'dead',
        reason: HOSTILE,
        sender,
        may: { apply: true, drop: true },
        body: { bytes: 18, digest: expect.any(String), has_token: true, is_cut: false },
      })
      // Spec 2.9: the token of a registration is a secret.
      expect(body.body.text).toBe('{"token":"<secret>"}')
      const overview = (await viewer.get('/overview')).body
      expect(overview.notices).toContainEqual(
        expect.objectContaining({ level: 'bad', topic: 'received' }),
      )
      expect((await viewer.post(`/received/${id}/apply`)).status).toBe(403)
      expect((await viewer.post(`/received/${id}/drop`)).status).toBe(403)
      const again = await operator.post(`/received/${id}/apply`)
      expect(again.body).toMatchObject({ state: 'pending', may: { apply: false, drop: true } })
      expect(again.body.message_id).not.toBe(id)
      expect((await operator.post(`/received/${id}/apply`)).status).toBe(404)
      const dropped = await operator.post(`/received/${other}/drop`)
      expect(dropped.body).toMatchObject({ state: 'stale', reason: 'discarded by an operator' })
      expect((await operator.post(`/received/${other}/drop`)).status).toBe(409)
      expect(await ids(`sender=${sender}&state=dead`)).toEqual([])
      expect(await audit('received.apply')).toMatchObject([
        { outcome: 'refused' },
        { outcome: 'done', target: String(id) },
      ])
      expect(await audit('received.drop')).toMatchObject([
        { outcome: 'refused' },
        { outcome: 'done', target: String(other) },
      ])
    })
  })
})
