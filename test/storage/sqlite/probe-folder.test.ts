import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { StorageUnavailable } from '../../../src/lib/transaction.ts'
import { probeFolder } from '../../../src/storage/sqlite/probe-folder.ts'
import { canMount, readOnlyView, smallDisk } from '../../support/small-disk.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'adwire-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const faultOf = (path: string) =>
  probeFolder(path).then(
    () => undefined,
    (error: unknown) => error as Error,
  )

test('a folder that can be written is left as it was', async () => {
  const path = folder()
  await probeFolder(path)
  expect(readdirSync(path)).toEqual([])
})

test('a folder that is gone is a fault of the storage', async () => {
  const fault = await faultOf(join(folder(), 'gone'))
  expect(fault).toBeInstanceOf(StorageUnavailable)
})

test.skipIf(!canMount)('a read-only folder is named with the way out', async () => {
  const fault = await faultOf(readOnlyView(folder()))
  expect(fault?.message).toMatch(/cannot be written: its disk is read-only/)
})

test.skipIf(!canMount)('a full disk is named, and is fine again when there is room', async () => {
  const disk = smallDisk(1)
  disk.fill()
  expect((await faultOf(disk.path))?.message).toMatch(/cannot be written: its disk is full/)
  disk.free()
  await probeFolder(disk.path)
  expect(readdirSync(disk.path)).toEqual([])
})
