import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { JobReport } from '../../../src/lib/worker-pool/job.ts'
import type { GoneWorker } from '../../../src/lib/worker-pool/pool-slot.ts'
import {
  createWorkerPool,
  type KindOfWork,
  type WorkerPoolOptions,
} from '../../../src/lib/worker-pool/worker-pool.ts'
import { fakeWorkers } from './fake-worker.ts'

const KIND: KindOfWork = { timeLimitMs: 1_000, isSmall: true }
const QUEUE = { maxWaiting: 10, maxWaitingPerOwner: 3, maxBytes: 1e9, maxBytesPerOwner: 1e9 }

afterEach(() => {
  vi.useRealTimers()
})

function open(over: Partial<WorkerPoolOptions<'draw' | 'check'>> = {}) {
  const fakes = fakeWorkers()
  const reports: JobReport[] = []
  const gone: GoneWorker[] = []
  const workerPool = createWorkerPool({
    kinds: { draw: KIND, check: KIND },
    queue: QUEUE,
    start: fakes.start,
    workers: 1,
    maxResidentBytes: 1_000,
    ...over,
    onJob: (report) => reports.push(report),
    onGone: (one) => gone.push(one),
  })
  const run = (what: string, owner = 'a', more = {}) => {
    const promise = workerPool.run('draw', what, { owner, ...more })
    promise.catch(() => {})
    return promise
  }
  return { workerPool, fakes, reports, gone, run }
}

test('a worker that has had nothing to do for too long is ended, and started again for the next job', async () => {
  vi.useFakeTimers()
  const { fakes, run, gone } = open({ maxIdleMs: 60_000 })
  const first = run('x')
  fakes.last().ready()
  vi.advanceTimersByTime(900)
  fakes.last().answer('done')
  await first
  vi.advanceTimersByTime(59_999)
  expect(fakes.last().isKilled).toBe(false)
  vi.advanceTimersByTime(1)
  expect(fakes.last().isKilled).toBe(true)
  const second = run('y')
  fakes.last().die()
  expect(gone.map(({ reason }) => reason)).toEqual(['idle'])
  expect(fakes.all).toHaveLength(2)
  fakes.last().ready()
  fakes.last().answer('again')
  expect(await second).toBe('again')
})

describe('a kind of work that may not have every worker', () => {
  test('waits for its own turn while others find a worker, also after one was ended', async () => {
    const fakes = fakeWorkers()
    const workerPool = createWorkerPool({
      kinds: { video: { ...KIND, isSmall: false, maxRunning: 1 }, page: KIND },
      queue: QUEUE,
      start: fakes.start,
      workers: 2,
      maxResidentBytes: 1_000,
    })
    const run = (kind: 'video' | 'page', what: string, signal?: AbortSignal) => {
      const promise = workerPool.run(kind, what, { owner: what, signal })
      promise.catch(() => {})
      return promise
    }
    const leaving = new AbortController()
    const first = run('video', 'first', leaving.signal)
    run('video', 'second')
    for (const worker of fakes.all) worker.ready()
    const got = () => fakes.all.flatMap((one) => one.got.map(({ request }) => request))
    expect(got()).toEqual(['first'])
    run('page', 'page')
    expect(got().sort()).toEqual(['first', 'page'])
    leaving.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    expect(got()).not.toContain('second')
    fakes.all.find((one) => one.got.some(({ request }) => request === 'first'))?.answer('late')
    expect(got()).toContain('second')
  })
})

describe('a job', () => {
  test('waits for a worker, runs, and is answered', async () => {
    const { fakes, run, reports } = open()
    const answered = run('x')
    expect(fakes.all).toHaveLength(1)
    expect(fakes.last().got).toEqual([])
    fakes.last().ready()
    expect(fakes.last().got).toMatchObject([{ request: 'x' }])
    fakes.last().answer('done')
    expect(await answered).toBe('done')
    expect(reports).toMatchObject([{ kind: 'draw', class: 'small', outcome: 'done' }])
  })

  test('reports parts of its answer ahead', async () => {
    const { fakes, run } = open()
    const parts: unknown[] = []
    const answered = run('x', 'a', { onPart: (part: unknown) => parts.push(part) })
    fakes.last().ready()
    fakes.last().report(1)
    fakes.last().report(2)
    expect(parts).toEqual([1, 2])
    fakes.last().answer('end')
    expect(await answered).toBe('end')
  })

  test('has a worker of its own, one at a time', async () => {
    const { fakes, run, workerPool } = open({ workers: 2 })
    const all = ['x', 'y', 'z'].map((one) => run(one))
    for (const fake of fakes.all) fake.ready()
    expect(fakes.all.map(({ got }) => got.map(({ request }) => request))).toEqual([['x'], ['y']])
    expect(workerPool.count()).toMatchObject({ workers: 2, busy: 2 })
    expect(workerPool.count().waiting).toEqual([{ kind: 'draw', class: 'small', count: 1 }])
    fakes.all[1]?.answer()
    expect(fakes.all[1]?.got.map(({ request }) => request)).toEqual(['y', 'z'])
    for (const fake of fakes.all) fake.answer()
    await Promise.all(all)
  })
})

test('each kind of work has its turn, however much of another waits', () => {
  const { fakes, run, workerPool } = open({ queue: { ...QUEUE, maxWaitingPerOwner: 4 } })
  for (const one of ['d1', 'd2', 'd3']) run(one)
  void workerPool.run('check', 'c1', { owner: 'a' }).catch(() => {})
  fakes.last().ready()
  for (let n = 0; n < 3; n++) fakes.last().answer()
  expect(fakes.last().got.map(({ request }) => request)).toContain('c1')
  expect(
    fakes
      .last()
      .got.map(({ request }) => request)
      .indexOf('c1'),
  ).toBeLessThan(3)
})

test('an owner with too much waiting is refused, and informed when to retry', async () => {
  const { run, reports } = open()
  for (const one of ['1', '2', '3']) run(one)
  await expect(run('4')).rejects.toMatchObject({ code: 'owner_full', retryAfterSeconds: 1 })
  expect(reports).toMatchObject([{ outcome: 'owner_full', ranMs: 0 }])
  run('1', 'b')
})

test('everyone is refused when all together have too much waiting', async () => {
  const { run } = open()
  for (let n = 0; n < 10; n++) run('x', `owner ${n}`)
  await expect(run('x', 'another')).rejects.toMatchObject({ code: 'queue_full' })
})

describe('a job that is too costly', () => {
  test('is ended with its worker when its time is over, and another worker continues', async () => {
    vi.useFakeTimers()
    const { fakes, run, gone } = open()
    const [slow, other] = [run('slow'), run('other', 'b')]
    fakes.last().ready()
    await vi.advanceTimersByTimeAsync(1_060)
    expect(fakes.all[0]?.isKilled).toBe(true)
    fakes.all[0]?.die()
    await expect(slow).rejects.toMatchObject({ code: 'too_long' })
    expect(gone).toMatchObject([{ reason: 'too_long', wasReady: true }])
    fakes.last().ready()
    fakes.last().answer('ok')
    expect(await other).toBe('ok')
    expect(fakes.all).toHaveLength(2)
  })

  test('is ended with its worker when it takes too much memory', async () => {
    vi.useFakeTimers()
    const { fakes, run } = open()
    const large = run('large')
    fakes.last().ready()
    fakes.last().residentBytes = 1_001
    await vi.advanceTimersByTimeAsync(100)
    expect(fakes.last().isKilled).toBe(true)
    fakes.last().die()
    await expect(large).rejects.toMatchObject({ code: 'too_large' })
  })

  test('leaves its owner one worker at a time for a minute', async () => {
    vi.useFakeTimers()
    const { fakes, run } = open({ workers: 3 })
    const slow = run('slow')
    fakes.last().ready()
    await vi.advanceTimersByTimeAsync(1_060)
    fakes.last().die()
    await expect(slow).rejects.toMatchObject({ code: 'too_long' })

    for (const one of ['1', '2']) run(one)
    run('3', 'b')
    for (const fake of fakes.all.slice(1)) fake.ready()
    const busyWith = () =>
      fakes.all.flatMap(({ got }) => got.map(({ request }) => request as string)).sort()
    const workerOf = (what: string) => fakes.all.find(({ got }) => got.at(-1)?.request === what)
    expect(busyWith()).toEqual(['1', '3', 'slow'])
    workerOf('1')?.answer()
    expect(busyWith()).toEqual(['1', '2', '3', 'slow'])
    workerOf('2')?.answer()
    workerOf('3')?.answer()
    await vi.advanceTimersByTimeAsync(60_001)
    for (const one of ['4', '5']) run(one)
    expect(busyWith()).toEqual(['1', '2', '3', '4', '5', 'slow'])
  })
})

test.each([
  [{ signal: 'SIGSEGV' }, 'crashed'],
  [{ signal: 'SIGABRT', said: 'FATAL ERROR: JavaScript heap out of memory' }, 'too_large'],
  [{ signal: 'SIGABRT', said: 'assertion failed' }, 'crashed'],
  [{ signal: 'SIGUSR2' }, 'too_large'],
  [{ signal: null, code: 1 }, 'crashed'],
])('a worker that ends with %j fails its job as %s', async (end, code) => {
  const { fakes, run } = open()
  const job = run('x')
  fakes.last().ready()
  fakes.last().die(end)
  await expect(job).rejects.toMatchObject({ name: 'WorkerPoolError', code })
})

describe('a job whose process is killed from outside', () => {
  const started = (fakes: ReturnType<typeof fakeWorkers>) =>
    fakes.all.flatMap(({ got }) => got.map(({ request }) => request))

  test('is run again, before others of its owner, and no one notices', async () => {
    const { fakes, run, reports } = open()
    const [first, second] = [run('1'), run('2')]
    fakes.last().ready()
    fakes.last().die()
    fakes.last().ready()
    expect(started(fakes)).toEqual(['1', '1'])
    fakes.last().answer('done')
    expect(await first).toBe('done')
    fakes.last().answer('also')
    expect(await second).toBe('also')
    expect(reports.map(({ outcome }) => outcome)).toEqual(['done', 'done'])
  })

  test('is to blame after the third time: what ends every process is not run for ever', async () => {
    vi.useFakeTimers()
    const { fakes, run } = open()
    const poison = run('poison')
    fakes.last().ready()
    fakes.last().die()
    fakes.last().ready()
    fakes.last().die({ signal: 'SIGTERM' })
    // After a pause, within which whatever ends processes may be over.
    expect(started(fakes)).toEqual(['poison', 'poison'])
    await vi.advanceTimersByTimeAsync(1_000)
    fakes.last().ready()
    fakes.last().die()
    await expect(poison).rejects.toMatchObject({ code: 'crashed' })
    expect(started(fakes)).toEqual(['poison', 'poison', 'poison'])
  })

  test('is not run again when part of its answer was reported', async () => {
    const { fakes, run } = open()
    const job = run('x', 'a', { onPart: () => {} })
    fakes.last().ready()
    fakes.last().report(1)
    fakes.last().die()
    await expect(job).rejects.toMatchObject({ code: 'died' })
  })

  test('is not run again when no one waits for it any more, not even after the pause', async () => {
    vi.useFakeTimers()
    const { fakes, run, workerPool } = open()
    const leaving = new AbortController()
    const job = run('x', 'a', { signal: leaving.signal })
    for (const _ of [1, 2]) {
      fakes.last().ready()
      fakes.last().die()
    }
    leaving.abort(new Error('gone'))
    await expect(job).rejects.toThrow('gone')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(started(fakes)).toEqual(['x', 'x'])
    expect(workerPool.count().waiting).toEqual([])
  })

  test('is refused when the pool is closed before it is run again', async () => {
    vi.useFakeTimers()
    const { fakes, run, workerPool } = open()
    const job = run('x')
    for (const _ of [1, 2]) {
      fakes.last().ready()
      fakes.last().die()
    }
    const closed = workerPool.close()
    for (const fake of fakes.all) fake.die()
    await closed
    await vi.advanceTimersByTimeAsync(1_000)
    await expect(job).rejects.toMatchObject({ code: 'stopped' })
  })
})

describe('processor time', () => {
  const kinds = { draw: { timeLimitMs: 2_000, processorLimitMs: 1_000 }, check: KIND }

  test('ends a job that takes more of it than it may, before its time is over', async () => {
    vi.useFakeTimers()
    const { fakes, run } = open({ kinds })
    const job = run('x')
    fakes.last().processorMs = 5_000
    fakes.last().ready()
    await vi.advanceTimersByTimeAsync(50)
    fakes.last().processorMs = 5_940
    await vi.advanceTimersByTimeAsync(50)
    expect(fakes.last().isKilled).toBe(false)
    fakes.last().processorMs = 5_951
    await vi.advanceTimersByTimeAsync(50)
    expect(fakes.last().isKilled).toBe(true)
    fakes.last().die()
    await expect(job).rejects.toMatchObject({ code: 'too_long' })
  })

  test('that was not to be had is not held against a job: it is run again, and then refused for now', async () => {
    vi.useFakeTimers()
    const { fakes, run, gone } = open({ kinds })
    const job = run('x')
    for (const _ of [1, 2, 3]) {
      fakes.last().processorMs = 20
      fakes.last().ready()
      await vi.advanceTimersByTimeAsync(2_050)
      fakes.last().die()
      await vi.advanceTimersByTimeAsync(1_000)
    }
    await expect(job).rejects.toMatchObject({ code: 'starved', retryAfterSeconds: 1 })
    expect(gone.map(({ reason }) => reason)).toEqual(['starved', 'starved', 'starved'])
  })
})

test('a job that waits for too long is refused, and informed when to retry; without a key sooner', async () => {
  vi.useFakeTimers()
  const { run, workerPool, reports } = open({ maxWaitMs: 40_000 })
  const keyed = run('x')
  const keyless = run('y', 'address', { isKeyless: true })
  await vi.advanceTimersByTimeAsync(10_000)
  await expect(keyless).rejects.toMatchObject({ code: 'waited_too_long', retryAfterSeconds: 1 })
  await vi.advanceTimersByTimeAsync(29_999)
  expect(workerPool.count().waiting).toMatchObject([{ count: 1 }])
  await vi.advanceTimersByTimeAsync(1)
  await expect(keyed).rejects.toMatchObject({ code: 'waited_too_long' })
  expect(workerPool.count().waiting).toEqual([])
  expect(reports).toMatchObject([{ class: 'keyless' }, { class: 'small', waitedMs: 40_000 }])
})

describe('a job that no one waits for any more', () => {
  test('leaves the queue', async () => {
    const { fakes, run, workerPool, reports } = open()
    const first = run('first')
    const leaving = new AbortController()
    const second = run('second', 'a', { signal: leaving.signal })
    leaving.abort(new Error('the caller has gone'))
    await expect(second).rejects.toThrow('the caller has gone')
    expect(workerPool.count().waiting).toMatchObject([{ kind: 'draw', count: 1 }])
    fakes.last().ready()
    fakes.last().answer(1)
    expect(await first).toBe(1)
    expect(fakes.last().got).toHaveLength(1)
    expect(reports.map(({ outcome }) => outcome)).toEqual(['aborted', 'done'])
  })

  test('may end by itself soon, so that its worker is kept', async () => {
    vi.useFakeTimers()
    const { fakes, run } = open()
    const leaving = new AbortController()
    const job = run('x', 'a', { signal: leaving.signal })
    fakes.last().ready()
    leaving.abort(new Error('gone'))
    await expect(job).rejects.toThrow('gone')
    fakes.last().answer('late')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(fakes.last().isKilled).toBe(false)
    const after = run('y')
    fakes.last().answer('y')
    expect(await after).toBe('y')
  })

  test('is ended when it continues', async () => {
    vi.useFakeTimers()
    const { fakes, run, gone } = open()
    const leaving = new AbortController()
    const job = run('x', 'a', { signal: leaving.signal })
    fakes.last().ready()
    leaving.abort(new Error('gone'))
    await expect(job).rejects.toThrow('gone')
    await vi.advanceTimersByTimeAsync(560)
    expect(fakes.last().isKilled).toBe(true)
    fakes.last().die()
    expect(gone).toMatchObject([{ reason: 'abandoned' }])
  })

  test('is not even begun when its signal was aborted before', async () => {
    const { fakes, run } = open()
    await expect(run('x', 'a', { signal: AbortSignal.abort('gone') })).rejects.toBe('gone')
    expect(fakes.all).toHaveLength(0)
  })
})

describe('workers', () => {
  test('are renewed when they hold much after a job, before the next one', async () => {
    vi.useFakeTimers()
    const { fakes, run, gone } = open()
    const [first, second] = [run('1'), run('2')]
    fakes.last().ready()
    fakes.last().residentBytes = 501
    await vi.advanceTimersByTimeAsync(60)
    fakes.last().answer()
    await first
    expect(fakes.all[0]?.isKilled).toBe(true)
    fakes.all[0]?.die()
    expect(gone).toMatchObject([{ reason: 'renewed' }])
    fakes.last().ready()
    fakes.last().answer('second')
    expect(await second).toBe('second')
  })

  test('that cannot be started are refused at once, and tried again after a pause', async () => {
    vi.useFakeTimers()
    const { fakes, run, workerPool } = open()
    const first = run('1')
    fakes.last().die({ signal: null, code: 1, said: 'Cannot find module' })
    await expect(first).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
    expect(workerPool.fault).toBe('Cannot find module')
    await expect(run('2')).rejects.toMatchObject({ code: 'unavailable' })
    expect(fakes.all).toHaveLength(1)

    await vi.advanceTimersByTimeAsync(1_001)
    const third = run('3')
    expect(fakes.all).toHaveLength(2)
    fakes.last().ready()
    fakes.last().answer('third')
    expect(await third).toBe('third')
    expect(workerPool.fault).toBeUndefined()
  })

  test('are as many as there is work for', () => {
    const { fakes, run } = open({ workers: 3 })
    run('1')
    expect(fakes.all).toHaveLength(1)
    fakes.last().ready()
    fakes.last().answer()
    run('2')
    expect(fakes.all).toHaveLength(1)
    run('3')
    expect(fakes.all).toHaveLength(2)
  })

  test('beyond those that are kept are started for work that waits, and ended when there is none', async () => {
    vi.useFakeTimers()
    const { fakes, run, workerPool } = open({ workers: 3, kept: 1 })
    workerPool.open()
    expect(fakes.all).toHaveLength(1)
    fakes.last().ready()
    const jobs = [run('1'), run('2', 'b')]
    expect(fakes.all).toHaveLength(2)
    fakes.last().ready()
    for (const fake of fakes.all) fake.answer()
    await Promise.all(jobs)
    await vi.advanceTimersByTimeAsync(5 * 60_000)
    expect(fakes.all.map(({ isKilled }) => isKilled)).toEqual([false, true])
  })

  test('are started ahead by `open`, and replaced when they end', () => {
    const { fakes, workerPool } = open({ workers: 3 })
    workerPool.open()
    workerPool.open()
    expect(fakes.all).toHaveLength(3)
    for (const fake of fakes.all) fake.ready()
    fakes.all[1]?.die()
    expect(fakes.all).toHaveLength(4)
  })
})

test('closing ends the workers, refuses what waits, and takes nothing any more', async () => {
  const { fakes, run, workerPool } = open()
  const [running, waiting] = [run('1'), run('2')]
  fakes.last().ready()
  const closed = workerPool.close()
  await expect(waiting).rejects.toMatchObject({ code: 'stopped' })
  expect(fakes.last().isKilled).toBe(true)
  fakes.last().die()
  await expect(running).rejects.toMatchObject({ code: 'stopped' })
  await closed
  await expect(run('3')).rejects.toMatchObject({ code: 'stopped' })
  await nextTurn()
  expect(fakes.all).toHaveLength(1)
})
