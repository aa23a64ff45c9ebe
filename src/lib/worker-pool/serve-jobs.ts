// The worker's side: a process that runs one job after the other and only has access to its requests. It ends with
// its parent, however that ends.

import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { thrownInWorker } from './thrown-in-worker.ts'
import type { WatchData } from './watch-thread.ts'
import type { FromPoolWorker, ToPoolWorker } from './worker.ts'

/** Runs one job. `report` sends a part of the answer early. */
export type Handle = (request: unknown, report: (part: unknown) => void) => Promise<unknown>

/** `load` returns the job handler; it is loaded before the first job is requested. */
export async function serveJobs(load: () => Promise<Handle>): Promise<void> {
  if (!process.send) throw new Error('this file runs in a process of the worker pool')
  // Not with an exit, which would wait for running native code.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // A terminal or a process manager signals every process of the server: the parent decides when to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  sparesOthers()
  const [handle] = await Promise.all([load(), watched()])
  const send = (message: FromPoolWorker) => process.send?.(message)
  process.on('message', ({ job, request }: ToPoolWorker) => {
    handle(request, (part) => send({ job, part })).then(
      (answer) => send({ job, answer }),
      (error: unknown) => send({ job, error: thrownInWorker(error) }),
    )
  })
  send({ ready: true })
}

/** When the machine runs out of memory, Linux kills this process before the server. */
function sparesOthers(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Elsewhere there is no such file.
  }
}

/** A job that never ends blocks all messages, so a thread watches the parent and the memory. */
function watched(): Promise<void> {
  const [, , parentPid, maxResidentBytes] = process.argv
  const workerData: WatchData = {
    parentPid: Number(parentPid),
    maxResidentBytes: Number(maxResidentBytes),
  }
  const thread = new Worker(new URL('./watch-thread.js', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
  thread.unref()
  return new Promise((resolve, reject) => {
    thread.once('online', resolve)
    thread.once('error', reject)
  })
}
