// SIGTERM under load (spec 3.2, 6.4): the server ends by itself and in time, responses to requests in flight are
// still received, and the stop does not count against any receiver.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { breachesOf } from '../support/faults/invariants.ts'
import { drained, readLedger } from '../support/faults/ledger.ts'
import { createPlace } from '../support/faults/place.ts'
import { startReceiver } from '../support/faults/receiver.ts'
import { startSeller } from '../support/faults/seller.ts'

const TASKS = 30
const STOP_SECONDS = 10
/** Long enough that no answer is late on a busy machine. */
const ENV = {
  ADWIRE_STOP_TIMEOUT_SECONDS: String(STOP_SECONDS),
  ADWIRE_WEBHOOK_TIMEOUT_SECONDS: '5',
  ADWIRE_LEASE_SECONDS: '14',
}

describe.each(['sqlite', 'postgres'] as const)('a server on %s', (store) => {
  test('spec 6.4: that is stopped under load blames no receiver and resumes where it stopped', async () => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const receiver = await startReceiver(async () => {
      await sleep(200)
      return 200
    })
    onTestFinished(receiver.close)

    const first = await startSeller(place, ENV)
    const load = Promise.all(
      Array.from({ length: TASKS }, (_, n) =>
        first.simulate({ steps: 2, webhook: receiver.url(`/hook-${n % 5}`) }),
      ),
    )
    await eventually(() => expect(receiver.seen.length).toBeGreaterThan(5))
    const requestedAt = Date.now()
    expect(await first.stop()).toBe(0)
    expect(Date.now() - requestedAt).toBeLessThan(STOP_SECONDS * 1_000)
    const answers = (await load).filter((answer) => answer !== undefined)

    const stopped = await readLedger(place.database())
    expect(stopped.deliveries.length).toBeGreaterThan(0)
    expect(new Set(stopped.attempts.map(({ status }) => status))).toEqual(new Set(['success']))
    expect(stopped.deliveries.map(({ state }) => state)).not.toContain('leased')
    const left = stopped.tasks.filter(({ status }) => status !== 'completed').length
    const waiting = stopped.deliveries.filter(({ state }) => state === 'pending').length
    expect(left + waiting, 'nothing was left to do: the load was too small').toBeGreaterThan(0)

    const second = await startSeller(place, ENV)
    await drained(place.database(), 120_000)
    expect(await second.stop()).toBe(0)
    const ledger = await readLedger(place.database())
    expect(breachesOf(ledger, receiver.seen)).toEqual([])
    expect(ledger.attempts).toHaveLength(ledger.deliveries.length)
    expect(receiver.seen).toHaveLength(ledger.deliveries.length)
    const known = new Set(ledger.tasks.map(({ task_id }) => task_id))
    const lost = answers.filter(
      ({ status, task_id }) => status === 202 && !known.has(task_id ?? ''),
    )
    expect(lost).toEqual([])
  })
})
