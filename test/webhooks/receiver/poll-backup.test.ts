import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followTask } from '../../../src/webhooks/receiver/poll-backup.ts'
import { watchTimeouts } from '../../support/watch-timeouts.ts'

let timeouts = () => 0
beforeEach(() => {
  vi.useFakeTimers()
  timeouts = watchTimeouts('webhooks/receiver/poll-backup.ts')
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A seller whose task has these statuses, one for each poll; the last one stays. */
function seller(...statuses: string[]) {
  const signals: AbortSignal[] = []
  const poll = async (signal: AbortSignal) => {
    const status = statuses[Math.min(signals.length, statuses.length - 1)] as string
    signals.push(signal)
    return { task_id: 't', status, result: signals.length }
  }
  return { poll, signals }
}

test.each([
  ['two minutes with a webhook', () => new Promise<undefined>(() => {}), 120_000],
  ['thirty seconds without one', undefined, 30_000],
])('spec 6.4: polls every %s, and stops at the end', async (_what, webhook, intervalMs) => {
  const { poll, signals } = seller('working', 'submitted', 'completed')
  const following = followTask({ poll, webhook })
  await pass(intervalMs - 1)
  expect(signals).toHaveLength(0)
  await pass(1)
  expect(signals).toHaveLength(1)
  await pass(2 * intervalMs)
  expect(await following).toEqual({
    by: 'poll',
    answer: { task_id: 't', status: 'completed', result: 3 },
  })
  await pass(10 * intervalMs)
  expect(signals).toHaveLength(3)
})

test('spec 6.4: a webhook that reported the end stops the polling, including the poll in flight', async () => {
  let report = (_message: { status: string }) => {}
  let requested: AbortSignal | undefined
  const following = followTask({
    poll: (signal) => {
      requested = signal
      return new Promise<never>(() => {})
    },
    webhook: () =>
      new Promise<{ status: string }>((resolve) => {
        report = resolve
      }),
  })
  await pass(120_000)
  expect(requested?.aborted).toBe(false)
  report({ status: 'failed' })
  expect(await following).toEqual({ by: 'webhook', message: { status: 'failed' } })
  expect(requested?.aborted).toBe(true)
  expect(timeouts()).toBe(0)
})

test('a poll that fails is reported and repeated; one that is slow is not sent twice', async () => {
  const faults: unknown[] = []
  let polls = 0
  const following = followTask({
    intervalMs: 1_000,
    onFault: (error) => faults.push(error),
    poll: async () => {
      polls += 1
      if (polls === 1) throw new Error('away')
      await new Promise((resolve) => setTimeout(resolve, 5_000))
      return { task_id: 't', status: 'canceled' }
    },
  })
  await pass(6_500)
  expect(polls).toBe(2)
  await pass(500)
  expect(await following).toMatchObject({ by: 'poll', answer: { status: 'canceled' } })
  expect(faults).toEqual([new Error('away')])
})

test.each([
  ['401', { status: 'failed', errors: [{ code: 'AUTH_INVALID', message: 'no' }] }, /AUTH_INVALID/],
  ['404', { status: 'failed', errors: [{ code: 'TASK_NOT_FOUND', message: 'no' }] }, /NOT_FOUND/],
  ['error of JSON-RPC', { error: { code: -32_600, message: 'no' } }, /task_id is missing/],
  ['status alone', { status: 'failed' }, /task_id is missing/],
  ['page of a proxy', '<html>', /task_id is missing/],
  ['nothing', undefined, /task_id is missing/],
  ['status of HTTP', { task_id: 't', status: 404 }, /status is none/],
])(
  'a poll that was refused (%s) is no end of the task, and is repeated',
  async (_what, refusal, fault) => {
    const answers: unknown[] = [refusal, refusal, { task_id: 't', status: 'failed' }]
    const faults: unknown[] = []
    const following = followTask({
      intervalMs: 1_000,
      onFault: (error) => faults.push(error),
      poll: async () => answers.shift() as { task_id: string; status: string },
    })
    await pass(2_000)
    expect(faults.map(String)).toEqual([expect.stringMatching(fault), expect.stringMatching(fault)])
    await pass(1_000)
    expect(await following).toEqual({ by: 'poll', answer: { task_id: 't', status: 'failed' } })
  },
)

test('without its webhook, which gave up or failed, it continues by polling', async () => {
  const { poll } = seller('rejected')
  const faults: unknown[] = []
  const gaveUp = followTask({ poll, webhook: async () => undefined })
  const webhook = () => Promise.reject(new Error('lost'))
  const failed = followTask({ poll, webhook, onFault: (error) => faults.push(error) })
  await pass(120_000)
  expect(await gaveUp).toMatchObject({ by: 'poll' })
  expect(await failed).toMatchObject({ by: 'poll' })
  expect(faults).toEqual([new Error('lost')])
})

test('an abort ends both ways', async () => {
  const { poll, signals } = seller('working')
  const stop = new AbortController()
  let reported: AbortSignal | undefined
  const following = followTask({
    poll,
    signal: stop.signal,
    webhook: (signal) => {
      reported = signal
      return new Promise<undefined>(() => {})
    },
  })
  stop.abort()
  expect(await following).toBeUndefined()
  expect(reported?.aborted).toBe(true)
  await pass(500_000)
  expect(signals).toHaveLength(0)
  expect(await followTask({ poll, signal: stop.signal })).toBeUndefined()
})
