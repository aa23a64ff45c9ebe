// The worker pool of this server: processes that read and render content from other parties. When run from TypeScript
// sources, as tests do, the work is done in this process, since a worker needs the compiled files.

import { kindsOfWork, WORK_QUEUE, type WorkKind } from '../creative/jobs/works.ts'
import type { Log } from '../lib/log.ts'
import { workerInProcess } from '../lib/worker-pool/worker-in-process.ts'
import { createWorkerPool, type WorkerPool } from '../lib/worker-pool/worker-pool.ts'
import { workerProcess } from '../lib/worker-pool/worker-process.ts'
import type { Config } from './config.ts'
import { readEnvironment } from './env.ts'
import type { Metrics } from './metrics.ts'

export interface WorkerPoolParts {
  config: Pick<
    Config,
    'workerPoolProcesses' | 'workerPoolMemoryMb' | 'workerPoolSeconds' | 'videoSeconds'
  >
  log: Log
  metrics: Pick<Metrics, 'worked' | 'workerGone' | 'registry'>
  /** Whether processes do the work. Default: where the files are compiled. */
  hasProcesses?: boolean
}

const MIB = 1_024 * 1_024
/** The share of a process's memory for the V8 heap; the rest is for pictures. */
const HEAP_SHARE = 0.5
/** Processes that are started in advance; more are started when work is waiting. */
const KEPT_PROCESSES = 2
/** The encoder is stopped earlier, so that the error can say what took so long. */
const VIDEO_GRACE_MS = 10_000

export function openWorkerPool(parts: WorkerPoolParts): WorkerPool<WorkKind> {
  const { config, log, metrics, hasProcesses = import.meta.url.endsWith('.js') } = parts
  const { workerPoolProcesses, workerPoolMemoryMb, workerPoolSeconds, videoSeconds } = config
  const maxResidentBytes = workerPoolMemoryMb * MIB
  return createWorkerPool<WorkKind>({
    kinds: kindsOfWork({
      longestMs: workerPoolSeconds * 1_000,
      videoMs: videoSeconds * 1_000 + VIDEO_GRACE_MS,
      videos: Math.max(1, Math.floor(workerPoolProcesses / 2)),
    }),
    queue: WORK_QUEUE,
    workers: workerPoolProcesses,
    kept: Math.min(workerPoolProcesses, KEPT_PROCESSES),
    maxResidentBytes,
    start: hasProcesses
      ? workerProcess({
          file: new URL('../creative/jobs/worker.js', import.meta.url),
          maxHeapMb: Math.floor(workerPoolMemoryMb * HEAP_SHARE),
          maxResidentBytes,
          env: workerEnvironment(),
        })
      : workerInProcess(async () => (await import('../creative/jobs/do-work.ts')).doWork),
    onJob: metrics.worked,
    onGone: (gone) => {
      metrics.workerGone(gone.reason)
      const { reason, said, wasReady } = gone
      if (!wasReady && reason !== 'stopped') {
        log.error({ reason, said }, 'a process of the worker pool could not be started')
      } else if (LOGGED.has(reason)) {
        log.warn({ reason, said }, 'a process of the worker pool was ended')
      }
    },
  })
}

/** Outcomes that are caused by the input; the others are routine. */
const LOGGED: ReadonlySet<string> = new Set(['too_long', 'too_large', 'crashed', 'died', 'starved'])

/** Variables that a program needs to be found and to run, none of which is a secret. */
const PASSED_ON = ['PATH', 'LD_LIBRARY_PATH', 'SYSTEMROOT', 'TZ'] as const

function workerEnvironment(): Record<string, string> {
  const given = readEnvironment()
  const passed = PASSED_ON.flatMap((name) => {
    const value = given[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  // One job at a time: one thread renders, and one reads its input. Fewer malloc arenas retain less memory.
  return { ...Object.fromEntries(passed), UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2' }
}
