// Processor time of this thread, without that of the threads beside it, as of SQLite writers and pictures. Linux has it
// for each thread; elsewhere it is that of the whole process, which is never less.

import { openSync, readSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** In milliseconds, since some moment in the past. */
export const threadMs: () => number = openSchedule() ?? processMs

function openSchedule(): (() => number) | undefined {
  if (!isMainThread) return undefined
  const buffer = Buffer.alloc(100)
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
    return () => {
      const length = readSync(file, buffer, 0, buffer.length, 0)
      const [nanoseconds] = buffer.toString('latin1', 0, length).split(' ')
      return Number(nanoseconds) / 1_000_000
    }
  } catch {
    return undefined
  }
}

function processMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
