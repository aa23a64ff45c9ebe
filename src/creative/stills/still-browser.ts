// The creative agent's interface to the browser that takes pictures of previews: pages wait for it in a bounded, fair
// queue, and each has its limits. The browser is stopped if a page exceeds them.

import type { Still, StillRequest } from '../../lib/browser/take-still.ts'
import type { QueueLimits } from '../../lib/worker-pool/fair-bounds.ts'
import type { KindOfWork, WorkerPool } from '../../lib/worker-pool/worker-pool.ts'
import { type OnBehalf, workerPoolRefusal } from '../jobs/creative-worker-pool.ts'
import { MAX_STILL_MS, MAX_STILLS } from '../limits.ts'

export interface StillBrowser {
  /** The number of pictures taken at the same time. */
  atOnce: number
  /** Throws a ProtocolError, or a WorkerPoolError for a page that was too costly. */
  take(request: StillRequest, by: OnBehalf): Promise<Still>
}

const MIB = 1_024 * 1_024

export const STILL_WORK = {
  still: { timeLimitMs: MAX_STILL_MS },
} as const satisfies Record<string, KindOfWork>

export const STILL_QUEUE: QueueLimits = {
  maxWaiting: 4 * MAX_STILLS,
  maxWaitingPerOwner: MAX_STILLS,
  maxBytes: 256 * MIB,
  maxBytesPerOwner: 64 * MIB,
}

export function createStillBrowser(
  workerPool: Pick<WorkerPool<keyof typeof STILL_WORK>, 'run'>,
  atOnce: number,
): StillBrowser {
  return {
    atOnce,
    take: async (request, by) => {
      const options = { ...by, bytes: sizeOf(request) }
      try {
        return (await workerPool.run('still', request, options)) as Still
      } catch (error) {
        throw workerPoolRefusal(error)
      }
    },
  }
}

function sizeOf({ html, files }: StillRequest): number {
  let bytes = html.length
  for (const file of files.values()) bytes += file.bytes.byteLength
  return bytes
}
