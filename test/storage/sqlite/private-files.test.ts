import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SQLITE_FILE } from '../../../src/storage/sqlite/database-file.ts'
import { openSqlite } from '../../../src/storage/sqlite/open-sqlite.ts'
import { takeServeLock } from '../../../src/storage/sqlite/serve-lock.ts'

function folder(mode: number): string {
  const path = mkdtempSync(join(tmpdir(), 'adwire-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  chmodSync(path, mode)
  return path
}

const modes = (path: string) =>
  Object.fromEntries(
    readdirSync(path).map((name) => [name, (statSync(join(path, name)).mode & 0o777).toString(8)]),
  )

/** As a server does: takes the folder, opens the database, and writes. */
async function serveOn(dataDir: string) {
  const before = process.umask(0o000)
  onTestFinished(() => {
    process.umask(before)
  })
  const lock = takeServeLock(dataDir)
  const database = openSqlite({ dataDir })
  await database.transact((tx) => tx.run('CREATE TABLE IF NOT EXISTS secrets (text TEXT)'))
  onTestFinished(async () => {
    await database.close()
    if (lock.ok) lock.release()
  })
}

const PRIVATE = { 'adwire.db': '600', 'adwire.db-shm': '600', 'adwire.db-wal': '600' }

test.each([0o755, 0o777])(
  'every file in a folder of mode %o is for its owner alone',
  async (mode) => {
    const path = folder(mode)
    await serveOn(path)
    expect(modes(path)).toMatchObject({ ...PRIVATE, 'serve.lock': '600' })
    expect(statSync(path).mode & 0o777).toBe(mode)
  },
)

test('a folder that has to be made is for its owner alone, too', async () => {
  const path = join(folder(0o755), 'deep', 'data')
  await serveOn(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test('files that others could read before cannot be read from the next start on', async () => {
  const path = folder(0o755)
  const first = openSqlite({ dataDir: path })
  await first.transact((tx) => tx.run('CREATE TABLE kept (text TEXT)'))
  await first.close()
  for (const name of [SQLITE_FILE, `${SQLITE_FILE}-wal`, 'serve.lock']) {
    writeFileSync(join(path, name), '', { flag: 'a' })
    chmodSync(join(path, name), 0o664)
  }
  mkdirSync(join(path, 'formats'), { mode: 0o755 })
  await serveOn(path)
  expect(modes(path)).toMatchObject({ ...PRIVATE, 'serve.lock': '600', formats: '755' })
})
