// One of two instances freezes for twice the lease and then continues (spec 6.4): the other takes over, and the
// outdated state of the frozen one changes nothing.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { breachesOf } from '../support/faults/invariants.ts'
import { drained, readLedger } from '../support/faults/ledger.ts'
import { createPlace } from '../support/faults/place.ts'
import { startReceiver } from '../support/faults/receiver.ts'
import { SHORT_LEASE, startSeller } from '../support/faults/seller.ts'

const LEASE_MS = Number(SHORT_LEASE.ADWIRE_LEASE_SECONDS) * 1_000
const TASKS = 40
/** It stands still for a quarter of a minute: only where time does not matter. */
const isLong = process.env.ADWIRE_FAULT_ROUNDS !== undefined

test.runIf(isLong)(
  'spec 6.4: an instance that is frozen for twice the lease delivers nothing twice on waking',
  async () => {
    const place = await createPlace('postgres')
    onTestFinished(place.drop)
    const receiver = await startReceiver(async () => {
      await sleep(100)
      return 200
    })
    onTestFinished(receiver.close)
    // One after the other: both would make the tables.
    const frozen = await startSeller(place)
    const load = Array.from({ length: TASKS }, (_, n) =>
      frozen.simulate({ steps: 2, webhook: receiver.url(`/hook-${n % 10}`) }),
    )
    await eventually(() => expect(receiver.seen.length).toBeGreaterThan(10))
    frozen.child.kill('SIGSTOP')
    const frozenAt = Date.now()
    const answering = Promise.all(load)
    const other = await startSeller(place)
    await drained(place.database(), 120_000)
    const before = receiver.seen.length
    await sleep(Math.max(0, frozenAt + 2 * LEASE_MS - Date.now()))
    frozen.child.kill('SIGCONT')
    // The calls that it had not answered are answered now, and their tasks continue.
    for (const answer of await answering) expect(answer).toMatchObject({ status: 202 })
    await drained(place.database(), 120_000)
    expect([await frozen.stop(), await other.stop()]).toEqual([0, 0])
    const ledger = await readLedger(place.database())
    expect(breachesOf(ledger, receiver.seen)).toEqual([])
    expect(ledger.tasks).toHaveLength(TASKS)
    expect(before, 'the other instance did nothing').toBeGreaterThan(10)
    const unheard = ledger.attempts.filter(({ http_status_code: code }) => code === null)
    expect(receiver.seen.length - ledger.deliveries.length).toBeLessThanOrEqual(unheard.length)
  },
)
