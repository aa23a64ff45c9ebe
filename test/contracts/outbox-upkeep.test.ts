import { beforeEach, describe, expect, test } from 'vitest'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { DAY_MS, failure, outboxOn, success } from '../support/outbox-contract.ts'
import { overlapping } from '../support/overlapping.ts'

const clock = fakeClock()

onBothStores(
  'the upkeep of the outbox',
  (database) => {
    const on = outboxOn(database, clock)
    const { claimOne, one, operations, outbox, record } = on
    beforeEach(on.clear)

    const trim = (before: number) => database().transact((tx) => outbox().trim(tx, before))

    describe('the state of the outbox', () => {
      test('what has not ended is counted by state, and how long the first has been due', async () => {
        expect(await outbox().stats()).toEqual({
          waiting: { pending: 0, leased: 0, held: 0 },
          oldestDueMs: 0,
          openCircuits: 0,
          limbo: 0,
        })
        await one()
        await record(success(await claimOne()))
        await one()
        await claimOne()
        await one()
        clock.advance(5_000)
        await one()
        expect(await outbox().stats()).toMatchObject({
          waiting: { pending: 2, leased: 1, held: 0 },
          oldestDueMs: 5_000,
        })
      })

      test('a delivery that waits for its retry is not overdue', async () => {
        await one()
        await record(failure(await claimOne(), { next: { state: 'pending', inMs: 9_000 } }))
        expect((await outbox().stats()).oldestDueMs).toBe(0)
      })

      test('S1: a lease without an end is limbo', async () => {
        await one()
        await claimOne()
        await database().transact((tx) =>
          tx.run("UPDATE webhook_deliveries SET lease_until = NULL WHERE state = 'leased'"),
        )
        expect((await outbox().stats()).limbo).toBe(1)
      })

      test('what is past its horizon is ended also when no one claims', async () => {
        await one()
        const expire = () => database().transact((tx) => outbox().expire(tx))
        expect(await expire()).toBe(0)
        clock.advance(DAY_MS)
        expect(await expire()).toBe(1)
        expect(await operations().list({})).toMatchObject([{ state: 'exhausted' }])
      })
    })

    test('what is sent again in the moment when old deliveries are forgotten stays', async () => {
      await one()
      const claimed = await claimOne()
      const { delivery_id } = claimed
      const next = { state: 'exhausted', reason: 'it was tried long enough' } as const
      await record(failure(claimed, { next }))
      clock.advance(1_000)
      await overlapping(
        database(),
        (tx) => operations().retry(tx, delivery_id, DAY_MS),
        () => trim(clock.now()),
      )
      expect(await operations().show(delivery_id)).toMatchObject({ state: 'pending' })
    })

    test('what ended long ago is forgotten with its attempts, and nothing else', async () => {
      await one()
      const old = await claimOne()
      await record(success(old))
      clock.advance(1_000)
      await one()
      const recent = await claimOne()
      await record(success(recent))
      await one()
      expect(await trim(clock.now())).toBe(1)
      expect(await trim(clock.now())).toBe(0)
      expect(await operations().show(old.delivery_id)).toBeUndefined()
      expect(await operations().list({})).toHaveLength(2)
      expect(await database().read.all('SELECT delivery_id FROM webhook_attempts')).toEqual([
        { delivery_id: recent.delivery_id },
      ])
    })
  },
  { clock },
)
