// A watchdog thread of a worker process: it ends the process when its parent is gone, or when it uses more memory
// than allowed. The parent also watches the memory where it can.

import { workerData } from 'node:worker_threads'
import { MEMORY_SIGNAL } from './worker.ts'

export interface WatchData {
  parentPid: number
  maxResidentBytes: number
}

const LOOK_MS = 200

const { parentPid, maxResidentBytes } = workerData as WatchData

function look(): void {
  // An orphaned process gets another parent.
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL')
  if (process.memoryUsage.rss() > maxResidentBytes) process.kill(process.pid, MEMORY_SIGNAL)
}

look()
setInterval(look, LOOK_MS)
