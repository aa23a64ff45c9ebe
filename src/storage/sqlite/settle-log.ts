// Writes SQLite's log into the file after a server has closed it: the driver leaves the log behind. If the next start
// finds a log, it means that this process was killed.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { closedAfter } from './closed-after.ts'
import { SQLITE_FILE } from './database-file.ts'

/** Never throws: anything left in the log is read again at the next start. */
export function settleLog(dataDir: string): void {
  const path = join(dataDir, SQLITE_FILE)
  const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (logBytes === 0) return
  try {
    closedAfter(path, (file) => file.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
  } catch {
    // Full, damaged, or in use by an administrative command.
  }
}
