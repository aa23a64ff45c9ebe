import { expect, test } from 'vitest'
import { createReadiness, type ReadinessPorts } from '../../src/app/readiness.ts'

function instance() {
  const faults: string[] = []
  const lines: string[] = []
  const workerPool: { fault: unknown } = { fault: undefined }
  const stopping = new AbortController()
  const clock = { offMs: 0 }
  const key = { isThere: true }
  const note = (level: string) => (fields: unknown, message?: string) =>
    lines.push(`${level}: ${message ?? String(fields)}`)
  const failedChecks = createReadiness({
    storage: {
      database: { dialect: 'postgres', faults: async () => faults },
      transact: (work: (tx: { now(): Promise<number> }) => unknown) =>
        work({ now: async () => 1_000_000 }),
    },
    wallClock: { now: () => 1_000_000 + clock.offMs },
    signingKey: async () => {
      if (!key.isThere) throw new Error('no key')
    },
    workerPool,
    stopping: stopping.signal,
    log: { info: note('info'), warn: note('warn') },
  } as unknown as ReadinessPorts)
  return { clock, key, faults, lines, workerPool, stopping, failedChecks }
}

test('an instance without faults is ready, and nothing is logged', async () => {
  const { failedChecks, lines } = instance()
  expect(await failedChecks()).toEqual([])
  expect(lines).toEqual([])
})

test('every fault is listed: of the database, and of processes that cannot be started', async () => {
  const { failedChecks, faults, workerPool } = instance()
  faults.push('the disk is full', 'the folder is read-only')
  workerPool.fault = new Error('spawn ENOMEM')
  expect(await failedChecks()).toEqual([
    'the disk is full',
    'the folder is read-only',
    'no process of the worker pool can be started',
  ])
})

test('the log has one line when readiness changes, however often it is checked', async () => {
  const { failedChecks, faults, lines } = instance()
  faults.push('the disk is full')
  await failedChecks()
  await failedChecks()
  faults.push('the folder is read-only')
  await failedChecks()
  faults.length = 0
  await failedChecks()
  await failedChecks()
  expect(lines).toEqual(['warn: not ready', 'warn: not ready', 'info: ready again'])
})

test('an instance that stops is not ready, and does not ask its database', async () => {
  const { failedChecks, faults, stopping } = instance()
  faults.push('the disk is full')
  stopping.abort()
  expect(await failedChecks()).toEqual(['the server is stopping'])
})

test('a clock that is more than a minute off that of the database is a fault', async () => {
  const { failedChecks, clock } = instance()
  for (const offMs of [60_000, -60_000]) {
    clock.offMs = offMs
    expect(await failedChecks()).toEqual([])
  }
  clock.offMs = 61_000
  expect(await failedChecks()).toEqual([
    'the clock of this machine is 61 s ahead of that of the database',
  ])
  clock.offMs = -90_000
  expect(await failedChecks()).toEqual([
    'the clock of this machine is 90 s behind that of the database',
  ])
})

test('an instance without a key to sign with is not ready, until there is one again', async () => {
  const { failedChecks, key } = instance()
  key.isThere = false
  expect(await failedChecks()).toEqual([expect.stringContaining('there is no key to sign with')])
  key.isThere = true
  expect(await failedChecks()).toEqual([])
})

test('a database that is gone is one fault, whatever is stored in it', async () => {
  const { failedChecks, faults, clock, key } = instance()
  faults.push('the PostgreSQL database cannot be reached')
  clock.offMs = 90_000
  key.isThere = false
  expect(await failedChecks()).toEqual(['the PostgreSQL database cannot be reached'])
})
