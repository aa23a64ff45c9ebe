// A program with two workers, one idle and one at a job that never ends: says their pids and waits.

import { createWorkerPool } from '../../../dist/lib/worker-pool/worker-pool.js'
import { workerProcess } from '../../../dist/lib/worker-pool/worker-process.js'

const queue = { maxWaiting: 9, maxWaitingPerOwner: 9, maxBytes: 1e9, maxBytesPerOwner: 1e9 }
const workerPool = createWorkerPool({
  kinds: { work: { timeLimitMs: 600_000, isSmall: true } },
  queue,
  start: workerProcess({
    file: new URL('./job-worker.mjs', import.meta.url),
    maxHeapMb: 64,
    maxResidentBytes: 500 * 1024 * 1024,
    env: {},
  }),
  workers: 2,
  maxResidentBytes: 500 * 1024 * 1024,
})
const ask = (request) => workerPool.run('work', request, { owner: 'a' })

const first = await ask({ do: 'pid' })
ask({ do: 'loop' }).catch(() => {})
const second = await ask({ do: 'pid' })
console.log(JSON.stringify([first, second]))
