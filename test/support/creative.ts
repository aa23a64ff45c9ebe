// The project's own catalogue of formats and the creative agent's worker pool, for tests.

import { type FormatCatalogue, loadCatalogue } from '../../src/creative/format-catalogue.ts'
import {
  type CreativeWorkerPool,
  createCreativeWorkerPool,
} from '../../src/creative/jobs/creative-worker-pool.ts'
import { kindsOfWork, WORK_QUEUE } from '../../src/creative/jobs/works.ts'
import { workerInProcess } from '../../src/lib/worker-pool/worker-in-process.ts'
import { createWorkerPool } from '../../src/lib/worker-pool/worker-pool.ts'

export function catalogue(): FormatCatalogue {
  const loaded = loadCatalogue()
  if (!loaded.ok) throw new Error(loaded.faults.join('\n'))
  return loaded.catalogue
}

/** The worker pool of the creative agent, in this process: what it does is the same. */
export function inProcessWorkerPool(): CreativeWorkerPool {
  return createCreativeWorkerPool(
    createWorkerPool({
      kinds: kindsOfWork({ longestMs: 60_000, videoMs: 120_000, videos: 1 }),
      queue: WORK_QUEUE,
      start: workerInProcess(
        async () => (await import('../../src/creative/jobs/do-work.ts')).doWork,
      ),
      workers: 2,
      maxResidentBytes: Number.POSITIVE_INFINITY,
    }),
  )
}
