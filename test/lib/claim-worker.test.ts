import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type ClaimedJob,
  type ClaimWorkerOptions,
  createClaimWorker,
} from '../../src/lib/claim-worker.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A worker over a list of numbers that are due, whose work ends when the test says so. */
function house(options: Partial<ClaimWorkerOptions<number>> = {}) {
  const due: number[] = []
  const jobs: (ClaimedJob<number> & { end: (error?: Error) => void })[] = []
  const faults: unknown[] = []
  const worker = createClaimWorker<number>({
    name: 'test',
    clock: { now: () => Date.now() },
    concurrency: 2,
    leaseMs: 30_000,
    pollMs: 1_000,
    claim: async (free) => ({ claimed: due.splice(0, free) }),
    run: (job) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(undefined))
        jobs.push(Object.assign(job, { end }))
      }),
    onFault: (error, claim) => faults.push([(error as Error).message, claim]),
    ...options,
  })
  const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
  return { worker, due, jobs, faults, pass }
}

test('no more is claimed than there are slots, and a slot that is freed is taken at once', async () => {
  const { worker, due, jobs, pass } = house()
  due.push(1, 2, 3)
  worker.start()
  await pass()
  expect(jobs.map(({ claim }) => claim)).toEqual([1, 2])
  expect(worker.inFlight()).toBe(2)
  jobs[0]?.end()
  await pass(100)
  expect(jobs.map(({ claim }) => claim)).toEqual([1, 2, 3])
})

test('what is due later is looked for then, and else with the next poll', async () => {
  const looked: number[] = []
  const { worker, pass } = house({
    claim: async () => {
      looked.push(Date.now() - start)
      return { claimed: [], nextInMs: looked.length === 1 ? 400 : 5_000 }
    },
  })
  const start = Date.now()
  worker.start()
  await pass(3_000)
  expect(looked).toEqual([0, 400, 1_400, 2_400])
})

test('work that throws is reported with its claim and frees its slot', async () => {
  const { worker, due, jobs, faults, pass } = house({ concurrency: 1 })
  due.push(1, 2)
  worker.start()
  await pass()
  jobs[0]?.end(new Error('broken'))
  await pass(100)
  expect(faults).toEqual([['broken', 1]])
  expect(jobs[1]?.claim).toBe(2)
})

test('a lease is renewed while the work runs, and work whose claim was lost is aborted', async () => {
  let isHeld = true
  const { worker, due, jobs, pass } = house({ renew: async () => isHeld })
  due.push(1)
  worker.start()
  await pass()
  const heldUntil = jobs[0]?.heldUntil ?? 0
  await pass(10_000)
  expect(jobs[0]?.heldUntil).toBe(heldUntil + 10_000)
  expect(jobs[0]?.signal.aborted).toBe(false)
  isHeld = false
  await pass(10_000)
  expect(jobs[0]?.signal.aborted).toBe(true)
})

test('a renewal that fails is reported, and the work continues', async () => {
  const renew = () => Promise.reject(new Error('the database is away'))
  const { worker, due, jobs, faults, pass } = house({ renew })
  due.push(1)
  worker.start()
  await pass(10_000)
  expect(faults).toEqual([['the database is away', 1]])
  expect(jobs[0]?.signal.aborted).toBe(false)
})

test('stopping waits for what ends, aborts what does not, and names what is left', async () => {
  const { worker, due, jobs, pass } = house()
  due.push(1, 2, 3)
  worker.start()
  await pass()
  const stopped = worker.stop({ drainMs: 2_000, abortMs: 500 })
  jobs[0]?.end()
  await pass(1_999)
  expect(jobs[1]?.signal.aborted).toBe(false)
  await pass(501)
  expect(jobs[1]?.signal.aborted).toBe(true)
  expect(await stopped).toEqual([2])
  expect(due).toEqual([3])
})

test('what a last look claims while stopping is aborted like the others', async () => {
  let give = (_: readonly number[]) => {}
  const { worker, jobs, pass } = house({
    claim: () =>
      new Promise((resolve) => {
        give = (claimed) => resolve({ claimed })
      }),
  })
  worker.start()
  await pass()
  const stopped = worker.stop({ drainMs: 0, abortMs: 1_000 })
  give([7])
  await pass()
  expect(jobs[0]?.signal.aborted).toBe(true)
  jobs[0]?.end()
  expect(await stopped).toEqual([])
})
