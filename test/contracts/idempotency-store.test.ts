import { expect, test } from 'vitest'
import { createIdempotencyStore } from '../../src/storage/stores/tasks/idempotency.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()
const times = { leaseMs: 60_000, ttlMs: 24 * 3_600_000 }
let count = 0
const scope = (over = {}) => ({
  principalId: 'prn_a',
  task: 'activate_signal',
  key: `key-${++count}`,
  ...over,
})

onBothStores(
  'the idempotency store',
  (database) => {
    const store = () => createIdempotencyStore(database())
    const finish = (at: ReturnType<typeof scope>, token: string, answer: string) =>
      database().transact((tx) => store().finish(tx, at, token, answer))
    const begun = async (at: ReturnType<typeof scope>, fingerprint = 'f') => {
      const result = await store().begin(at, fingerprint, times)
      if (result.state !== 'begun') throw new Error(`expected to begin, was ${result.state}`)
      return result.token
    }

    test('a key is begun once, in flight until it is finished, and then answered alike', async () => {
      const at = scope()
      const token = await begun(at)
      expect(await store().begin(at, 'f', times)).toEqual({ state: 'in_flight' })
      await finish(at, token, '{"a":1}')
      expect(await store().begin(at, 'f', times)).toEqual({ state: 'done', answer: '{"a":1}' })
    })

    test('another request under the key is a conflict, running or done', async () => {
      const at = scope()
      const token = await begun(at)
      expect(await store().begin(at, 'g', times)).toEqual({ state: 'conflict' })
      await finish(at, token, '{}')
      expect(await store().begin(at, 'g', times)).toEqual({ state: 'conflict' })
    })

    test('the same key of another principal or for another task is another key', async () => {
      const at = scope()
      await begun(at)
      await begun({ ...at, principalId: 'prn_b' })
      await begun({ ...at, task: 'build_creative' })
    })

    test('an abandoned key is free, but not once it has an answer', async () => {
      const at = scope()
      const token = await begun(at)
      await database().transact((tx) => store().abandon(tx, at, token))
      const again = await begun(at, 'other')
      await finish(at, again, '{}')
      await database().transact((tx) => store().abandon(tx, at, again))
      expect((await store().begin(at, 'other', times)).state).toBe('done')
    })

    test('of fifty at once exactly one begins', async () => {
      const at = scope()
      const results = await Promise.all(
        Array.from({ length: 50 }, () => store().begin(at, 'f', times)),
      )
      expect(results.filter(({ state }) => state === 'begun')).toHaveLength(1)
      expect(results.filter(({ state }) => state === 'in_flight')).toHaveLength(49)
    })

    test('a key whose holder died is taken over once its lease has ended, by one of many', async () => {
      const at = scope()
      const dead = await begun(at)
      clock.advance(times.leaseMs + 1)
      const results = await Promise.all(
        Array.from({ length: 20 }, () => store().begin(at, 'f', times)),
      )
      expect(results.filter(({ state }) => state === 'begun')).toHaveLength(1)
      await finish(at, dead, '{"late":true}')
      expect((await store().begin(at, 'f', times)).state).toBe('in_flight')
    })

    test('a key whose lease is renewed is held on, by whoever has it and nobody else', async () => {
      const at = scope()
      const token = await begun(at)
      const renew = (by: string) =>
        database().transact((tx) => store().renew(tx, at, by, times.leaseMs))
      clock.advance(times.leaseMs - 1)
      expect(await renew(token)).toBe(true)
      expect(await renew('somebody')).toBe(false)
      clock.advance(times.leaseMs - 1)
      expect(await store().begin(at, 'f', times)).toEqual({ state: 'in_flight' })
      clock.advance(1)
      const heir = await begun(at)
      expect(await renew(token)).toBe(false)
      await finish(at, heir, '{}')
      expect(await renew(heir)).toBe(false)
    })

    test('all keys in flight are freed at once, and none that has an answer', async () => {
      const [open, answered] = [scope(), scope()]
      const dead = await begun(open)
      await finish(answered, await begun(answered), '{"kept":true}')
      expect(await database().transact((tx) => store().releaseAll(tx))).toBeGreaterThan(0)
      expect((await store().begin(answered, 'f', times)).state).toBe('done')
      await begun(open, 'another request')
      await finish(open, dead, '{"late":true}')
      expect((await store().begin(open, 'another request', times)).state).toBe('in_flight')
    })

    test('after a day the key is new, for any request, and what expired is swept', async () => {
      const at = scope()
      await finish(at, await begun(at), '{}')
      const other = scope()
      await finish(other, await begun(other), '{}')
      clock.advance(times.ttlMs + 1)
      await begun(at, 'another request')
      expect(await database().transact((tx) => store().sweep(tx))).toBeGreaterThan(0)
      expect((await store().begin(at, 'another request', times)).state).toBe('in_flight')
    })
  },
  { clock },
)
