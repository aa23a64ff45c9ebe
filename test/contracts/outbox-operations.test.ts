import { beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryFilter, DeliveryState } from '../../src/webhooks/sender/store.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { DAY_MS, failure, outboxOn, success } from '../support/outbox-contract.ts'

const clock = fakeClock()

onBothStores(
  'an operator’s hand on the outbox',
  (database) => {
    const on = outboxOn(database, clock)
    const { add, claim, claimOne, deliveryTo, one, operations, put, record, stateOf } = on
    beforeEach(on.clear)

    const retry = (id: number) => database().transact((tx) => operations().retry(tx, id, DAY_MS))
    const cancel = (id: number) =>
      database().transact((tx) => operations().cancel(tx, id, 'by\0hand'))
    const exhausted = { state: 'exhausted', reason: 'refused' } as const

    describe('listing', () => {
      test('deliveries are listed newest first, with how their last attempt ended', async () => {
        const channel = await put({ url: 'https://b.example/h?secret=1', subject: 'task:l' })
        await one(channel, { sequence_number: 7, notification_type: 'scheduled' })
        await record(failure(await claimOne()))
        await one()
        const [newest, oldest] = await operations().list({})
        expect(newest).toMatchObject({ attempts: 0, state: 'pending' })
        expect(newest?.last_status).toBeUndefined()
        expect(oldest).toEqual({
          delivery_id: expect.any(Number),
          owner: 'prn_a',
          subject: 'task:l',
          task_id: 'task-1',
          operation_id: 'op-1',
          notification_type: 'scheduled',
          sequence_number: 7,
          idempotency_key: expect.any(String),
          url: 'https://b.example/h',
          state: 'pending',
          reason: undefined,
          attempts: 1,
          due_at: clock.now() + 1_000,
          created_at: clock.now(),
          ended_at: undefined,
          last_status: 'failed',
          last_http_status_code: 503,
          last_error_message: 'the receiver answered 503',
        })
      })

      test('each filter leaves only what it names', async () => {
        await one(await put({ owner: 'prn_b', subject: 'task:b', url: 'https://b.example/' }), {
          task_id: 'b',
        })
        await record(success(await claimOne()))
        clock.advance(1_000)
        const since = clock.now()
        await one(await put({ subject: 'task:c' }), { task_id: 'c' })
        const tasks = async (filter: DeliveryFilter) =>
          (await operations().list(filter)).map(({ task_id }) => task_id)
        expect(await tasks({})).toEqual(['c', 'b'])
        expect(await tasks({ owner: 'prn_b' })).toEqual(['b'])
        expect(await tasks({ endpoint: 'https://b.example/' })).toEqual(['b'])
        expect(await tasks({ subject: 'task:c' })).toEqual(['c'])
        expect(await tasks({ task_id: 'c' })).toEqual(['c'])
        expect(await tasks({ state: 'delivered' })).toEqual(['b'])
        expect(await tasks({ since })).toEqual(['c'])
        expect(await tasks({ owner: 'prn_b', state: 'pending' })).toEqual([])
        const injected = "pending' OR 'a' = 'a" as DeliveryState
        expect(await tasks({ state: injected })).toEqual([])
      })

      test('a text that no database holds names nothing', async () => {
        await one()
        for (const text of ['a\0', '\ud800']) {
          for (const member of ['owner', 'endpoint', 'subject', 'task_id', 'state']) {
            const filter = { [member]: text } as DeliveryFilter
            expect(await operations().list(filter)).toEqual([])
          }
          expect(await operations().activity('prn_a', text, 9)).toEqual([])
        }
      })

      test('pages follow each other without a gap', async () => {
        const channel = await put()
        await add(...Array.from({ length: 7 }, () => deliveryTo(channel)))
        const seen: number[] = []
        for (;;) {
          const before = seen.at(-1)
          const page = await operations().list({ limit: 3, ...(before ? { before } : {}) })
          if (page.length === 0) break
          seen.push(...page.map(({ delivery_id }) => delivery_id))
        }
        expect(seen).toHaveLength(7)
        expect(seen).toEqual([...seen].sort((a, b) => b - a))
      })

      test('fifty are listed by default, and never more than a thousand', async () => {
        const channel = await put()
        await add(...Array.from({ length: 1_100 }, () => deliveryTo(channel)))
        expect(await operations().list({})).toHaveLength(50)
        expect(await operations().list({ limit: 5_000 })).toHaveLength(1_000)
      })

      test('one that does not exist is not returned', async () => {
        expect(await operations().show(4_711)).toBeUndefined()
      })
    })

    describe('activity', () => {
      test('spec 2.12: every attempt is an entry, the newest first, up to the requested number', async () => {
        const channel = await put({ subject: 'media_buy:1' })
        await one(channel, {
          idempotency_key: 'key-1',
          notification_type: 'scheduled',
          sequence_number: 3,
          body: Buffer.from('{"é":1}'),
        })
        await record(failure(await claimOne()))
        clock.advance(1_000)
        const second = await claimOne()
        const activity = (limit: number) => operations().activity('prn_a', 'media_buy:1', limit)
        expect(await activity(10)).toMatchObject([
          { attempt: 2, status: 'pending', fired_at: clock.now() },
          {
            attempt: 1,
            status: 'failed',
            http_status_code: 503,
            idempotency_key: 'key-1',
            notification_type: 'scheduled',
            sequence_number: 3,
            payload_size_bytes: 8,
            error_message: 'the receiver answered 503',
          },
        ])
        await record(success(second))
        expect(await activity(1)).toMatchObject([{ attempt: 2, status: 'success' }])
      })

      test('spec 2.12: a principal sees its own fires alone', async () => {
        await one(await put({ owner: 'prn_a', subject: 'media_buy:2' }), { idempotency_key: 'a' })
        await one(
          await put({ owner: 'prn_b', subject: 'media_buy:2', url: 'https://b.example/' }),
          {
            idempotency_key: 'b',
          },
        )
        await claim()
        const keys = async (owner: string) =>
          (await operations().activity(owner, 'media_buy:2', 10)).map(
            (entry) => entry.idempotency_key,
          )
        expect(await keys('prn_a')).toEqual(['a'])
        expect(await keys('prn_b')).toEqual(['b'])
        expect(await keys('prn_c')).toEqual([])
      })
    })

    describe('retry and cancel', () => {
      test('an exhausted delivery that is retried is due now, on a schedule that begins again', async () => {
        await one()
        const first = await claimOne()
        await record(failure(first, { next: exhausted }))
        clock.advance(2 * DAY_MS)
        expect(await retry(first.delivery_id)).toBe(true)
        expect(await claimOne()).toMatchObject({
          delivery_id: first.delivery_id,
          attempt: 2,
          scheduledAttempt: 1,
          expires_at: clock.now() + DAY_MS,
        })
      })

      test('a leased or delivered one is not retried, nor one whose channel is gone', async () => {
        const channel = await one()
        const claimed = await claimOne()
        expect(await retry(claimed.delivery_id)).toBe(false)
        await record(success(claimed))
        expect(await retry(claimed.delivery_id)).toBe(false)
        expect(await stateOf(claimed.delivery_id)).toBe('delivered')
        await one(channel)
        const [waiting] = await operations().list({})
        await database().transact((tx) => on.channels().delete(tx, channel))
        expect(await retry(waiting?.delivery_id as number)).toBe(false)
        expect(await retry(4_711)).toBe(false)
      })

      test('a retry lifts the pause of its channel', async () => {
        const channel = await one()
        const claimed = await claimOne()
        await record(failure(claimed, { next: exhausted, isGone: true }))
        expect(await retry(claimed.delivery_id)).toBe(true)
        expect((await claimOne()).delivery_id).toBe(claimed.delivery_id)
        const [lifted] = await on.channels().list(channel.owner, channel.subject)
        expect(lifted?.paused_at).toBeUndefined()
      })

      test('what waits is cancelled with its reason; what is leased or has ended is not', async () => {
        await one()
        const claimed = await claimOne()
        expect(await cancel(claimed.delivery_id)).toBe(false)
        await record(failure(claimed))
        expect(await cancel(claimed.delivery_id)).toBe(true)
        expect(await cancel(claimed.delivery_id)).toBe(false)
        clock.advance(60_000)
        expect((await claim()).claimed).toEqual([])
        expect(await operations().show(claimed.delivery_id)).toMatchObject({
          state: 'cancelled',
          reason: 'by\ufffdhand',
        })
      })
    })
  },
  { clock },
)
