import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/storage/sql/database.ts'
import { createOutboxStore } from '../../src/storage/stores/outbox/outbox.ts'
import { shardOf } from '../../src/storage/stores/outbox/shards.ts'
import { moveCircuit } from '../../src/webhooks/sender/circuit.ts'
import type { ClaimedDelivery } from '../../src/webhooks/sender/store.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { LEASE_MS, outboxOn } from '../support/outbox-contract.ts'

const clock = fakeClock()
const REQUEST = { limit: 100, leaseMs: LEASE_MS, choose: <T>(due: readonly T[]) => due }
const urlOf = (n: number) => `https://b${n}.example/hook`
/** Two endpoints of prn_a whose lanes are in different shards on PostgreSQL, and one beside the first. */
const [HERE, BESIDE, ELSEWHERE] = endpoints()

function endpoints(): [string, string, string] {
  const at = (n: number) => shardOf('postgres', `prn_a ${urlOf(n)}`)
  const others = Array.from({ length: 200 }, (_, n) => n + 1)
  const beside = others.find((n) => at(n) === at(0)) ?? 0
  const elsewhere = others.find((n) => at(n) !== at(0)) ?? 0
  return [urlOf(0), urlOf(beside), urlOf(elsewhere)]
}

onBothStores(
  'claims in shards',
  (database, store, another) => {
    const on = outboxOn(database, clock)
    const { add, claim, claimOne, deliveryTo, one, put } = on
    const opened: Database[] = []
    beforeEach(on.clear)
    afterEach(async () => {
      for (const each of opened.splice(0)) await each.close()
    })

    /** What another instance does with its own connection. */
    const instance = () => {
      const theirs = another()
      opened.push(theirs)
      const outbox = createOutboxStore(theirs, { moveCircuit, clock })
      return {
        claim: (over: Partial<typeof REQUEST> = {}) =>
          theirs.transact((tx) => outbox.claim(tx, { ...REQUEST, ...over })),
        /** Claims, and commits when `end` is called. */
        hold: async () => {
          let end = () => {}
          const isEnded = new Promise<void>((resolve) => {
            end = resolve
          })
          let claimed: ClaimedDelivery[] = []
          let committed: Promise<unknown> = Promise.resolve()
          await new Promise<void>((resolve, reject) => {
            committed = theirs.transact(async (tx) => {
              claimed = (await outbox.claim(tx, REQUEST)).claimed
              resolve()
              await isEnded
            })
            committed.catch(reject)
          })
          return {
            claimed,
            end: async () => {
              end()
              await committed
            },
          }
        },
        die: (failure: Error) =>
          theirs.transact(async (tx) => {
            await outbox.claim(tx, REQUEST)
            throw failure
          }),
      }
    }
    const endpointsOf = (claimed: readonly ClaimedDelivery[]) =>
      claimed.map(({ channel }) => channel.endpoint).sort()

    test('the shard of a lane is the same for the database and for the program', async () => {
      const owners = [
        'prn_a',
        'prn "b"',
        'prn\\c',
        'prn\\\\d',
        'prn_é',
        'prn_日本',
        'prn_😀',
        "prn'e",
      ]
      for (const owner of owners) await one(await put({ owner, url: HERE }))
      await database().transact(async (tx) => {
        for (const owner of owners) await on.operations().pause(tx, { owner, endpoint: HERE })
      })
      for (const table of ['webhook_deliveries', 'webhook_circuits']) {
        const rows = await database().read.all<{ lane: string; shard: number }>(
          `SELECT lane, shard FROM ${table}`,
        )
        expect(rows).toHaveLength(owners.length)
        const computed = rows.map(({ lane }) => ({ lane, shard: shardOf(store, lane) }))
        expect(rows.map(({ lane, shard }) => ({ lane, shard }))).toEqual(computed)
      }
    })

    test('the lanes are spread over all shards', async () => {
      const lanes = Array.from({ length: 400 }, (_, n) => `prn_a ${urlOf(n)}`)
      expect(new Set(lanes.map((lane) => shardOf('postgres', lane))).size).toBe(16)
      expect(new Set(lanes.map((lane) => shardOf('sqlite', lane))).size).toBe(1)
    })

    test('instances that claim at once take no two of one subject and lane, and leave none out', async () => {
      for (let n = 0; n < 40; n++) {
        const channel = await put({ url: urlOf(n) })
        await add(deliveryTo(channel), deliveryTo(channel), deliveryTo(channel))
      }
      const claimed: ClaimedDelivery[] = []
      const untilAll = async (ask: ReturnType<typeof instance>['claim']) => {
        while (claimed.length < 40) claimed.push(...(await ask({ limit: 7 })).claimed)
      }
      await Promise.all(Array.from({ length: 4 }, () => untilAll(instance().claim)))
      expect((await claim()).claimed).toEqual([])
      expect(endpointsOf(claimed)).toEqual(Array.from({ length: 40 }, (_, n) => urlOf(n)).sort())
      expect(claimed.every(({ attempt }) => attempt === 1)).toBe(true)
    })

    test('an instance that is alone is notified of no other, and reaches every lane', async () => {
      for (let n = 0; n < 64; n++) await one(await put({ url: urlOf(n) }))
      const reached = new Set<string>()
      for (let round = 0; round < 16; round++) {
        const { claimed, isContended } = await claim({ limit: 4 })
        expect(claimed).toHaveLength(4)
        expect(isContended).toBe(false)
        for (const { channel } of claimed) reached.add(channel.endpoint)
      }
      expect(reached.size).toBe(64)
    })

    test('one that died in the middle of a claim leaves nothing behind', async () => {
      await one(await put({ url: HERE }))
      const failure = new Error('killed')
      await expect(instance().die(failure)).rejects.toBe(failure)
      expect(await claimOne()).toMatchObject({ attempt: 1 })
    })

    test('the leases of one that died are taken back in every shard', async () => {
      for (let n = 0; n < 40; n++) await one(await put({ url: urlOf(n) }))
      expect((await instance().claim()).claimed).toHaveLength(40)
      clock.advance(LEASE_MS - 1)
      expect((await claim()).claimed).toEqual([])
      clock.advance(1)
      const { claimed } = await claim()
      expect(claimed).toHaveLength(40)
      expect(claimed.every(({ attempt }) => attempt === 2)).toBe(true)
    })

    // SQLite has one writer: there is no second claim while one is open.
    test.runIf(store === 'postgres')(
      'a claim waits for none in another shard, and takes nothing where another claims',
      async () => {
        const channel = await put({ url: HERE })
        await add(deliveryTo(channel), deliveryTo(channel))
        const first = await instance().hold()
        expect(endpointsOf(first.claimed)).toEqual([HERE])
        await one(await put({ url: BESIDE }))
        await one(await put({ url: ELSEWHERE }))
        const second = await claim()
        expect(endpointsOf(second.claimed)).toEqual([ELSEWHERE])
        expect(second).toMatchObject({ isContended: true, isCutShort: true })
        // Nothing else is due: it returns at once, and is to look again now.
        expect(await claim()).toMatchObject({
          claimed: [],
          isContended: true,
          nextDueAt: clock.now(),
        })
        await first.end()
        expect(endpointsOf((await claim()).claimed)).toEqual([BESIDE])
      },
    )

    test.runIf(store === 'postgres')(
      'who changes a circuit waits for the claim in its shard, and for no other',
      async () => {
        await one(await put({ url: HERE }))
        const [mine] = (await claim()).claimed
        await one(await put({ url: ELSEWHERE }))
        const first = await instance().hold()
        expect(endpointsOf(first.claimed)).toEqual([ELSEWHERE])
        // Would not return while the other claim is open if they shared a lock.
        const paused = await database().transact((tx) =>
          on.operations().pause(tx, { owner: 'prn_a', endpoint: mine?.channel.endpoint ?? '' }),
        )
        expect(paused).toBe(true)
        let isPaused = false
        const other = database()
          .transact((tx) => on.operations().pause(tx, { owner: 'prn_a', endpoint: ELSEWHERE }))
          .then((result) => {
            isPaused = true
            return result
          })
        expect(await database().read.get('SELECT 1 AS one')).toEqual({ one: 1 })
        expect(isPaused).toBe(false)
        await first.end()
        expect(await other).toBe(true)
      },
    )

    test.runIf(store === 'postgres')(
      'a delivery that is led to another lane while it is claimed is left to the next claim',
      async () => {
        const channel = await put({ url: HERE, subject: 'task:moved' })
        await add(deliveryTo(channel))
        const { claimed } = await database().transact((tx) => {
          const all: typeof tx.all = async (sql, params) => {
            if (sql.includes("SET state = 'leased'")) {
              await put({ url: ELSEWHERE, subject: 'task:moved' })
            }
            return tx.all(sql, params)
          }
          return on.outbox().claim({ ...tx, all } as typeof tx, REQUEST)
        })
        expect(claimed).toEqual([])
        expect(await claimOne()).toMatchObject({ attempt: 1, channel: { endpoint: ELSEWHERE } })
      },
    )
  },
  { clock },
)
