import { expect, test } from 'vitest'
import { StorageDamaged, StorageUnavailable } from '../../../src/lib/transaction.ts'
import { createWriteHealth } from '../../../src/storage/sql/write-health.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const FULL = 'the disk is full'

function started() {
  const clock = fakeClock()
  const disk = { isFull: false, probes: 0 }
  const probe = async () => {
    disk.probes += 1
    if (disk.isFull) throw new StorageUnavailable(FULL)
  }
  return { clock, disk, health: createWriteHealth({ probes: [probe], now: clock.now }) }
}

test('a commit proves for thirty seconds that the database can be written, without a probe', async () => {
  const { clock, disk, health } = started()
  health.wrote()
  clock.advance(29_999)
  expect(await health.faults()).toEqual([])
  expect(disk.probes).toBe(0)
  clock.advance(1)
  expect(await health.faults()).toEqual([])
  expect(await health.faults()).toEqual([])
  expect(disk.probes).toBe(1)
})

test('a failed commit is noticed at once, and a later one that succeeds ends it at once', async () => {
  const { disk, health } = started()
  health.wrote()
  disk.isFull = true
  health.failed(new StorageUnavailable(FULL))
  expect(await health.faults()).toEqual([FULL])
  disk.isFull = false
  health.wrote()
  expect(await health.faults()).toEqual([])
})

test('it recovers by itself when no one writes, by a probe every two seconds', async () => {
  const { clock, disk, health } = started()
  disk.isFull = true
  expect(await health.faults()).toEqual([FULL])
  disk.isFull = false
  clock.advance(1_999)
  expect(await health.faults()).toEqual([FULL])
  clock.advance(1)
  expect(await health.faults()).toEqual([])
})

test('a full disk is found also when nothing was written', async () => {
  const { clock, disk, health } = started()
  health.wrote()
  disk.isFull = true
  clock.advance(30_000)
  expect(await health.faults()).toEqual([FULL])
})

test('probes are few, however often and by however many callers it is queried', async () => {
  const { clock, disk, health } = started()
  disk.isFull = true
  const askAll = () => Promise.all(Array.from({ length: 20 }, health.faults))
  await askAll()
  await askAll()
  expect(disk.probes).toBe(1)
  clock.advance(2_000)
  await askAll()
  expect(disk.probes).toBe(2)
})

test('where commits fail although probes succeed, the commits count', async () => {
  const { clock, health } = started()
  health.failed(new StorageUnavailable(FULL))
  expect(await health.faults()).toEqual([])
  // The small write did not prove that a larger one would fit.
  health.failed(new StorageUnavailable(FULL))
  expect(await health.faults()).toEqual([FULL])
  clock.advance(4_999)
  expect(await health.faults()).toEqual([FULL])
  clock.advance(1)
  expect(await health.faults()).toEqual([])
})

test('damage stays, whatever is written later', async () => {
  const { clock, health } = started()
  health.failed(new StorageDamaged('page 7 is damaged'))
  health.wrote()
  clock.advance(3_600_000)
  expect(await health.faults()).toEqual(['page 7 is damaged'])
})

test('every probe that fails is named, once', async () => {
  const failing = (message: string) => () => Promise.reject(new StorageUnavailable(message))
  const probes = [failing('the folder is read-only'), failing(FULL), failing(FULL)]
  const health = createWriteHealth({ probes })
  expect(await health.faults()).toEqual(['the folder is read-only', FULL])
})

test('a fault of the program raises no doubt', async () => {
  const { disk, health } = started()
  health.wrote()
  health.failed(new Error('no such column'))
  health.failed(undefined)
  expect(await health.faults()).toEqual([])
  expect(disk.probes).toBe(0)
})
