import { beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/storage/sql/database.ts'
import { createClockMarkStore } from '../../src/storage/stores/clock/clock-marks.ts'
import { createIdempotencyStore } from '../../src/storage/stores/tasks/idempotency.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { outboxOn } from '../support/outbox-contract.ts'

const clock = fakeClock()
const DAY_MS = 86_400_000

onBothStores(
  'the clock of a database',
  (database) => {
    const on = outboxOn(database, clock)
    const store = () => createClockMarkStore(database())
    const transact: Database['transact'] = (work) => database().transact(work)
    beforeEach(async () => {
      await on.clear()
      await transact((tx) => tx.run('DELETE FROM server_clock'))
      await transact((tx) => tx.run('DELETE FROM idempotent_requests'))
    })

    test('the last time that was noted is known, and nothing before', async () => {
      expect(await store().last()).toBeUndefined()
      await transact(store().note)
      clock.advance(1_000)
      await transact(store().note)
      expect(await store().last()).toBe(clock.now())
    })

    test('a webhook that a clock 400 days ahead has put off is due when the clock is right again', async () => {
      clock.advance(400 * DAY_MS)
      await on.one()
      clock.advance(-400 * DAY_MS)
      expect((await on.claim()).claimed).toEqual([])
      expect(await transact(store().bringNear)).toBe(1)
      expect((await on.claim()).claimed).toHaveLength(1)
      expect(await transact(store().bringNear)).toBe(0)
    })

    test('a webhook whose claim ends 400 days ahead is claimed again', async () => {
      await on.one()
      expect((await on.claim()).claimed).toHaveLength(1)
      await transact((tx) =>
        tx.run('UPDATE webhook_deliveries SET lease_until = $1', [clock.now() + 400 * DAY_MS]),
      )
      expect((await on.claim()).claimed).toEqual([])
      expect(await transact(store().bringNear)).toBe(1)
      expect((await on.claim()).claimed).toHaveLength(1)
    })

    test('a request whose server died with a clock 400 days ahead can be repeated', async () => {
      const requests = createIdempotencyStore(database())
      const scope = { principalId: 'prn_a', task: 'build_creative', key: 'key' }
      const begin = () => requests.begin(scope, 'f', { leaseMs: 30_000, ttlMs: DAY_MS })
      clock.advance(400 * DAY_MS)
      expect((await begin()).state).toBe('begun')
      clock.advance(-400 * DAY_MS)
      expect((await begin()).state).toBe('in_flight')
      expect(await transact(store().bringNear)).toBe(1)
      expect((await begin()).state).toBe('begun')
    })

    test('a webhook that waits for its next retry keeps waiting', async () => {
      await on.one()
      await transact((tx) =>
        tx.run('UPDATE webhook_deliveries SET due_at = $1', [clock.now() + DAY_MS]),
      )
      expect(await transact(store().bringNear)).toBe(0)
    })
  },
  { clock },
)
