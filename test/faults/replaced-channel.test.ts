// A registration that is replaced while an event is on its way (spec 2.9, 6.4): whatever is sent next
// goes to the new address, with the same bytes under the same key.

import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { readLedger } from '../support/faults/ledger.ts'
import { createPlace, type Place } from '../support/faults/place.ts'
import { type Receiver, startReceiver } from '../support/faults/receiver.ts'
import { type Seller, startSeller } from '../support/faults/seller.ts'

const ENV = { ADWIRE_WEBHOOK_TIMEOUT_SECONDS: '10', ADWIRE_LEASE_SECONDS: '20' }

describe.each(['sqlite', 'postgres'] as const)('a server on %s', (store) => {
  test('spec 2.9: an event that waits for its next attempt goes to the new address', async () => {
    const { seller, place, later } = await houseOn(store)
    const earlier = await startReceiver(() => 503)
    onTestFinished(earlier.close)
    const task_id = await submit(seller, earlier.url('/earlier'))
    await eventually(async () => {
      const { attempts } = await readLedger(place.database())
      expect(attempts.map(({ status }) => status)).toEqual(['failed'])
    })
    await replace(seller, task_id, later.url('/later'))
    await expectMoved(place, earlier, later)
  })

  test('spec 2.9: an event that is under way and fails goes to the new address', async () => {
    const { seller, place, later } = await houseOn(store)
    let resolve: (status: number) => void = () => {}
    const replaced = new Promise<number>((fulfil) => {
      resolve = fulfil
    })
    const earlier = await startReceiver(() => replaced)
    onTestFinished(earlier.close)
    const task_id = await submit(seller, earlier.url('/earlier'))
    await eventually(() => expect(earlier.seen).toHaveLength(1))
    await replace(seller, task_id, later.url('/later'))
    resolve(503)
    await expectMoved(place, earlier, later)
  })
})

async function houseOn(store: Place['store']) {
  const place = await createPlace(store)
  onTestFinished(place.drop)
  const later = await startReceiver()
  onTestFinished(later.close)
  return { place, later, seller: await startSeller(place, ENV) }
}

/** Begins a task that reports its first step and then works for a long time; returns its id. */
async function submit(seller: Seller, url: string): Promise<string> {
  const parameters = { duration_seconds: 600, steps: 1, idempotency_key: randomUUID() }
  const part = { kind: 'data', data: { skill: 'simulate_task', parameters } }
  const { result } = await rpc(seller, 'message/send', {
    message: { kind: 'message', messageId: randomUUID(), role: 'user', parts: [part] },
    configuration: { blocking: false, pushNotificationConfig: { id: 'mine', url } },
  })
  return (result as { id: string }).id
}

async function replace(seller: Seller, taskId: string, url: string): Promise<void> {
  const pushNotificationConfig = { id: 'mine', url }
  const { result } = await rpc(seller, 'tasks/pushNotificationConfig/set', {
    taskId,
    pushNotificationConfig,
  })
  expect(result).toMatchObject({ taskId, pushNotificationConfig })
}

function rpc(seller: Seller, method: string, params: object): Promise<Record<string, unknown>> {
  return seller.call('/a2a', { jsonrpc: '2.0', id: 1, method, params })
}

async function expectMoved(place: Place, earlier: Receiver, later: Receiver): Promise<void> {
  await eventually(async () => {
    const { deliveries, attempts } = await readLedger(place.database())
    expect(deliveries.map(({ state }) => state)).toEqual(['delivered'])
    expect(attempts.map(({ url, status }) => [url, status])).toEqual([
      [earlier.url('/earlier'), 'failed'],
      [later.url('/later'), 'success'],
    ])
  })
  const [before, after] = [earlier.seen, later.seen]
  expect([before.length, after.length]).toEqual([1, 1])
  expect(after[0]?.idempotency_key).toBe(before[0]?.idempotency_key)
  expect(after[0]?.body).toEqual(before[0]?.body)
  expect(after[0]?.nonce).not.toBe(before[0]?.nonce)
}
