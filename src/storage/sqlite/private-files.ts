// The files of a data folder hold secrets and what people asked for: they are for their owner alone,
// whatever mode the folder and the umask have.

import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'

const OWNER_ONLY = 0o600
const OTHERS = 0o077
/** SQLite gives these the mode of the file they belong to, when it makes them. */
const BESIDE = ['-wal', '-shm', '-journal']

/** Makes the folder and the file where they are missing, and takes the file from everybody else. */
export function privateFile(dataDir: string, name: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, name)
  closeSync(openSync(path, 'a', OWNER_ONLY))
  for (const one of [path, ...BESIDE.map((end) => path + end)]) tighten(one)
  return path
}

function tighten(path: string): void {
  try {
    if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, OWNER_ONLY)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Not there, or somebody else's: whose it is tightens it at its own start.
    if (code !== 'ENOENT' && code !== 'EPERM') throw error
  }
}
