// One server per data folder. The lock is SQLite's own lock on a separate file: the operating system releases it
// however the process ends, so there is no stale lock to clean up.

import { DatabaseSync } from '@photostructure/sqlite'
import { isBusy } from './errors.ts'
import { privateFile } from './private-files.ts'

export type ServeLock = { ok: true; release(): void } | { ok: false; message: string }

export function takeServeLock(dataDir: string): ServeLock {
  const lock = new DatabaseSync(privateFile(dataDir, 'serve.lock'), { timeout: 0 })
  try {
    lock.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    return { ok: true, release: () => lock.close() }
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    return {
      ok: false,
      message: `another adwire server is running on the data folder ${dataDir}: stop it, give this one its own folder with --data, or let both share a PostgreSQL with --database-url`,
    }
  }
}
