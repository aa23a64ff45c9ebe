// The worker's end: a process that does one job after the other and has nothing but its requests. It ends
// with its parent, however that ends.

import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { thrownInWorker } from './thrown-in-worker.ts'
import type { WatchData } from './watch-thread.ts'
import type { FromWorker, ToWorker } from './worker.ts'

/** Does one job. `report` sends a part of the answer ahead. */
export type Handle = (request: unknown, report: (part: unknown) => void) => Promise<unknown>

/** `load` returns the job handler; it is loaded before the first job is requested. */
export async function serveJobs(load: () => Promise<Handle>): Promise<void> {
  if (!process.send) throw new Error('this file runs in a process of the worker pool')
  // Not by an exit, which would wait for native code that is under way.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // A terminal or a process manager asks every process of the server to end: the parent decides when.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  sparesOthers()
  const [handle] = await Promise.all([load(), watched()])
  const send = (message: FromWorker) => process.send?.(message)
  process.on('message', ({ job, request }: ToWorker) => {
    handle(request, (part) => send({ job, part })).then(
      (answer) => send({ job, answer }),
      (error: unknown) => send({ job, error: thrownInWorker(error) }),
    )
  })
  send({ ready: true })
}

/** When the machine runs out of memory, Linux ends this process before the server. */
function sparesOthers(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Elsewhere there is no such file.
  }
}

/** A job that never ends hears nothing: so a thread looks after parent and memory. */
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
