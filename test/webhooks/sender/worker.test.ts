import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Deliver } from '../../../src/webhooks/sender/deliver.ts'
import { createFairness } from '../../../src/webhooks/sender/fairness.ts'
import type { AttemptResult, ClaimedDelivery } from '../../../src/webhooks/sender/store.ts'
import {
  type AttemptReport,
  createDeliveryWorker,
  type DeliveryWorkerOptions,
} from '../../../src/webhooks/sender/worker.ts'
import { memoryOutbox } from '../../support/memory-outbox.ts'
import { aChannel, aResult, START } from '../../support/sender.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

const clock = { now: () => Date.now() }
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const DAY = 24 * 60 * 60 * 1_000
const FAILED: Partial<AttemptResult> = {
  status: 'failed',
  http_status_code: 503,
  says: 'down',
  next: { state: 'pending', inMs: 1_000 },
}

interface Attempted {
  delivery: ClaimedDelivery
  at: number
  end(changes?: Partial<AttemptResult>): void
  signal: AbortSignal
}

/** A worker on stores in memory, whose attempts end when the test says so. */
function house(changes: Partial<DeliveryWorkerOptions> & { auto?: Partial<AttemptResult> } = {}) {
  const { auto, ...options } = changes
  const memory = memoryOutbox(clock)
  const faults: unknown[] = []
  const reports: AttemptReport[] = []
  const attempts: Attempted[] = []
  let running = 0
  let most = 0
  const deliver: Deliver = (delivery, signal) =>
    new Promise((resolve) => {
      most = Math.max(most, ++running)
      const finish = (result: AttemptResult | undefined) => {
        running -= 1
        resolve(result)
      }
      const end = (more: Partial<AttemptResult> = {}) => finish(aResult(delivery, more))
      attempts.push({ delivery, at: clock.now(), end, signal })
      signal.addEventListener('abort', () => finish(undefined), { once: true })
      if (auto) end(auto)
    })
  const concurrency = options.concurrency ?? 16
  const worker = createDeliveryWorker({
    transact: memory.transact,
    onWake: memory.onWake,
    outbox: memory.outbox,
    fairness: createFairness({ concurrency: concurrency * 4 }),
    deliver,
    clock,
    concurrency,
    onAttempt: (report) => reports.push(report),
    onFault: (error) => faults.push(error),
    ...options,
  })
  onTestFinished(() => worker.stop(0))
  const add = (count: number, horizonMs = DAY) =>
    memory.transact(async (tx) => {
      for (let n = 0; n < count; n++) {
        const url = `https://r${Math.random()}.example/hook`
        const {
          channel_id: _i,
          paused_at: _p,
          created_at: _c,
          updated_at: _u,
          ...channel
        } = aChannel({ url, subject: `task:${Math.random()}` })
        const put = await memory.channels.put(tx, channel, 10)
        if (put === 'full') throw new Error('full')
        const delivery = {
          channel: put,
          task_id: 't1',
          operation_id: undefined,
          notification_type: 'completed',
          sequence_number: undefined,
          idempotency_key: `key-${n}`,
          body: Buffer.from('{}'),
        }
        await memory.outbox.add(tx, [delivery], horizonMs)
      }
    })
  const states = () => memory.state().deliveries.map(({ state }) => state)
  return { memory, worker, add, states, attempts, faults, reports, most: () => most }
}

describe('spec 6.4: the worker', () => {
  test('delivers at once what was committed, and reports how long it took', async () => {
    const { worker, add, states, attempts, reports } = house({ auto: {} })
    worker.start()
    await pass(10)
    await add(3)
    await pass(0)
    expect(states()).toEqual(['delivered', 'delivered', 'delivered'])
    expect(attempts.map(({ at }) => at)).toEqual(Array(3).fill(START + 10))
    expect(reports).toHaveLength(3)
    expect(reports[0]).toMatchObject({ status: 'success', attempt: 1, delay_ms: 0 })
    expect(reports[0]).toMatchObject({ http_status_code: 200, duration_ms: 5, next: 'delivered' })
  })

  test('finds by polling what no wake-up reported', async () => {
    const { worker, add, states } = house({ auto: {}, onWake: () => () => {} })
    worker.start()
    await pass(10)
    await add(1)
    await pass(900)
    expect(states()).toEqual(['pending'])
    await pass(100)
    expect(states()).toEqual(['delivered'])
  })

  test('tries again when it is due, without waiting for a poll, with the same bytes and key', async () => {
    const { worker, add, attempts, reports } = house({
      pollMs: 60_000,
      auto: { ...FAILED, next: { state: 'pending', inMs: 1_234 } },
    })
    worker.start()
    await add(1)
    await pass(3_000)
    const [first, second = 0, third = 0] = attempts.map(({ at }) => at - START)
    expect(first).toBe(0)
    // Each after the result before it was written, which takes a moment.
    expect(second - 1_234).toBeOneOf([0, 1, 2])
    expect(third - second - 1_234).toBeOneOf([0, 1, 2])
    expect(new Set(attempts.map(({ delivery }) => delivery.idempotency_key)).size).toBe(1)
    expect(reports.map(({ attempt, delay_ms }) => [attempt, delay_ms])).toEqual([
      [1, 0],
      [2, undefined],
      [3, undefined],
    ])
  })

  test('never has more in flight than it may, and continues as soon as one ends', async () => {
    const { worker, add, attempts, most, states } = house({ concurrency: 4, pollMs: 60_000 })
    worker.start()
    await add(10)
    await pass(0)
    expect(attempts).toHaveLength(4)
    attempts[0]?.end()
    await pass(0)
    expect(attempts).toHaveLength(5)
    for (let next = 1; next < 10; next++) {
      attempts[next]?.end()
      await pass(0)
    }
    expect(states()).toEqual(Array(10).fill('delivered'))
    expect(most()).toBe(4)
  })

  test('a claim ahead goes as soon as there is a slot, before the result of the last one is written', async () => {
    const { worker, add, attempts, most, memory, states } = house({ concurrency: 1, ahead: 2 })
    worker.start()
    await add(3)
    await pass(0)
    expect(attempts).toHaveLength(1)
    expect(states()).toEqual(['leased', 'leased', 'leased'])
    memory.setAway(true)
    attempts[0]?.end()
    await pass(0)
    expect(attempts).toHaveLength(2)
    expect(states()).toEqual(['leased', 'leased', 'leased'])
    memory.setAway(false)
    await pass(2_000)
    attempts[1]?.end()
    await pass(0)
    attempts[2]?.end()
    await pass(100)
    expect(states()).toEqual(['delivered', 'delivered', 'delivered'])
    expect(most()).toBe(1)
  })

  test('a claim ahead that waits too long for a slot is given back, as if it had not been claimed', async () => {
    const { worker, add, attempts, memory } = house({ concurrency: 1, ahead: 1 })
    worker.start()
    await add(2)
    await pass(8_000)
    attempts[0]?.end()
    await pass(50)
    expect(memory.commits('giveBack')).toBe(1)
    expect(attempts.map(({ delivery }) => delivery.attempt)).toEqual([1, 1])
  })

  test('writes all results that wait in one transaction', async () => {
    const { worker, add, attempts, memory, states } = house({ concurrency: 100 })
    worker.start()
    await add(100)
    await pass(0)
    for (const { end } of attempts) end()
    await pass(0)
    expect(states()).toEqual(Array(100).fill('delivered'))
    expect(memory.commits('record')).toBeLessThanOrEqual(2)
    expect(memory.commits('claim')).toBeLessThanOrEqual(5)
  })

  test('what was not sent is given back as if it had not been claimed, and tried again', async () => {
    const { worker, add, attempts, states, memory, reports } = house({
      deliver: async (delivery) => {
        sent.push(delivery.attempt)
        return sent.length < 3 ? { status: 'unsent', inMs: 700 } : aResult(delivery)
      },
      pollMs: 60_000,
    })
    const sent: number[] = []
    worker.start()
    await add(1)
    await pass(0)
    expect(states()).toEqual(['pending'])
    expect(memory.state().attempts).toEqual([])
    expect(memory.state().deliveries).toMatchObject([{ attempts: 0, due_at: START + 700 }])
    await pass(2_000)
    expect(sent).toEqual([1, 1, 1])
    expect(states()).toEqual(['delivered'])
    expect(reports).toMatchObject([{ attempt: 1, status: 'success' }])
    expect(attempts).toEqual([])
  })

  test('does not spin while something is due that cannot be taken', async () => {
    const { worker, add, memory } = house({ concurrency: 4 })
    worker.start()
    await add(10)
    await pass(10_000)
    expect(memory.commits('claim')).toBeLessThanOrEqual(12)
  })

  test('ends what is past its horizon', async () => {
    const { worker, add, states, memory } = house({ onWake: () => () => {}, concurrency: 1 })
    await add(2, 1_000)
    worker.start()
    await pass(61_000)
    expect(states()).toContain('exhausted')
    expect(memory.commits('expire')).toBe(2)
  })
})

describe('spec 6.4: a database that is away', () => {
  test('nothing is sent without a committed claim', async () => {
    const { worker, add, attempts, memory, faults } = house({ auto: {} })
    await add(1)
    memory.setAway(true)
    worker.start()
    await pass(5_000)
    expect(attempts).toEqual([])
    expect(faults.length).toBeGreaterThan(2)
    memory.setAway(false)
    await pass(1_000)
    expect(attempts).toHaveLength(1)
  })

  test('results wait for it and are written, and their slots stay taken until then', async () => {
    const { worker, add, attempts, memory, states } = house({ concurrency: 2 })
    worker.start()
    await add(4)
    await pass(0)
    memory.setAway(true)
    for (const { end } of [...attempts]) end()
    await pass(10_000)
    expect(worker.inFlight()).toBe(2)
    memory.setAway(false)
    await pass(2_000)
    expect(states().slice(0, 2)).toEqual(['delivered', 'delivered'])
    expect(attempts).toHaveLength(4)
    expect(attempts.every(({ delivery }) => delivery.attempt === 1)).toBe(true)
  })

  test('a result that outlived its lease is discarded, and the delivery made again', async () => {
    const { worker, add, attempts, memory, states } = house()
    worker.start()
    await add(1)
    await pass(0)
    memory.setAway(true)
    attempts[0]?.end()
    await pass(40_000)
    expect(worker.inFlight()).toBe(0)
    memory.setAway(false)
    await pass(1_000)
    expect(attempts.map(({ delivery }) => delivery.attempt)).toEqual([1, 2])
    attempts[1]?.end()
    await pass(0)
    expect(states()).toEqual(['delivered'])
  })

  test('one result that cannot be written does not take the others with it', async () => {
    const { worker, add, attempts, memory, states, faults } = house()
    const { record } = memory.outbox
    memory.outbox.record = (tx, results) => {
      if (results.some(({ delivery_id }) => delivery_id === 1)) throw new Error('no such column')
      return record(tx, results)
    }
    worker.start()
    await add(3)
    await pass(0)
    for (const { end } of attempts) end()
    await pass(0)
    expect(states()).toEqual(['leased', 'delivered', 'delivered'])
    expect(faults).toHaveLength(1)
  })

  test('a claim that took too long to commit is not acted on, and given back', async () => {
    const memory = memoryOutbox(clock)
    const { worker, attempts } = house({
      outbox: memory.outbox,
      onWake: memory.onWake,
      transact: async (work) => {
        const answer = await memory.transact(work)
        await new Promise((resolve) => setTimeout(resolve, 8_000))
        return answer
      },
    })
    await memory.transact(async (tx) => {
      const {
        channel_id: _i,
        paused_at: _p,
        created_at: _c,
        updated_at: _u,
        ...channel
      } = aChannel()
      const put = await memory.channels.put(tx, channel, 10)
      if (put === 'full') throw new Error('full')
      const [body, idempotency_key] = [Buffer.from('{}'), 'key-key-key-key-1']
      const none = { task_id: undefined, operation_id: undefined, sequence_number: undefined }
      const delivery = { channel: put, ...none, notification_type: 'x', idempotency_key, body }
      await memory.outbox.add(tx, [delivery], DAY)
    })
    worker.start()
    await pass(30_000)
    expect(memory.commits('giveBack')).toBeGreaterThan(1)
    // However often it was claimed, none of it counts as an attempt.
    expect(memory.state().deliveries[0]?.attempts).toBeLessThanOrEqual(1)
    expect(attempts).toEqual([])
  })
})

describe('spec 6.4: stopping', () => {
  test('what waits for a slot is given back at once, and what is under way ends', async () => {
    const { worker, add, attempts, states, memory } = house({ concurrency: 1, ahead: 3 })
    worker.start()
    await add(3)
    await pass(0)
    const stopped = worker.stop(10_000)
    await pass(1)
    expect(states()).toEqual(['leased', 'pending', 'pending'])
    expect(memory.state().deliveries.map((one) => one.attempts)).toEqual([1, 0, 0])
    attempts[0]?.end()
    await pass(0)
    await stopped
    expect(states()).toEqual(['delivered', 'pending', 'pending'])
  })

  test('claims nothing more, and what is under way ends and is written', async () => {
    const { worker, add, attempts, states } = house({ concurrency: 2 })
    worker.start()
    await add(4)
    await pass(0)
    let isStopped = false
    const stopped = worker.stop(10_000).then(() => {
      isStopped = true
    })
    await pass(5_000)
    expect(isStopped).toBe(false)
    attempts[0]?.end()
    attempts[1]?.end(FAILED)
    await pass(0)
    await stopped
    expect(states()).toEqual(['delivered', 'pending', 'pending', 'pending'])
    expect(attempts).toHaveLength(2)
    await pass(60_000)
    expect(attempts).toHaveLength(2)
  })

  test('what does not end in time is cut short and left to its lease, not recorded as failed', async () => {
    const { worker, add, attempts, states, memory, reports } = house()
    worker.start()
    await add(1)
    await pass(0)
    const stopped = worker.stop(3_000)
    await pass(3_000)
    await stopped
    expect(attempts[0]?.signal.aborted).toBe(true)
    await pass(60_000)
    expect(states()).toEqual(['leased'])
    expect(memory.state().attempts[0]?.result).toBeUndefined()
    expect(reports).toEqual([])
  })

  test('does not wait for an unavailable database for longer than configured', async () => {
    const { worker, add, attempts, memory } = house()
    worker.start()
    await add(1)
    await pass(0)
    memory.setAway(true)
    attempts[0]?.end()
    let isStopped = false
    void worker.stop(2_000).then(() => {
      isStopped = true
    })
    await pass(2_000)
    expect(isStopped).toBe(true)
  })
})

test('spec 6.4: two workers on one database share the work and repeat nothing', async () => {
  const first = house({ concurrency: 5 })
  const second = house({
    concurrency: 5,
    transact: first.memory.transact,
    onWake: first.memory.onWake,
    outbox: first.memory.outbox,
  })
  first.worker.start()
  second.worker.start()
  await first.add(40)
  for (let turn = 0; turn < 20; turn++) {
    await pass(0)
    for (const { end } of [...first.attempts, ...second.attempts]) end()
  }
  await pass(1_000)
  expect(first.states()).toEqual(Array(40).fill('delivered'))
  const made = [...first.attempts, ...second.attempts].map(({ delivery }) => delivery.delivery_id)
  expect(new Set(made).size).toBe(made.length)
  expect(first.attempts.length).toBeGreaterThan(5)
  expect(second.attempts.length).toBeGreaterThan(5)
})
