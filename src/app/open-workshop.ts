// The workshop of this server: processes that read and draw what others wrote. Run from TypeScript
// sources, as tests do, the work is done in this process, since a process needs the compiled files.

import { type Kind, kindsOfWork, WORK_QUEUE } from '../creative/jobs/works.ts'
import type { Log } from '../lib/log.ts'
import { workerInProcess } from '../lib/workshop/worker-in-process.ts'
import { workerProcess } from '../lib/workshop/worker-process.ts'
import { createWorkshop, type Workshop } from '../lib/workshop/workshop.ts'
import type { Config } from './config.ts'
import { readEnvironment } from './env.ts'
import type { Metrics } from './metrics.ts'

export interface WorkshopParts {
  config: Pick<
    Config,
    'workshopProcesses' | 'workshopMemoryMb' | 'workshopSeconds' | 'videoSeconds'
  >
  log: Log
  metrics: Pick<Metrics, 'worked' | 'workerGone' | 'registry'>
  /** Whether processes do the work. Default: where the files are compiled. */
  hasProcesses?: boolean
}

const MIB = 1_024 * 1_024
/** Of a process's memory for the heap of V8: pictures lie beside it. */
const HEAP_SHARE = 0.5
/** Processes that are there before they are needed: others are started for the work that waits. */
const KEPT_PROCESSES = 2
/** The encoder is ended before: then it can be told what took so long. */
const VIDEO_GRACE_MS = 10_000

export function openWorkshop(parts: WorkshopParts): Workshop<Kind> {
  const { config, log, metrics, hasProcesses = import.meta.url.endsWith('.js') } = parts
  const { workshopProcesses, workshopMemoryMb, workshopSeconds, videoSeconds } = config
  const maxResidentBytes = workshopMemoryMb * MIB
  return createWorkshop<Kind>({
    kinds: kindsOfWork({
      longestMs: workshopSeconds * 1_000,
      videoMs: videoSeconds * 1_000 + VIDEO_GRACE_MS,
      videos: Math.max(1, Math.floor(workshopProcesses / 2)),
    }),
    queue: WORK_QUEUE,
    workers: workshopProcesses,
    kept: Math.min(workshopProcesses, KEPT_PROCESSES),
    maxResidentBytes,
    start: hasProcesses
      ? workerProcess({
          file: new URL('../creative/jobs/worker.js', import.meta.url),
          maxHeapMb: Math.floor(workshopMemoryMb * HEAP_SHARE),
          maxResidentBytes,
          env: workerEnvironment(),
        })
      : workerInProcess(async () => (await import('../creative/jobs/do-work.ts')).doWork),
    onJob: metrics.worked,
    onGone: (gone) => {
      metrics.workerGone(gone.reason)
      const { reason, said, wasReady } = gone
      if (!wasReady && reason !== 'stopped') {
        log.error({ reason, said }, 'a process of the workshop could not be started')
      } else if (LOGGED.has(reason)) {
        log.warn({ reason, said }, 'a process of the workshop was ended')
      }
    },
  })
}

/** Those that are about what was worked on; the others are everyday life. */
const LOGGED: ReadonlySet<string> = new Set(['too_long', 'too_large', 'crashed', 'died', 'starved'])

/** What a program needs to be found and to run, and nothing that is a secret. */
const PASSED_ON = ['PATH', 'LD_LIBRARY_PATH', 'SYSTEMROOT', 'TZ'] as const

function workerEnvironment(): Record<string, string> {
  const given = readEnvironment()
  const passed = PASSED_ON.flatMap((name) => {
    const value = given[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  // One job at a time: a thread to draw, and one for what it reads. Fewer arenas keep less to themselves.
  return { ...Object.fromEntries(passed), UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2' }
}
