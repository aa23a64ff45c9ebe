// A thread beside the jobs of a worker process: it ends the process when its parent is gone, and when it
// holds more memory than it may. The parent watches the memory too where it can.

import { workerData } from 'node:worker_threads'
import { MEMORY_SIGNAL } from './worker.ts'

export interface WatchData {
  parentPid: number
  maxResidentBytes: number
}

const LOOK_MS = 200

const { parentPid, maxResidentBytes } = workerData as WatchData

function look(): void {
  // A process without a parent is given another one.
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL')
  if (process.memoryUsage.rss() > maxResidentBytes) process.kill(process.pid, MEMORY_SIGNAL)
}

look()
setInterval(look, LOOK_MS)
