import { beforeEach, describe, expect, test } from 'vitest'
import { createOutboxStore } from '../../src/storage/stores/outbox/outbox.ts'
import { moveCircuit } from '../../src/webhooks/sender/circuit.ts'
import type { ClaimedDelivery } from '../../src/webhooks/sender/store.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { DAY_MS, failure, LEASE_MS, outboxOn, success } from '../support/outbox-contract.ts'

const clock = fakeClock()

onBothStores(
  'the leases and results of the outbox',
  (database, _store, another) => {
    const on = outboxOn(database, clock)
    const { add, claim, claimOne, deliveryTo, one, operations, outbox, put, record, stateOf } = on
    beforeEach(on.clear)

    describe('leases', () => {
      test('S4: a delivery is leased once, and is not claimed again while the lease holds', async () => {
        await one()
        await claimOne()
        clock.advance(LEASE_MS - 1)
        expect((await claim()).claimed).toEqual([])
      })

      test('a lease that ended is taken back, and its attempt has an unknown outcome', async () => {
        await one()
        const first = await claimOne()
        clock.advance(LEASE_MS)
        expect(await claimOne()).toMatchObject({ delivery_id: first.delivery_id, attempt: 2 })
        expect((await operations().show(first.delivery_id))?.history).toMatchObject([
          {
            attempt: 1,
            status: 'connection_error',
            error_message: 'the outcome is unknown: the sender stopped during the attempt',
            completed_at: clock.now(),
          },
          { attempt: 2, status: 'pending' },
        ])
      })

      test('S4: a result under an old lease changes nothing at all', async () => {
        const channel = await one()
        const late = await claimOne()
        clock.advance(LEASE_MS)
        const current = await claimOne()
        const before = await operations().show(late.delivery_id)
        const gone = failure(late, {
          next: { state: 'exhausted', reason: 'gone' },
          isGone: true,
        })
        expect(await record(gone)).toEqual([false])
        expect(await operations().show(late.delivery_id)).toEqual(before)
        expect((await on.channels().list(channel.owner, channel.subject))[0]).toEqual(channel)
        expect(await database().read.all('SELECT * FROM webhook_circuits')).toEqual([])
        expect(await record(success(current))).toEqual([true])
        expect(await record(success(current))).toEqual([false])
        expect(await stateOf(late.delivery_id)).toBe('delivered')
      })

      test('a claim that is given back was never made: no attempt, and the same token again', async () => {
        await one()
        const { delivery_id, attempt } = await claimOne()
        const given = { delivery_id, attempt, inMs: 2_000 }
        await database().transact((tx) => outbox().giveBack(tx, [given]))
        expect(await operations().show(delivery_id)).toMatchObject({
          state: 'pending',
          attempts: 0,
          history: [],
          due_at: clock.now() + 2_000,
        })
        expect((await claim()).claimed).toEqual([])
        clock.advance(2_000)
        const again = await claimOne()
        expect(again).toMatchObject({ delivery_id, attempt: 1, scheduledAttempt: 1 })
        expect(await record(success(again))).toEqual([true])
      })

      test('S4: what was lost cannot be given back', async () => {
        await one()
        const late = await claimOne()
        clock.advance(LEASE_MS)
        await claimOne()
        const before = await operations().show(late.delivery_id)
        const { delivery_id, attempt } = late
        await database().transact((tx) =>
          outbox().giveBack(tx, [{ delivery_id, attempt, inMs: 0 }]),
        )
        expect(await operations().show(delivery_id)).toEqual(before)
      })

      test('of two results for one lease the first counts', async () => {
        await one()
        const claimed = await claimOne()
        expect(await record(success(claimed), failure(claimed))).toEqual([true, false])
        expect(await stateOf(claimed.delivery_id)).toBe('delivered')
      })

      test('all leases are taken back at once when no one can hold one', async () => {
        await one()
        await one()
        const { claimed } = await claim()
        const release = () => database().transact((tx) => outbox().releaseAll(tx))
        expect(await release()).toBe(2)
        expect(await release()).toBe(0)
        expect(await record(...claimed.map((each) => success(each)))).toEqual([false, false])
        expect((await claim()).claimed.map(({ attempt }) => attempt)).toEqual([2, 2])
      })

      test('S4: two that claim at once, each on its own connection, never get the same', async () => {
        const busy = await put({ url: 'https://shared.example/' })
        await add(...Array.from({ length: 20 }, () => deliveryTo(busy)))
        for (let index = 0; index < 60; index++) await one()
        const other = another()
        const theirs = createOutboxStore(other, { moveCircuit, clock })
        const request = {
          limit: 5,
          leaseMs: LEASE_MS,
          choose: <T>(due: readonly T[]) => due,
        }
        const ask = (index: number) =>
          index % 2 === 0 ? claim(request) : other.transact((tx) => theirs.claim(tx, request))
        const claims = await Promise.all(
          Array.from({ length: 24 }, async (_, index) => {
            const claimed: ClaimedDelivery[] = []
            for (;;) {
              const each = await ask(index)
              claimed.push(...each.claimed)
              // It does not wait for another that claims in the same place, but looks again.
              if (!each.isContended) return claimed
            }
          }),
        )
        await other.close()
        const claimed = claims.flat()
        expect(new Set(claimed.map(({ delivery_id }) => delivery_id)).size).toBe(claimed.length)
        // The sixty, and one of the twenty: they have one subject and one endpoint.
        expect(claimed).toHaveLength(61)
        expect(claimed.every(({ attempt }) => attempt === 1)).toBe(true)
      })
    })

    describe('results', () => {
      test('a result is written to the delivery and to its attempt', async () => {
        await one()
        const claimed = await claimOne()
        clock.advance(40)
        await record(success(claimed, { response_head: 'thanks' }))
        expect(await operations().show(claimed.delivery_id)).toMatchObject({
          state: 'delivered',
          attempts: 1,
          ended_at: clock.now(),
          last_status: 'success',
          last_http_status_code: 200,
          history: [
            {
              status: 'success',
              response_time_ms: 12,
              response_head: 'thanks',
              completed_at: clock.now(),
            },
          ],
        })
      })

      test('a retry never waits past the horizon, and is then exhausted', async () => {
        await one()
        const claimed = await claimOne()
        await record(failure(claimed, { next: { state: 'pending', inMs: 10 * DAY_MS } }))
        clock.advance(DAY_MS - 1)
        expect((await claim()).claimed).toEqual([])
        clock.advance(1)
        await claim()
        expect(await stateOf(claimed.delivery_id)).toBe('exhausted')
      })

      test('an answer with bytes that no text column takes is kept without them', async () => {
        await one()
        const claimed = await claimOne()
        const response_head = 'a\0b\ud800c😀'
        expect(await record(failure(claimed, { response_head }))).toEqual([true])
        const returned = await operations().show(claimed.delivery_id)
        expect(returned?.history[0]?.response_head).toBe('a\ufffdb\ufffdc😀')
      })

      test('a batch is written whole, each with its own end', async () => {
        for (let index = 0; index < 60; index++) await one()
        const { claimed } = await claim()
        const results = claimed.map((each, index) =>
          index % 3 === 0
            ? success(each)
            : index % 3 === 1
              ? failure(each, { says: 'nothing' })
              : failure(each, { next: { state: 'exhausted', reason: `no ${index}` }, says: 'up' }),
        )
        expect(await record(...results)).toEqual(claimed.map(() => true))
        const states = await Promise.all(claimed.map((each) => stateOf(each.delivery_id)))
        expect(states).toEqual(
          claimed.map((_, index) => ['delivered', 'pending', 'exhausted'][index % 3]),
        )
        const last = await operations().show(claimed[59]?.delivery_id as number)
        expect(last?.reason).toBe('no 59')
      })

      test('a receiver that is gone (410) pauses its channel and cancels what waits for it', async () => {
        const channel = await put({ subject: 'task:gone' })
        await add(deliveryTo(channel), deliveryTo(channel))
        const other = await one()
        const { claimed } = await claim()
        const gone = claimed.find((each) => each.channel.channel_id === channel.channel_id)
        if (!gone) throw new Error('its delivery was claimed')
        const next = { state: 'exhausted', reason: 'gone' } as const
        await record(failure(gone, { next, says: 'up', isGone: true }))
        const [paused] = await on.channels().list(channel.owner, channel.subject)
        expect(paused?.paused_at).toBe(clock.now())
        const [second, first] = await operations().list({ subject: 'task:gone' })
        expect(first).toMatchObject({ state: 'exhausted', reason: 'gone' })
        expect(second).toMatchObject({ state: 'cancelled', reason: 'its receiver is gone' })
        expect((await on.channels().list(other.owner, other.subject))[0]?.paused_at).toBeUndefined()
      })

      test('a channel that leads elsewhere by now is not paused by its old receiver', async () => {
        const channel = await put({ subject: 'task:moved', url: 'https://old.example/hook' })
        await one(channel)
        const claimed = await claimOne()
        await put({ subject: 'task:moved', url: 'https://new.example/hook' })
        await record(failure(claimed, { isGone: true, says: 'up' }))
        const [moved] = await on.channels().list(channel.owner, 'task:moved')
        expect(moved?.paused_at).toBeUndefined()
      })
    })
  },
  { clock },
)
