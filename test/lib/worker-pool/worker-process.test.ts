// Real processes, from the compiled files.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GoneWorker } from '../../../src/lib/worker-pool/pool-slot.ts'
import { createWorkerPool, type WorkerPool } from '../../../src/lib/worker-pool/worker-pool.ts'
import {
  processorMsOf,
  residentBytesOf,
  workerProcess,
} from '../../../src/lib/worker-pool/worker-process.ts'
import { eventually } from '../../support/eventually.ts'

const FILE = new URL('./job-worker.mjs', import.meta.url)
const MB = 1_024 * 1_024
const QUEUE = { maxWaiting: 100, maxWaitingPerOwner: 100, maxBytes: 1e9, maxBytesPerOwner: 1e9 }

type Kind = 'quick' | 'patient' | 'brief'
let workerPool: WorkerPool<Kind>
const gone: GoneWorker[] = []
let owners = 0
/** Each on behalf of another, so that none has to wait for what an earlier one did. */
const ask = (request: object, kind: Kind = 'patient') =>
  workerPool.run(kind, request, { owner: `owner ${++owners}` })

beforeAll(() => {
  workerPool = createWorkerPool({
    kinds: {
      quick: { timeLimitMs: 300, isSmall: true },
      patient: { timeLimitMs: 20_000, isSmall: true },
      brief: { timeLimitMs: 20_000, processorLimitMs: 300, isSmall: true },
    },
    queue: QUEUE,
    start: workerProcess({
      file: FILE,
      maxHeapMb: 64,
      maxResidentBytes: 300 * MB,
      env: { UV_THREADPOOL_SIZE: '2' },
    }),
    workers: 2,
    maxResidentBytes: 300 * MB,
    onGone: (one) => gone.push(one),
  })
})
afterAll(() => workerPool.close())

test('values of every kind come through as they are, bytes included', async () => {
  const value = {
    bytes: new Uint8Array([1, 2, 255]),
    map: new Map([['__proto__', 'a name like any other']]),
    text: 'Grüezi 👋 \ud800',
    missing: undefined,
  }
  expect(await ask({ do: 'echo', value })).toEqual(value)
  const large = Buffer.alloc(10 * MB, 7)
  const back = (await ask({ do: 'echo', value: large })) as Uint8Array
  expect(Buffer.compare(back, large)).toBe(0)
})

test('pieces of an answer come in order, before its end', async () => {
  const parts: unknown[] = []
  const request = { do: 'parts', parts: ['a', 'b', 'c'] }
  const end = await workerPool.run('patient', request, {
    owner: 'a',
    onPart: (part) => parts.push(part),
  })
  expect([parts, end]).toEqual([['a', 'b', 'c'], 3])
})

test('a worker knows nothing of its parent’s environment', async () => {
  const { env } = (await ask({ do: 'environment' })) as { env: Record<string, string> }
  expect(Object.keys(env).filter((name) => !name.startsWith('NODE_CHANNEL_'))).toEqual([
    'UV_THREADPOOL_SIZE',
  ])
})

test('what a job throws is thrown here, and its worker continues', async () => {
  const before = gone.length
  await expect(ask({ do: 'throw' })).rejects.toMatchObject({
    name: 'RangeError',
    message: 'this cannot be done',
  })
  expect(gone).toHaveLength(before)
})

describe('a job is ended', () => {
  test('that never yields the processor', async () => {
    await expect(ask({ do: 'loop' }, 'quick')).rejects.toMatchObject({ code: 'too_long' })
    expect(await ask({ do: 'echo', value: 'next' })).toBe('next')
  })

  test('that takes more of the processor than it may, long before its time is over', async () => {
    const began = performance.now()
    await expect(ask({ do: 'loop' }, 'brief')).rejects.toMatchObject({ code: 'too_long' })
    expect(performance.now() - began).toBeLessThan(15_000)
  })

  test('that fills the heap', async () => {
    await expect(ask({ do: 'eat-heap' })).rejects.toMatchObject({ code: 'too_large' })
  })

  test('that fills the memory beside the heap, as native code does', async () => {
    await expect(ask({ do: 'eat-memory' })).rejects.toMatchObject({ code: 'too_large' })
    expect(await ask({ do: 'echo', value: 'next' })).toBe('next')
  })
})

test.each([
  [{ do: 'exit' }, 'crashed'],
  [{ do: 'signal', signal: 'SIGSEGV' }, 'crashed'],
])('a job whose process ends by %j fails as %s, and others do not', async (request, code) => {
  const other = ask({ do: 'echo', value: 'other' })
  await expect(ask(request)).rejects.toMatchObject({ code })
  expect(await other).toBe('other')
})

test('a job that kills its process each time is ended after the third', async () => {
  const before = gone.length
  await expect(ask({ do: 'signal', signal: 'SIGKILL' })).rejects.toMatchObject({ code: 'crashed' })
  expect(gone.slice(before).filter(({ reason }) => reason === 'died')).toHaveLength(3)
})

test('jobs whose processes are killed meanwhile are all done', async () => {
  const pids = async () => {
    const found = await Promise.all([ask({ do: 'pid' }), ask({ do: 'pid' }), ask({ do: 'pid' })])
    return [...new Set(found as number[])]
  }
  const victims = await pids()
  const jobs = Array.from({ length: 12 }, (_, value) => ask({ do: 'echo', value }))
  for (const pid of victims) process.kill(pid, 'SIGKILL')
  expect(await Promise.all(jobs)).toEqual(Array.from({ length: 12 }, (_, value) => value))
})

test('the processor time of a process is reported in milliseconds, over all its threads', () => {
  const { user, system } = process.cpuUsage()
  const own = processorMsOf(process.pid) ?? 0
  expect(own / ((user + system) / 1_000)).toBeGreaterThan(0.5)
  expect(own / ((user + system) / 1_000)).toBeLessThan(2)
  expect(processorMsOf(2 ** 22)).toBeUndefined()
})

test('a worker heeds no signal that asks the whole server to end', async () => {
  const pid = (await ask({ do: 'pid' })) as number
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal)
  const pids = await Promise.all(Array.from({ length: 6 }, () => ask({ do: 'pid' })))
  expect(pids).toContain(pid)
})

test('the memory of a process is reported in bytes', () => {
  const own = residentBytesOf(process.pid) ?? 0
  expect(own / process.memoryUsage.rss()).toBeGreaterThan(0.5)
  expect(own / process.memoryUsage.rss()).toBeLessThan(2)
  expect(residentBytesOf(2 ** 22)).toBeUndefined()
})

const PARENT = fileURLToPath(new URL('./parent-process.mjs', import.meta.url))
const isAlive = (pid: number) => existsSync(`/proc/${pid}`)

describe('no worker is left', () => {
  test('when its parent is killed outright, not even one that is at a job without an end', async () => {
    const parent = spawn(process.execPath, [PARENT], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(parent.stdout as NodeJS.EventEmitter, 'data')) as [Buffer]
    const pids = JSON.parse(line.toString()) as number[]
    expect(pids.filter(isAlive)).toHaveLength(2)
    parent.kill('SIGKILL')
    await eventually(() => expect(pids.filter(isAlive)).toEqual([]))
  })

  test('when the worker pool is closed, whatever they are at', async () => {
    const running = ask({ do: 'loop' }).catch((error: unknown) => error)
    const pid = (await ask({ do: 'pid' })) as number
    await workerPool.close()
    expect(await running).toMatchObject({ code: 'stopped' })
    expect(isAlive(pid)).toBe(false)
  })
})
