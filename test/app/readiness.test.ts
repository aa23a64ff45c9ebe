import { expect, test } from 'vitest'
import type { Parts } from '../../src/app/parts.ts'
import { createReadiness } from '../../src/app/readiness.ts'

function instance() {
  const faults: string[] = []
  const lines: string[] = []
  const workerPool: { fault: unknown } = { fault: undefined }
  const stopping = new AbortController()
  const note = (level: string) => (fields: unknown, message?: string) =>
    lines.push(`${level}: ${message ?? String(fields)}`)
  const failedChecks = createReadiness({
    storage: { database: { faults: async () => faults } },
    workerPool,
    stopping: stopping.signal,
    log: { info: note('info'), warn: note('warn') },
  } as unknown as Parts)
  return { faults, lines, workerPool, stopping, failedChecks }
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
