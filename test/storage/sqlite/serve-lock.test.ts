import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { takeServeLock } from '../../../src/storage/sqlite/serve-lock.ts'

const BUILT = new URL('../../../dist/storage/sqlite/serve-lock.js', import.meta.url).href

function folder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'adwire-test-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

function taken(dataDir: string) {
  const lock = takeServeLock(dataDir)
  if (!lock.ok) throw new Error(lock.message)
  return lock
}

test('a folder is taken once, and free again after the release', () => {
  const dataDir = folder()
  const lock = taken(dataDir)
  expect(takeServeLock(dataDir)).toEqual({
    ok: false,
    message: expect.stringContaining(
      `another adwire server is running on the data folder ${dataDir}`,
    ),
  })
  lock.release()
  taken(dataDir).release()
})

test('two folders are taken apart from each other', () => {
  const locks = [taken(folder()), taken(folder())]
  for (const lock of locks) lock.release()
})

test('the lock of a killed process is free at once', async () => {
  const dataDir = folder()
  const child = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `const { takeServeLock } = await import(${JSON.stringify(BUILT)})
     const lock = takeServeLock(${JSON.stringify(dataDir)})
     console.log(lock.ok)
     setInterval(() => lock, 1_000)`,
  ])
  const [said] = await once(child.stdout, 'data')
  expect(String(said).trim()).toBe('true')
  expect(takeServeLock(dataDir).ok).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  taken(dataDir).release()
})
