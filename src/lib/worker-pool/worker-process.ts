// A worker in its own process: native code in it can be killed, and it has its own threads, so its work does not
// delay file access or name lookups of others.

import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { FromPoolWorker, StartWorker } from './worker.ts'

export interface WorkerProcessOptions {
  /** The compiled file that it runs; it calls `serveJobs`. */
  file: URL
  /** Of V8, in MB. */
  maxHeapMb: number
  /** Of the process. */
  maxResidentBytes: number
  /** Its whole environment: nothing of the parent's is inherited. */
  env: Readonly<Record<string, string>>
}

/** Enough for the error message that V8 prints before it dies. */
const MAX_SAID_CHARS = 2_000

export function workerProcess(options: WorkerProcessOptions): StartWorker {
  const { file, maxHeapMb, maxResidentBytes, env } = options
  return (events) => {
    let said = ''
    // The parent's pid is passed on, since by the time the child reads it, it may belong to another process.
    const child = fork(file, [String(process.pid), String(maxResidentBytes)], {
      execArgv: [`--max-old-space-size=${maxHeapMb}`],
      env: { ...env },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-MAX_SAID_CHARS)
    })
    child.on('message', (message) => events.message(message as FromPoolWorker))
    let hasEnded = false
    const end = (code: number | null, signal: string | null) => {
      if (hasEnded) return
      hasEnded = true
      events.ended({ code, signal, said: said.trim() })
    }
    // Not on its exit: its last output may still be in transit then.
    child.on('close', end)
    // Before it was started; also for a message to one that has just died, whose end is reported separately.
    child.on('error', (error) => {
      if (child.pid === undefined) {
        said = error.message
        end(null, null)
      }
    })
    return {
      send: (message) => {
        child.send(message, () => {})
      },
      residentBytes: () => (child.pid === undefined ? undefined : residentBytesOf(child.pid)),
      processorMs: () => (child.pid === undefined ? undefined : processorMsOf(child.pid)),
      kill: () => {
        child.kill('SIGKILL')
      },
    }
  }
}

/** Read synchronously: it is not a file on a disk, and a thread of libuv would cost more than the read. @internal */
export function residentBytesOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const at = status.indexOf('VmRSS:')
    return at < 0 ? undefined : Number.parseInt(status.slice(at + 'VmRSS:'.length), 10) * 1_024
  } catch {
    return undefined
  }
}

/** Ticks per second of the clock in which Linux counts processor time; the same on all its machines. */
const MS_PER_TICK = 10

/** Fields 14 and 15 of its statistics, counted from after the name, which may contain anything. @internal */
export function processorMsOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? ticks * MS_PER_TICK : undefined
  } catch {
    return undefined
  }
}
