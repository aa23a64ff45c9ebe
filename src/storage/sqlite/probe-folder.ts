// Whether another file can be created in the data folder, tested by writing one: SQLite may continue for a while with
// open files and allocated space, and then fail at the next start.

import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageUnavailable } from '../../lib/transaction.ts'
import { whyUnusable } from './private-files.ts'

const FILE = '.write-probe'
const BYTES = Buffer.alloc(4_096, 1)

/** Rejects when the folder is full or read-only. */
export async function probeFolder(dataDir: string): Promise<void> {
  const path = join(dataDir, FILE)
  try {
    const file = await open(path, 'w', 0o600)
    try {
      await file.writeFile(BYTES)
    } finally {
      await file.close()
    }
    await rm(path)
  } catch (cause) {
    // An empty file may be left on a full disk; it does no harm.
    await rm(path, { force: true }).catch(() => {})
    throw new StorageUnavailable(
      `the data folder ${dataDir} cannot be written: ${whyUnusable(cause)}`,
      { cause },
    )
  }
}
