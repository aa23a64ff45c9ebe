import { beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/storage/sql/database.ts'
import { createRecoveryStore } from '../../src/storage/stores/outbox/recoveries.ts'
import type { Recovery, RecoveryRequest } from '../../src/webhooks/sender/recovery-store.ts'
import type { Channel } from '../../src/webhooks/sender/store.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { DAY_MS, failure, outboxOn, success } from '../support/outbox-contract.ts'

const clock = fakeClock()
const ENDPOINT = 'https://buyer.example/hook'
const OF = { owner: 'prn_a', endpoint: ENDPOINT }
const exhausted = { state: 'exhausted', reason: 'refused' } as const

onBothStores(
  'what was lost is sent again since a time',
  (database, store, another) => {
    const on = outboxOn(database, clock)
    const { add, channels, claim, deliveryTo, one, operations, put, record } = on
    beforeEach(on.clear)

    const recoveries = (of: Database = database()) => createRecoveryStore(of)
    const selection = (over: Partial<RecoveryRequest> = {}) =>
      ({ ...OF, which: 'failed', since: clock.now() - DAY_MS, ...over }) as const
    const begin = (over: Partial<RecoveryRequest> = {}) =>
      database().transact((tx) =>
        recoveries().begin(tx, { ...selection(over), requested_by: 'Ada' }),
      )
    const step = (of: Database = database()) => of.transact((tx) => recoveries(of).step(tx, DAY_MS))
    const states = async () =>
      (await operations().list({ limit: 1000 })).map(({ state }) => state).reverse()
    async function toTheEnd(): Promise<Recovery> {
      for (;;) {
        const moved = await step()
        if (moved?.ended_at !== undefined) return moved
        if (!moved) throw new Error('there is nothing under way')
      }
    }
    /** Deliveries of one subject each, ended as specified. */
    async function ended(count: number, how: 'exhausted' | 'delivered' = 'exhausted') {
      const channel = await put()
      for (let n = 0; n < count; n++) await one(await put())
      const { claimed } = await claim({ limit: count })
      await record(
        ...claimed.map((each) =>
          how === 'delivered' ? success(each) : failure(each, { next: exhausted, says: 'nothing' }),
        ),
      )
      return channel
    }

    describe('which', () => {
      test('what failed permanently is due at once, under the key it had', async () => {
        await ended(2)
        const keys = (await operations().list({})).map(({ idempotency_key }) => idempotency_key)
        clock.advance(60_000)
        expect(await recoveries().count(selection())).toEqual({ found: 2, isAll: true })
        expect(await begin()).toMatchObject({ state: 'counting', requested_by: 'Ada', total: 0 })
        expect(await toTheEnd()).toMatchObject({
          state: 'finished',
          total: 2,
          sent: 2,
          passed_over: 0,
          ended_at: clock.now(),
        })
        const { claimed } = await claim()
        expect(claimed.map(({ idempotency_key }) => idempotency_key).sort()).toEqual(keys.sort())
        expect(claimed.map(({ scheduledAttempt }) => scheduledAttempt)).toEqual([1, 1])
      })

      test('what is older, another’s, delivered, on its way or called off is left alone', async () => {
        await ended(1)
        clock.advance(DAY_MS)
        const since = clock.now()
        await ended(1, 'delivered')
        await one(await put({ owner: 'prn_b' }))
        const { claimed } = await claim()
        await record(...claimed.map((each) => failure(each, { next: exhausted, says: 'nothing' })))
        await one()
        await one()
        const [last] = await operations().list({})
        const called = last?.delivery_id ?? 0
        await database().transact((tx) => operations().cancel(tx, called, 'by hand'))
        const before = await states()
        expect(before).toEqual(['exhausted', 'delivered', 'exhausted', 'pending', 'cancelled'])
        expect(await recoveries().count(selection({ since }))).toEqual({ found: 0, isAll: true })
        await begin({ since })
        expect(await toTheEnd()).toMatchObject({ total: 0, sent: 0 })
        expect(await states()).toEqual(before)
      })

      test('all that ended is sent again when requested', async () => {
        await ended(1)
        await ended(1, 'delivered')
        await one()
        const [last] = await operations().list({})
        const called = last?.delivery_id ?? 0
        await database().transact((tx) => operations().cancel(tx, called, 'by hand'))
        expect(await recoveries().count(selection({ which: 'all' }))).toEqual({
          found: 3,
          isAll: true,
        })
        await begin({ which: 'all' })
        expect(await toTheEnd()).toMatchObject({ total: 3, sent: 3 })
        expect(await states()).toEqual(['pending', 'pending', 'pending'])
      })

      test('what was cancelled since its receiver was gone goes out again, its channel with it', async () => {
        const channel = await put()
        await add(deliveryTo(channel), deliveryTo(channel))
        const { claimed } = await claim()
        await record(
          ...claimed.map((each) =>
            failure(each, { next: exhausted, isGone: true, says: 'nothing' }),
          ),
        )
        expect(await states()).toEqual(['exhausted', 'cancelled'])
        await begin()
        expect(await toTheEnd()).toMatchObject({ total: 2, sent: 2 })
        expect((await claim()).claimed).toHaveLength(1)
      })

      test('what nothing leads to any more is skipped, and reported', async () => {
        const channel: Channel = await put()
        await one(channel)
        const { claimed } = await claim()
        await record(...claimed.map((each) => failure(each, { next: exhausted, says: 'nothing' })))
        await database().transact((tx) => channels().delete(tx, channel))
        await begin()
        expect(await toTheEnd()).toMatchObject({ total: 1, sent: 0, passed_over: 1 })
      })
    })

    describe('how', () => {
      test('an endpoint has one at a time, and the next when that has ended', async () => {
        const first = await begin()
        expect(await begin()).toBeUndefined()
        expect(await begin({ owner: 'prn_b' })).toMatchObject({ owner: 'prn_b' })
        await toTheEnd()
        await toTheEnd()
        expect(await begin()).toMatchObject({ state: 'counting' })
        const listed = await recoveries().list(OF, 10)
        expect(listed.map(({ state }) => state)).toEqual(['counting', 'finished'])
        expect(listed[1]?.recovery_id).toBe(first?.recovery_id)
      })

      test('one that is cancelled goes no further', async () => {
        await ended(1)
        const begun = await begin()
        const id = begun?.recovery_id ?? 0
        const cancel = () => database().transact((tx) => recoveries().cancel(tx, id))
        expect(await cancel()).toBe(true)
        expect(await cancel()).toBe(false)
        expect(await step()).toBeUndefined()
        expect(await recoveries().get(id)).toMatchObject({ state: 'cancelled', sent: 0 })
        expect(await states()).toEqual(['exhausted'])
      })

      test('a step that is undone never was, and each is sent again once', async () => {
        await ended(450)
        await begin()
        expect(await step()).toMatchObject({ state: 'sending', total: 450, sent: 0 })
        expect(await step()).toMatchObject({ state: 'sending', sent: 200 })
        const undone = database().transact(async (tx) => {
          expect(await recoveries().step(tx, DAY_MS)).toMatchObject({ sent: 400 })
          throw new Error('killed')
        })
        await expect(undone).rejects.toThrow('killed')
        expect((await states()).filter((state) => state === 'pending')).toHaveLength(200)
        expect(await toTheEnd()).toMatchObject({ state: 'finished', total: 450, sent: 450 })
        expect((await states()).filter((state) => state === 'pending')).toHaveLength(450)
      })

      test('what comes up after the beginning is not part of it', async () => {
        await ended(1)
        await begin()
        await step()
        await ended(1)
        expect(await toTheEnd()).toMatchObject({ total: 1, sent: 1 })
        expect(await states()).toEqual(['pending', 'exhausted'])
      })

      test('what an instance has in hand another leaves alone', async () => {
        await ended(1)
        await begin()
        if (store === 'sqlite') return expect(await step()).toMatchObject({ state: 'sending' })
        const other = another()
        await database().transact(async (tx) => {
          await recoveries().step(tx, DAY_MS)
          expect(await step(other)).toBeUndefined()
        })
        expect(await step(other)).toMatchObject({ state: 'finished', sent: 1 })
        await other.close()
      })

      test('it is forgotten when its time is over', async () => {
        await begin()
        await toTheEnd()
        const trim = (before: number) => database().transact((tx) => recoveries().trim(tx, before))
        expect(await trim(clock.now())).toBe(0)
        expect(await trim(clock.now() + 1)).toBe(1)
        expect(await recoveries().list(OF, 10)).toEqual([])
      })
    })
  },
  { clock },
)
