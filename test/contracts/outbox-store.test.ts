import { beforeEach, describe, expect, test } from 'vitest'
import { type ClaimRequest, DELIVERIES_TOPIC } from '../../src/webhooks/sender/store.ts'
import { onBothStores } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { DAY_MS, failure, LEASE_MS, outboxOn, success } from '../support/outbox-contract.ts'

const clock = fakeClock()
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

onBothStores(
  'the outbox',
  (database) => {
    const on = outboxOn(database, clock)
    const { add, claim, claimOne, deliveryTo, one, operations, outbox, put, record, stateOf } = on
    beforeEach(on.clear)

    describe('adding', () => {
      test('spec 6.4: an event that is rolled back with its change leaves no delivery', async () => {
        const channel = await put()
        const failed = database().transact(async (tx) => {
          await outbox().add(tx, [deliveryTo(channel)], DAY_MS)
          throw new Error('the change failed')
        })
        await expect(failed).rejects.toThrow('the change failed')
        expect((await claim()).claimed).toEqual([])
        expect(await operations().list({})).toEqual([])
      })

      test('what is added wakes the workers', async () => {
        let woken = 0
        const stop = database().onWake(DELIVERIES_TOPIC, () => woken++)
        await eventually(async () => {
          await one()
          expect(woken).toBeGreaterThan(0)
        })
        stop()
      })

      test('a delivery to a paused channel is cancelled from the start, with its reason', async () => {
        const channel = await put()
        await add(deliveryTo({ ...channel, paused_at: clock.now() }))
        expect((await claim()).claimed).toEqual([])
        expect(await operations().list({})).toMatchObject([
          { state: 'cancelled', reason: 'its receiver is gone', ended_at: clock.now() },
        ])
      })

      test('spec 2.9: the sealed token of a body is handed back with it, and counted in its size', async () => {
        const token = { sealed: 'v1.a.b.c', at: 9, bytes: 20 }
        const channel = await one(await put())
        await add(deliveryTo(channel, { token }))
        // One of a subject and endpoint at a time.
        const without = await claimOne()
        expect(without).not.toHaveProperty('token')
        await record(success(without))
        expect(await claimOne()).toMatchObject({ token })
        const size = Buffer.byteLength('{"status":"completed"}')
        const activity = await operations().activity(channel.owner, channel.subject, 9)
        expect(activity.map(({ payload_size_bytes }) => payload_size_bytes)).toContain(size + 20)
      })

      test('many are added at once, each with its own bytes', async () => {
        const channel = await put()
        await add(
          ...Array.from({ length: 1_203 }, (_, index) =>
            deliveryTo(channel, { body: Buffer.from([0, 255, index % 256]) }),
          ),
        )
        const [last] = await operations().list({ limit: 1 })
        const returned = await operations().show(last?.delivery_id as number)
        expect(Buffer.from(returned?.body ?? []).toString('hex')).toBe('00ffb2')
        expect((await outbox().stats()).waiting.pending).toBe(1_203)
      })
    })

    describe('claiming', () => {
      test('a claim answers the delivery and its channel, secrets included', async () => {
        const channel = await put({ secrets: 'sealed', url: 'https://b.example/h?token=1' })
        await one(channel, { body: Buffer.from('{"a":1}'), idempotency_key: 'key-1' })
        const claimed = await claimOne()
        expect(claimed).toMatchObject({
          attempt: 1,
          scheduledAttempt: 1,
          idempotency_key: 'key-1',
          created_at: clock.now(),
          expires_at: clock.now() + DAY_MS,
          claimed_at: clock.now(),
        })
        expect(claimed.channel).toEqual(channel)
        expect(text(claimed.body)).toBe('{"a":1}')
      })

      test('S3: the attempt is on record as soon as it is claimed, without the query', async () => {
        await one(await put({ url: 'https://b.example/h?token=secret' }))
        const { delivery_id } = await claimOne()
        expect((await operations().show(delivery_id))?.history).toEqual([
          {
            attempt: 1,
            url: 'https://b.example/h',
            status: 'pending',
            http_status_code: undefined,
            response_time_ms: undefined,
            error_message: undefined,
            response_head: undefined,
            fired_at: clock.now(),
            completed_at: undefined,
          },
        ])
      })

      test('deliveries go out in the order they were emitted, up to the requested number', async () => {
        for (let index = 0; index < 5; index++) await one()
        const first = (await claim({ limit: 3 })).claimed.map(({ delivery_id }) => delivery_id)
        const rest = (await claim({ limit: 3 })).claimed.map(({ delivery_id }) => delivery_id)
        const all = [...first, ...rest]
        expect([first.length, rest.length]).toEqual([3, 2])
        expect(all).toEqual([...all].sort((a, b) => a - b))
      })

      test('of one subject and endpoint one is under way, and the earliest goes first', async () => {
        const channel = await put()
        await add(deliveryTo(channel), deliveryTo(channel))
        const first = await claimOne()
        expect((await claim()).claimed).toEqual([])
        await record(success(first))
        expect((await claimOne()).delivery_id).toBeGreaterThan(first.delivery_id)
      })

      test('another subject or another endpoint does not wait', async () => {
        const channel = await put({ subject: 'task:s' })
        await one(channel)
        await one(await put({ subject: 'task:s', name: 'b', url: 'https://other.example/hook' }))
        await one()
        expect((await claim()).claimed).toHaveLength(3)
      })

      test('spec 6.4: a delivery that waits for its retry does not hold up a later one', async () => {
        const channel = await put()
        await add(deliveryTo(channel), deliveryTo(channel))
        const first = await claimOne()
        await record(failure(first, { next: { state: 'pending', inMs: 60_000 } }))
        const second = await claimOne()
        expect(second.delivery_id).toBeGreaterThan(first.delivery_id)
        await record(success(second))
        clock.advance(60_000)
        expect(await claimOne()).toMatchObject({ delivery_id: first.delivery_id, attempt: 2 })
      })

      test('when both are due, the one that was emitted first goes first', async () => {
        const channel = await put()
        await add(deliveryTo(channel))
        const first = await claimOne()
        await record(failure(first, { next: { state: 'pending', inMs: 1_000 } }))
        await add(deliveryTo(channel))
        clock.advance(1_000)
        expect((await claimOne()).delivery_id).toBe(first.delivery_id)
      })

      test('the caller chooses, knowing what is under way on every instance', async () => {
        const under: unknown[] = []
        const running = await one(await put({ url: 'https://x.example/' }))
        await claimOne()
        for (let index = 0; index < 3; index++) await one(await put({ url: 'https://x.example/' }))
        const { claimed } = await claim({
          choose: (due, underWay) => {
            under.push(...underWay)
            return due.slice(1, 2)
          },
        })
        expect(claimed).toHaveLength(1)
        const { owner, endpoint, subject } = running
        expect(under[0]).toEqual({ owner, endpoint, subject })
        expect((await claim()).claimed).toHaveLength(2)
      })

      test('S2: every attempt carries the same bytes and the same key', async () => {
        await one(undefined, { body: Buffer.from('{"n":1}'), idempotency_key: 'key-2' })
        for (const attempt of [1, 2, 3]) {
          const claimed = await claimOne()
          expect(claimed).toMatchObject({ attempt, idempotency_key: 'key-2' })
          expect(text(claimed.body)).toBe('{"n":1}')
          await record(failure(claimed))
          clock.advance(1_000)
        }
      })

      test('F18: a channel that was replaced is used from the next attempt on', async () => {
        const channel = await put({ subject: 'task:r', url: 'https://old.example/hook' })
        await add(deliveryTo(channel), deliveryTo(channel))
        const inFlight = await claimOne()
        await put({ subject: 'task:r', url: 'https://new.example/hook', secrets: 'new' })
        expect(inFlight.channel.url).toBe('https://old.example/hook')
        const next = await claimOne()
        expect(next.channel).toMatchObject({ url: 'https://new.example/hook', secrets: 'new' })
        await record(failure(inFlight), success(next))
        clock.advance(1_000)
        expect((await claimOne()).channel.endpoint).toBe('https://new.example/hook')
        const [, retried] = await operations().list({ subject: 'task:r' })
        expect(retried?.url).toBe('https://new.example/hook')
      })

      test('what is past its horizon is exhausted and not sent', async () => {
        await one()
        clock.advance(DAY_MS)
        expect((await claim()).claimed).toEqual([])
        const [late] = await operations().list({})
        expect(late).toMatchObject({ state: 'exhausted', ended_at: clock.now(), attempts: 0 })
        expect(late?.reason).toContain('not delivered')
      })

      test('a delivery whose channel is gone is cancelled instead of sent', async () => {
        const channel = await one()
        const claimed = await claimOne()
        await database().transact((tx) => on.channels().delete(tx, channel))
        await record(failure(claimed))
        clock.advance(1_000)
        expect((await claim()).claimed).toEqual([])
        expect(await stateOf(claimed.delivery_id)).toBe('cancelled')
      })

      test('it returns when to look again: for a retry, or when a lease ends', async () => {
        expect((await claim()).nextDueAt).toBeUndefined()
        await one()
        const { claimed, nextDueAt } = await claim()
        expect(nextDueAt).toBe(clock.now() + LEASE_MS)
        for (const each of claimed) {
          await record(failure(each, { next: { state: 'pending', inMs: 5_000 } }))
        }
        expect((await claim()).nextDueAt).toBe(clock.now() + 5_000)
      })

      test('S8: behind five thousand deliveries to one endpoint the others get their turn', async () => {
        const busy = await put({ url: 'https://busy.example/hook' })
        await add(...Array.from({ length: 5_000 }, () => deliveryTo(busy)))
        for (let index = 0; index < 300; index++) {
          await one(await put({ url: `https://b${index}.example/hook` }))
        }
        const reached = new Set<string>()
        for (let round = 0; round < 5; round++) {
          for (const { channel } of (await claim()).claimed) reached.add(channel.endpoint)
        }
        expect(reached.size).toBe(301)
      })

      test('S8: endpoints that must wait do not keep those behind them from their turn', async () => {
        const busy = await put({ url: 'https://busy.example/hook' })
        await add(...Array.from({ length: 1_000 }, () => deliveryTo(busy)))
        for (let index = 100; index < 400; index++) {
          await one(await put({ url: `https://b${index}.example/hook` }))
        }
        const choose: ClaimRequest['choose'] = (due) =>
          due.filter(({ endpoint }) => endpoint === 'https://b399.example/hook')
        const claims = [await claim({ choose }), await claim({ choose }), await claim({ choose })]
        expect(claims.flatMap(({ claimed }) => claimed)).toHaveLength(1)
      })

      test('S8: behind five thousand deliveries of one owner the others get their turn', async () => {
        for (let index = 0; index < 500; index++) {
          const channel = await put({ url: `https://a${index}.example/hook` })
          await add(...Array.from({ length: 10 }, () => deliveryTo(channel)))
        }
        for (const owner of ['prn_b', 'prn_c']) await one(await put({ owner }))
        // Of prn_a nothing more is wanted, and only the first due are looked at.
        const choose: ClaimRequest['choose'] = (due) => due.filter(({ owner }) => owner !== 'prn_a')
        const isFull = (owner: string) => owner === 'prn_a'
        const { claimed } = await claim({ choose, isFull, isQuickLook: true, limit: 16 })
        expect(claimed.map(({ channel }) => channel.owner)).toEqual(['prn_b', 'prn_c'])
        // If no other owner has due deliveries, the claim reports that none are left to look for.
        expect(await claim({ choose, isFull })).toMatchObject({ claimed: [], isCutShort: false })
      })

      test('S8: the same subject and endpoint of two owners do not wait for each other', async () => {
        for (const owner of ['prn_a', 'prn_b']) await one(await put({ owner, subject: 'buy:1' }))
        expect((await claim()).claimed).toHaveLength(2)
      })

      test('S8: a host that is requested by name is found at once, whatever its path', async () => {
        const busy = await put({ url: 'https://busy.example/hook' })
        await add(...Array.from({ length: 1_000 }, () => deliveryTo(busy)))
        for (let index = 100; index < 400; index++) {
          await one(await put({ url: `https://b${index}.example/hook` }))
        }
        await one(await put({ url: 'https://b399.example/another/task' }))
        const choose: ClaimRequest['choose'] = (due) =>
          due.filter(({ endpoint }) => endpoint.startsWith('https://b399.example/'))
        const quick = { choose, isQuickLook: true }
        expect(await claim(quick)).toMatchObject({ claimed: [], isCutShort: true })
        const preferredHosts = [{ owner: 'prn_a', origin: 'https://b399.example' }]
        const { claimed } = await claim({ ...quick, preferredHosts })
        expect(claimed.map(({ channel }) => channel.url)).toEqual([
          'https://b399.example/hook',
          'https://b399.example/another/task',
        ])
      })
    })
  },
  { clock },
)
