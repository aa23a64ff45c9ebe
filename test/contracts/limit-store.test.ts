import { beforeEach, expect, test } from 'vitest'
import { createLimitStore } from '../../src/storage/stores/outbox/limits.ts'
import { createFairness } from '../../src/webhooks/sender/fairness.ts'
import type { EndpointLimits } from '../../src/webhooks/sender/limit-store.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { failure, LEASE_MS, outboxOn, success } from '../support/outbox-contract.ts'

const clock = fakeClock()
const OF = { owner: 'prn_a', endpoint: 'https://buyer.example/hook' }
const NONE = { concurrency: undefined, per_second: undefined }

onBothStores(
  'an operator’s limits of an endpoint',
  (database) => {
    const on = outboxOn(database, clock)
    const { claim, one, put, record } = on
    beforeEach(on.clear)

    const limits = () => createLimitStore(database())
    const set = (wanted: Partial<EndpointLimits>) =>
      database().transact((tx) => limits().set(tx, OF, { ...NONE, ...wanted }))
    const many = async (count: number, owner = OF.owner) => {
      for (let n = 0; n < count; n++) await one(await put({ owner }))
    }
    const take = async () => {
      const taken = await claim()
      await record(...taken.claimed.map((each) => success(each)))
      return taken
    }

    test('they are kept until they are taken back, and each change says what held before', async () => {
      expect(await limits().get(OF)).toEqual(NONE)
      expect(await set({ concurrency: 3 })).toEqual(NONE)
      expect(await limits().get(OF)).toEqual({ ...NONE, concurrency: 3 })
      expect(await set({ per_second: 0.5 })).toEqual({ ...NONE, concurrency: 3 })
      expect(await limits().get(OF)).toEqual({ ...NONE, per_second: 0.5 })
      expect(await limits().get({ ...OF, owner: 'prn_b' })).toEqual(NONE)
      await set({})
      expect(await limits().get(OF)).toEqual(NONE)
    })

    test('what goes there at the same time is bounded by its own limit, above the one for all as well', async () => {
      await many(12)
      await many(12, 'prn_b')
      const fairness = createFairness({ concurrency: 100, perEndpoint: 2 })
      for (const owner of ['prn_a', 'prn_b']) {
        const lane = { ...OF, owner }
        fairness.started(lane)
        const quick = { ...success({ channel: lane } as never), http_status_code: 200 }
        fairness.ended(lane, quick)
      }
      const claimed = async () => {
        const found = await claim(fairness.forClaim(100))
        const of = (owner: string) =>
          found.claimed.filter(({ channel }) => channel.owner === owner).length
        return { a: of('prn_a'), b: of('prn_b') }
      }
      await set({ concurrency: 5 })
      expect(await claimed()).toEqual({ a: 5, b: 2 })
      expect(await claimed()).toEqual({ a: 0, b: 0 })
      await set({ concurrency: 7 })
      expect(await claimed()).toEqual({ a: 2, b: 0 })
      await set({})
      expect(await claimed()).toEqual({ a: 0, b: 0 })
    })

    test('attempts begin evenly, as many in a second as they may', async () => {
      await set({ per_second: 4 })
      await many(20)
      const began = clock.now()
      const first = await take()
      expect(first.claimed).toHaveLength(1)
      expect(first.limitedUntil).toBe(began + 250)
      expect((await take()).claimed).toHaveLength(0)
      let sent = 1
      for (let ms = 50; ms < 3_000; ms += 50) {
        clock.advance(50)
        sent += (await take()).claimed.length
      }
      expect(sent).toBe(12)
    })

    test('a tenth of a second’s may begin at once, and no more is saved up', async () => {
      await set({ per_second: 50 })
      await many(40)
      clock.advance(60_000)
      expect((await take()).claimed).toHaveLength(5)
      clock.advance(40)
      expect((await take()).claimed).toHaveLength(2)
    })

    test('others do not wait for it, and a limit that is taken away holds no more', async () => {
      await set({ per_second: 1 })
      await many(4)
      await many(4, 'prn_b')
      const { claimed } = await take()
      expect(claimed.filter(({ channel }) => channel.owner === 'prn_b')).toHaveLength(4)
      expect(claimed).toHaveLength(5)
      await set({})
      const rest = await take()
      expect(rest.claimed).toHaveLength(3)
      expect(rest.limitedUntil).toBeUndefined()
    })

    test('a probe of an open circuit goes by the rate as well', async () => {
      await many(2)
      const opening = await claim()
      for (let n = 0; n < 5; n++) {
        clock.advance(LEASE_MS)
        const again = n === 0 ? opening : await claim()
        await record(
          ...again.claimed.map((each) => failure(each, { next: { state: 'pending', inMs: 0 } })),
        )
      }
      await set({ per_second: 0.01 })
      clock.advance(3_600_000)
      expect((await claim()).claimed).toHaveLength(1)
      clock.advance(LEASE_MS)
      expect((await claim()).claimed).toHaveLength(0)
    })
  },
  { clock },
)
