// A fake worker that runs its jobs in this process. For programs that run from TypeScript sources, as tests do, where
// there is no compiled file for a process. It cannot be ended.

import { noteWork } from '../turn-watch.ts'
import type { Handle } from './serve-jobs.ts'
import { thrownInWorker } from './thrown-in-worker.ts'
import type { FromPoolWorker, StartWorker } from './worker.ts'

/** `load` returns the job handler, when it is first needed. */
export function workerInProcess(load: () => Promise<Handle>): StartWorker {
  return (events) => {
    let isAlive = true
    const report = (message: FromPoolWorker) => {
      // As with a separate process, nothing is shared with the answer.
      const copy = structuredClone(message)
      setImmediate(() => {
        if (isAlive) events.message(copy)
      })
    }
    const loading = apart(load)
    loading.then(
      () => report({ ready: true }),
      (error: unknown) => end(error instanceof Error ? error.message : String(error)),
    )
    const end = (said: string) => {
      if (!isAlive) return
      isAlive = false
      setImmediate(() => events.ended({ code: null, signal: 'SIGKILL', said }))
    }
    return {
      send: ({ job, request }) => {
        loading
          .then((handle) =>
            apart(() => handle(structuredClone(request), (part) => report({ job, part }))),
          )
          .then(
            (answer) => report({ job, answer }),
            (error: unknown) => report({ job, error: thrownInWorker(error) }),
          )
      },
      residentBytes: () => undefined,
      kill: () => end(''),
    }
  }
}

/** In its own turn of the event loop, so that only this work is named. */
async function apart<Result>(work: () => Promise<Result>): Promise<Result> {
  await undefined
  const endWork = noteWork('thread: worker in process')
  try {
    return await work()
  } finally {
    endWork()
  }
}
