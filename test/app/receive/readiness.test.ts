import { expect, test } from 'vitest'
import { createReadiness } from '../../../src/app/receive/readiness.ts'
import { StorageUnavailable } from '../../../src/lib/transaction.ts'
import { fakeClock } from '../../support/fake-clock.ts'

function setting() {
  const clock = fakeClock()
  const disk = { isFull: false, probes: 0 }
  const probe = async () => {
    disk.probes += 1
    if (disk.isFull) throw new StorageUnavailable('the disk is full')
  }
  return { clock, disk, readiness: createReadiness({ probe, clock }) }
}

test('is ready after a write, which proves enough for five seconds', async () => {
  const { clock, disk, readiness } = setting()
  readiness.wrote()
  await readiness.check()
  clock.advance(4_999)
  await readiness.check()
  expect(disk.probes).toBe(0)
  clock.advance(1)
  await readiness.check()
  await readiness.check()
  expect(disk.probes).toBe(1)
})

test('is not ready from a write that failed until one has succeeded', async () => {
  const { clock, disk, readiness } = setting()
  await readiness.check()
  disk.isFull = true
  readiness.threw(new StorageUnavailable('the disk is full'))
  await expect(readiness.check()).rejects.toThrow('the disk is full')
  disk.isFull = false
  clock.advance(999)
  await expect(readiness.check()).rejects.toThrow('the disk is full')
  clock.advance(1)
  await readiness.check()

  disk.isFull = true
  readiness.threw(new StorageUnavailable('again'))
  await expect(readiness.check()).rejects.toThrow()
  readiness.wrote()
  await readiness.check()
})

test('finds a full disk also when nothing was sent', async () => {
  const { disk, readiness } = setting()
  disk.isFull = true
  await expect(readiness.check()).rejects.toThrow('the disk is full')
})

test('probes at most once a second, however often and from how many it is asked', async () => {
  const { clock, disk, readiness } = setting()
  disk.isFull = true
  const askAll = () => Promise.allSettled(Array.from({ length: 20 }, readiness.check))
  await askAll()
  await askAll()
  expect(disk.probes).toBe(1)
  clock.advance(1_000)
  await askAll()
  expect(disk.probes).toBe(2)
})

test('a fault that is none of the storage raises no doubt', async () => {
  const { disk, readiness } = setting()
  readiness.wrote()
  readiness.threw(new Error('the command exited with 1'))
  readiness.threw(undefined)
  await readiness.check()
  expect(disk.probes).toBe(0)
})
