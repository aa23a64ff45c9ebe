import { expect, test } from 'vitest'
import type { Transaction } from '../../src/lib/transaction.ts'
import { type Database, sqlOf } from '../../src/storage/sql/database.ts'
import { createIdempotencyStore } from '../../src/storage/stores/tasks/idempotency.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { overlapping } from '../support/overlapping.ts'

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
  (database, on) => {
    const store = () => createIdempotencyStore(database())
    const finish = (at: ReturnType<typeof scope>, token: string, answer: string) =>
      database().transact((tx) => store().finish(tx, at, { token, answer }))
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

    // SQLite has one writer, so nothing comes between two statements of a transaction there.
    if (on === 'postgres') {
      test('a key whose lease has ended is not taken over when its holder ends or renews it meanwhile', async () => {
        const lastMoment = (work: (tx: Transaction) => Promise<unknown>) =>
          createIdempotencyStore(betweenStatements(database(), () => database().transact(work)))
        const [ended, renewed] = [scope(), scope()]
        const [endedToken, renewedToken] = [await begun(ended), await begun(renewed)]
        clock.advance(times.leaseMs)
        const ends = lastMoment((tx) =>
          store().finish(tx, ended, { token: endedToken, answer: '{"a":1}' }),
        )
        expect((await ends.begin(ended, 'f', times)).state).toBe('in_flight')
        expect(await store().begin(ended, 'f', times)).toEqual({ state: 'done', answer: '{"a":1}' })
        const renews = lastMoment((tx) =>
          store().renew(tx, renewed, { token: renewedToken, leaseMs: times.leaseMs }),
        )
        expect((await renews.begin(renewed, 'f', times)).state).toBe('in_flight')
      })
    }

    test('a key that is begun again while what expired is swept stays', async () => {
      const at = scope()
      await finish(at, await begun(at), '{}')
      clock.advance(times.ttlMs)
      await overlapping(
        database(),
        (tx) => createIdempotencyStore(within(database(), tx)).begin(at, 'g', times),
        () => database().transact((tx) => store().sweep(tx)),
      )
      expect(await store().begin(at, 'g', times)).toEqual({ state: 'in_flight' })
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

    test('a key stays held while its holder renews the lease, and no one else can renew it', async () => {
      const at = scope()
      const token = await begun(at)
      const renew = (by: string) =>
        database().transact((tx) => store().renew(tx, at, { token: by, leaseMs: times.leaseMs }))
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

/** The same database, where all is part of one transaction. */
function within(database: Database, tx: Transaction): Database {
  return { ...database, transact: (work) => work(sqlOf(tx)) }
}

/** The same database, where `meanwhile` happens after the first row that a transaction reads. */
function betweenStatements(database: Database, meanwhile: () => Promise<unknown>): Database {
  return {
    ...database,
    transact: (work, options) =>
      database.transact(
        (tx) =>
          work({
            ...tx,
            get: async <Row>(sql: string, params: readonly (string | number | null)[] = []) => {
              const row = await tx.get<Row>(sql, params)
              await meanwhile()
              return row
            },
          }),
        options,
      ),
  }
}
