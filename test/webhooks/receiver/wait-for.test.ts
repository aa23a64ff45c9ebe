import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { identifiersFor } from '../../../src/protocol/identifiers.ts'
import type { InboxStore } from '../../../src/webhooks/receiver/store.ts'
import { createWaitFor } from '../../../src/webhooks/receiver/wait-for.ts'
import { newMessage } from '../../support/inbox-contract.ts'
import { watchTimeouts } from '../../support/watch-timeouts.ts'

type Kept = Awaited<ReturnType<InboxStore['ofOperation']>>[number]

const SENDER = 'https://seller.example'
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

let timeouts = () => 0
beforeEach(() => {
  vi.useFakeTimers()
  timeouts = watchTimeouts('webhooks/receiver/wait-for.ts')
})
afterEach(() => {
  vi.useRealTimers()
})

/** An inbox in which messages become applied when the test says so. */
function house() {
  const applied: Kept[] = []
  const listeners = new Set<() => void>()
  const faults: unknown[] = []
  const conflicts: unknown[] = []
  let isAway = false
  let requested = 0
  const waitFor = createWaitFor({
    inbox: {
      ofOperation: async (operationId) => {
        requested += 1
        if (isAway) throw new Error('away')
        return applied.filter((one) => one.operation_id === operationId)
      },
    },
    onWake: (_topic, listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onFault: (error) => faults.push(error),
    onConflict: ({ settled, other }) => conflicts.push([settled.data, other.data]),
    names: identifiersFor('proto'),
  })
  return {
    waitFor,
    faults,
    conflicts,
    listeners,
    requested: () => requested,
    setAway: (value: boolean) => {
      isAway = value
    },
    apply: (operation_id: string, status: string, sender = SENDER, result: object = {}) => {
      const members = { task_id: 't', status, result: { of: sender, ...result } }
      const body = Buffer.from(JSON.stringify(members))
      const message = newMessage({ operation_id, status, sender, body, task_id: 't' })
      const more = { message_id: applied.length, state: 'applied' as const, reason: undefined }
      applied.push({ ...message, ...more, attempts: 1, received_at: 0, ended_at: 0 })
    },
    wake: () => {
      for (const listener of listeners) listener()
    },
  }
}

describe('spec 6.1: waiting for an operation', () => {
  test('ends at once with what was received before, with its status and data', async () => {
    const { waitFor, apply } = house()
    apply('op', 'working')
    apply('op', 'completed')
    expect(await waitFor('op')).toMatchObject({ status: 'completed', data: { of: SENDER } })
  })

  test('passes over interim statuses and other operations, and ends by a wake-up', async () => {
    const { waitFor, apply, wake } = house()
    const waiting = waitFor('op')
    await pass(0)
    apply('op', 'input-required')
    apply('another', 'failed')
    wake()
    await pass(0)
    apply('op', 'failed')
    wake()
    expect(await waiting).toMatchObject({ operation_id: 'op', status: 'failed' })
  })

  test('ends without a wake-up within a second, also when the database was away', async () => {
    const { waitFor, apply, setAway, faults } = house()
    setAway(true)
    const waiting = waitFor('op')
    await pass(0)
    setAway(false)
    apply('op', 'canceled')
    await pass(1_000)
    expect(await waiting).toMatchObject({ status: 'canceled' })
    expect(faults).toHaveLength(1)
  })

  test('can be held to one sender: another may name the same operation', async () => {
    const { waitFor, apply, wake } = house()
    apply('op', 'failed', 'https://stranger.example')
    const waiting = waitFor('op', { sender: SENDER })
    await pass(5_000)
    apply('op', 'completed')
    wake()
    expect(await waiting).toMatchObject({ sender: SENDER, status: 'completed' })
  })

  test('resolves with undefined when the time is up or the signal aborts, and then looks no more', async () => {
    const { waitFor, listeners, requested } = house()
    const stop = new AbortController()
    const timed = waitFor('op', { timeoutMs: 2_500 })
    const aborted = waitFor('op', { signal: stop.signal, timeoutMs: 1e12 })
    await pass(2_500)
    expect(await timed).toBeUndefined()
    expect(listeners.size).toBe(1)
    stop.abort()
    expect(await aborted).toBeUndefined()
    expect(await waitFor('op', { signal: stop.signal })).toBeUndefined()
    expect(listeners.size).toBe(0)
    const before = requested()
    await pass(60_000)
    expect(requested()).toBe(before)
    expect(timeouts()).toBe(0)
  })

  test('asks once for all who wait for the same operation', async () => {
    const { waitFor, apply, requested, wake } = house()
    const all = Array.from({ length: 20 }, () => waitFor('op'))
    await pass(0)
    const before = requested()
    apply('op', 'rejected')
    wake()
    expect((await Promise.all(all)).every((one) => one?.status === 'rejected')).toBe(true)
    expect(requested() - before).toBeLessThanOrEqual(2)
  })

  test('spec 6.4: the first end counts, and a second end that differs is reported once', async () => {
    const { waitFor, apply, conflicts } = house()
    apply('op', 'completed', SENDER, { key: 1 })
    apply('op', 'completed', SENDER, { key: 1 })
    apply('op', 'completed', 'https://stranger.example', { key: 3 })
    apply('op', 'completed', SENDER, { key: 2 })
    expect(await waitFor('op')).toMatchObject({ data: { key: 1 } })
    expect(await waitFor('op')).toMatchObject({ data: { key: 1 } })
    expect(conflicts).toEqual([
      [
        { of: SENDER, key: 1 },
        { of: SENDER, key: 2 },
      ],
    ])
  })
})
