// Where the files of a test run are: in memory, if there is enough of it. Databases of tests are synchronised with the disk
// many thousand times, and what they hold outlives a process there just as well.

import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const MEMORY = '/dev/shm'
const PREFIX = 'adwire-tests-'
const LEAST_BYTES = 6 * 1_024 ** 3

/** Undefined where there is none, or not enough room. The name tells whose it is. */
export function memoryFolder(): string | undefined {
  if (!existsSync(MEMORY)) return undefined
  removeLeftBehind()
  const { bavail, bsize } = statfsSync(MEMORY)
  if (Math.min(bavail * bsize, freemem()) < LEAST_BYTES) return undefined
  const folder = `${MEMORY}/${PREFIX}${process.pid}`
  mkdirSync(folder, { recursive: true })
  // As the usual one: PostgreSQL runs as another user when the tests run as root.
  chmodSync(folder, 0o1777)
  return folder
}

/** What runs left that were killed: it would take memory until the machine is started again. */
function removeLeftBehind(): void {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(PREFIX) || isRunning(Number(name.slice(PREFIX.length)))) continue
    rmSync(`${MEMORY}/${name}`, { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
