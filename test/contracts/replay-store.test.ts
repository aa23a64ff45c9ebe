import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { ReplayStore } from '../../src/signing/ports.ts'
import { memoryReplayStore } from '../../src/signing/replay.ts'
import { createReplayStore } from '../../src/storage/stores/nonces/replay.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

interface Caps {
  perKeyCap?: number
  perSignerCap?: number
  totalCap?: number
}

const clock = fakeClock()
const SELLER = 'https://seller.example/mcp'
const key = (keyid: string, signer = SELLER) => ({ signer, keyid })
const entry = (keyid: string, nonce: string, seconds = 360, signer = SELLER) => ({
  ...key(keyid, signer),
  nonce,
  expiresAt: Math.floor(clock.now() / 1_000) + seconds,
})
const count = (outcomes: readonly string[], outcome: string) =>
  outcomes.filter((one) => one === outcome).length
/** Longer than anything lives, so that a test begins with nothing live. */
const forgetAll = () => clock.advance(10_000_000)

/** What every store promises. `create` opens the same nonces with other caps. */
function contract(create: (caps?: Caps) => ReplayStore): void {
  test('spec 8: a nonce is added once and seen from then on', async () => {
    const store = create()
    expect(await store.has(key('k'), 'n1')).toBe(false)
    expect(await store.insert(entry('k', 'n1'))).toBe('added')
    expect(await store.has(key('k'), 'n1')).toBe(true)
    expect(await store.insert(entry('k', 'n1'))).toBe('seen')
  })

  test('the same nonce under another key is another nonce', async () => {
    const store = create()
    await store.insert(entry('first', 'n1'))
    expect(await store.insert(entry('other', 'n1'))).toBe('added')
    expect(await store.has(key('another'), 'n1')).toBe(false)
    expect(await store.insert(entry('ab', 'c'))).toBe('added')
    expect(await store.insert(entry('a', 'bc'))).toBe('added')
  })

  test('spec 5: two signers who call their keys alike share neither nonces nor caps', async () => {
    forgetAll()
    const store = create({ perKeyCap: 2 })
    const OTHER = 'https://other.example/mcp'
    expect(await store.insert(entry('k1', 'n', 360))).toBe('added')
    expect(await store.has(key('k1', OTHER), 'n')).toBe(false)
    expect(await store.insert(entry('k1', 'n', 360, OTHER))).toBe('added')
    expect(await store.insert(entry('k1', 'n', 360, OTHER))).toBe('seen')
    await store.insert(entry('k1', 'm'))
    expect(await store.isFull(key('k1'))).toBe(true)
    expect(await store.isFull(key('k1', OTHER))).toBe(false)
    expect(await store.insert(entry('k1', 'm', 360, OTHER))).toBe('added')
    // The spelling cannot cause a collision: the names are compared separately, not as one concatenated string.
    expect(await store.insert(entry('b c', 'n', 360, 'a'))).toBe('added')
    expect(await store.insert(entry('c', 'n', 360, 'a b'))).toBe('added')
  })

  test('spec 5: a signer with many keys has a cap too, and others have theirs', async () => {
    forgetAll()
    const store = create({ perSignerCap: 3, perKeyCap: 2 })
    const OTHER = 'https://other.example/mcp'
    expect(await store.insert(entry('k1', 'a', 10))).toBe('added')
    expect(await store.insert(entry('k1', 'b'))).toBe('added')
    expect(await store.insert(entry('k2', 'a'))).toBe('added')
    expect(await store.isFull(key('k3'))).toBe(true)
    expect(await store.insert(entry('k3', 'a'))).toBe('full')
    expect(await store.isFull(key('k3', OTHER))).toBe(false)
    expect(await store.insert(entry('k3', 'a', 360, OTHER))).toBe('added')
    // What any of its keys lets expire makes room.
    clock.advance(10_000)
    expect(await store.isFull(key('k3'))).toBe(false)
    expect(await store.insert(entry('k3', 'a'))).toBe('added')
    expect(await store.insert(entry('k4', 'a'))).toBe('full')
  })

  test('of 200 inserts of one nonce at once exactly one adds it', async () => {
    const store = create()
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, () => store.insert(entry('burst', 'n'))),
    )
    expect(count(outcomes, 'added')).toBe(1)
    expect(count(outcomes, 'seen')).toBe(199)
  })

  test('ids of any length and any characters are kept apart', async () => {
    const store = create()
    const odd = ['', 'x'.repeat(5_000), `${'x'.repeat(5_000)}y`, 'ü', '\u0000', 'all', '%_']
    for (const id of odd) {
      expect(await store.insert(entry(id, id))).toBe('added')
      expect(await store.insert(entry(id, id))).toBe('seen')
    }
  })

  test('an expired nonce is not there, and can be added and seen again', async () => {
    forgetAll()
    const store = create()
    await store.insert(entry('exp', 'n', 60))
    clock.advance(59_000)
    expect(await store.insert(entry('exp', 'n', 60))).toBe('seen')
    clock.advance(1_000)
    expect(await store.has(key('exp'), 'n')).toBe(false)
    expect(await store.insert(entry('exp', 'n', 60))).toBe('added')
    expect(await store.insert(entry('exp', 'n', 60))).toBe('seen')
  })

  test('spec 5: a key at its cap is full; other keys are not', async () => {
    forgetAll()
    const store = create({ perKeyCap: 3 })
    for (const nonce of ['a', 'b', 'c']) {
      expect(await store.isFull(key('cap'))).toBe(false)
      expect(await store.insert(entry('cap', nonce))).toBe('added')
    }
    expect(await store.isFull(key('cap'))).toBe(true)
    expect(await store.insert(entry('cap', 'd'))).toBe('full')
    expect(await store.has(key('cap'), 'd')).toBe(false)
    expect(await store.insert(entry('cap', 'a'))).toBe('seen')
    expect(await store.isFull(key('uncapped'))).toBe(false)
    expect(await store.insert(entry('uncapped', 'a'))).toBe('added')
  })

  test('as soon as one of its nonces has expired, a full key has room for one', async () => {
    forgetAll()
    const store = create({ perKeyCap: 2 })
    await store.insert(entry('room', 'short', 10))
    await store.insert(entry('room', 'long', 100))
    expect(await store.insert(entry('room', 'x'))).toBe('full')
    clock.advance(10_000)
    expect(await store.isFull(key('room'))).toBe(false)
    expect(await store.insert(entry('room', 'x'))).toBe('added')
    expect(await store.insert(entry('room', 'y'))).toBe('full')
  })

  test('spec 5: all keys together have a cap; what any of them lets expire makes room', async () => {
    forgetAll()
    const store = create({ totalCap: 3 })
    await store.insert(entry('one', 'n', 10))
    await store.insert(entry('two', 'n'))
    await store.insert(entry('three', 'n'))
    expect(await store.isFull(key('four'))).toBe(true)
    expect(await store.insert(entry('four', 'n'))).toBe('full')
    clock.advance(10_000)
    expect(await store.isFull(key('four'))).toBe(false)
    expect(await store.insert(entry('four', 'n'))).toBe('added')
    expect(await store.insert(entry('five', 'n'))).toBe('full')
  })
}

describe('replay store [memory]', () =>
  contract((caps = {}) => memoryReplayStore({ clock, ...caps })))

onBothStores(
  'replay store',
  (database, _store, another) => {
    const create = (caps: Caps = {}) => createReplayStore(database(), { clock, ...caps })
    const storedFor = async (counterId: string) => {
      const row = await database().read.get<{ stored: number }>(
        'SELECT stored FROM replay_counters WHERE counter_id = $1',
        [counterId],
      )
      return row?.stored ?? 0
    }
    const fresh = async () => {
      forgetAll()
      await create().sweep()
      expect(await storedFor('all')).toBe(0)
    }

    contract(create)

    test('of 200 inserts of one nonce on two instances exactly one adds it', async () => {
      await fresh()
      const second = another()
      const stores = [create(), createReplayStore(second, { clock })]
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, at) => stores[at % 2]?.insert(entry('race', 'n')) ?? ''),
      )
      await second.close()
      await nextTurn()
      expect(count(outcomes, 'added')).toBe(1)
      expect(count(outcomes, 'seen')).toBe(199)
      expect(await storedFor(`key:${SELLER} race`)).toBe(1)
    })

    test('a race of two instances for the last places never passes a cap', async () => {
      await fresh()
      const second = another()
      const caps = { perKeyCap: 50, totalCap: 120 }
      const stores = [create(caps), createReplayStore(second, { clock, ...caps })]
      const outcomes = await Promise.all(
        Array.from({ length: 400 }, (_, at) => {
          const one = entry(`k${at % 4}`, `n${at >> 2}`)
          return stores[(at >> 2) % 2]?.insert(one) ?? ''
        }),
      )
      await second.close()
      await nextTurn()
      expect(count(outcomes, 'added')).toBe(120)
      expect(count(outcomes, 'full')).toBe(280)
      expect(await storedFor('all')).toBe(120)
      expect(await storedFor(`signer:${SELLER}`)).toBe(120)
      const rows = await database().read.all<{ counter_id: string; held: number }>(
        'SELECT counter_id, count(*) AS held FROM replay_nonces GROUP BY counter_id',
      )
      for (const { counter_id, held } of rows) {
        expect(held).toBeLessThanOrEqual(50)
        expect(await storedFor(counter_id)).toBe(held)
      }
      expect(rows.reduce((sum, { held }) => sum + held, 0)).toBe(120)
    })

    test('inserts of many keys from two instances at once all succeed', async () => {
      await fresh()
      const second = another()
      const stores = [create(), createReplayStore(second, { clock })]
      const outcomes = await Promise.all(
        Array.from({ length: 1_000 }, (_, at) => {
          const one = entry(`many${(at * 7) % 23}`, `n${at}`)
          return stores[at % 2]?.insert(one) ?? ''
        }),
      )
      await second.close()
      await nextTurn()
      expect(count(outcomes, 'added')).toBe(1_000)
      expect(await storedFor('all')).toBe(1_000)
    })

    test('what another instance added is seen here', async () => {
      const second = another()
      await createReplayStore(second, { clock }).insert(entry('fleet', 'n'))
      await second.close()
      await nextTurn()
      expect(await create().has(key('fleet'), 'n')).toBe(true)
      expect(await create().insert(entry('fleet', 'n'))).toBe('seen')
    })

    test('the sweep deletes what has expired and nothing else', async () => {
      await fresh()
      const store = create()
      await Promise.all(
        Array.from({ length: 30 }, (_, at) => store.insert(entry('sweep', `n${at}`, 10 + at))),
      )
      await store.insert(entry('lasting', 'n', 1_000))
      clock.advance(20_000)
      expect(await store.sweep()).toBe(11)
      expect(await store.sweep()).toBe(0)
      expect(await storedFor(`key:${SELLER} sweep`)).toBe(19)
      expect(await storedFor('all')).toBe(20)
      expect(await store.has(key('sweep'), 'n11')).toBe(true)
    })

    test('a nonce is kept while it is live by any of two clocks: ours, or that of the database', async () => {
      await fresh()
      const at = (offsetMs: number) =>
        createReplayStore(database(), {
          clock: { now: () => clock.now() + offsetMs },
          perKeyCap: 1,
        })
      const captured = entry('jump', 'n')
      expect(await create().insert(captured)).toBe('added')
      // Ours is ahead: the sweep, and an insert that finds no room, delete nothing.
      const ahead = at(3_600_000)
      expect(await ahead.sweep()).toBe(0)
      expect(await ahead.insert(entry('jump', 'other'))).toBe('full')
      expect(await ahead.insert(captured)).toBe('seen')
      // That of the database is ahead, or ours was set back.
      clock.advance(3_600_000)
      const behind = at(-3_600_000)
      expect(await behind.sweep()).toBe(0)
      expect(await behind.insert(captured)).toBe('seen')
      expect(await behind.has(key('jump'), 'n')).toBe(true)
      // By both.
      expect(await create().sweep()).toBe(1)
    })

    test('sweeps at once, of more than one step, count each row once', async () => {
      await fresh()
      const store = create()
      const many = Array.from({ length: 4_100 }, (_, at) => entry('sweepers', `n${at}`, 5))
      await Promise.all(many.map((one) => store.insert(one)))
      clock.advance(10_000)
      const swept = await Promise.all([store.sweep(), store.sweep(), create().sweep()])
      const last = await store.sweep()
      expect(swept.reduce((sum, rows) => sum + rows, last)).toBe(4_100)
      expect(await storedFor('all')).toBe(0)
      expect(await database().read.all('SELECT counter_id FROM replay_counters')).toEqual([
        { counter_id: 'all' },
      ])
    })
  },
  { clock },
)
