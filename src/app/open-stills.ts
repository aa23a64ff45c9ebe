// The browser of this server for still pictures, if the system has one: looked up and logged at startup, and launched
// when the first picture is requested.

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { MAX_STILL_MS } from '../creative/limits.ts'
import {
  createStillBrowser,
  STILL_QUEUE,
  STILL_WORK,
  type StillBrowser,
} from '../creative/stills/still-browser.ts'
import { browserWorker } from '../lib/browser/browser-worker.ts'
import { findConfinement } from '../lib/browser/confinement.ts'
import type { Log } from '../lib/log.ts'
import type { StartWorker } from '../lib/worker-pool/worker.ts'
import { createWorkerPool } from '../lib/worker-pool/worker-pool.ts'
import type { Config } from './config.ts'
import { readEnvironment } from './env.ts'
import type { Metrics } from './metrics.ts'

export interface StillParts {
  config: Pick<Config, 'chromium' | 'chromiumProcesses' | 'chromiumMemoryMb'>
  log: Log
  /** Where to log what was found at startup. Default: `log`. */
  found?: Pick<Log, 'info'>
  metrics: Pick<Metrics, 'worked' | 'workerGone'>
  /** How long one picture may take, in milliseconds. Default 10 000. */
  maxStillMs?: number
}

export interface OpenStills {
  browser: StillBrowser
  /** Ends the browsers. */
  close(): Promise<void>
}

const MIB = 1_024 * 1_024
/** A browser holds hundreds of MiB, and starts within seconds. */
const MAX_IDLE_MS = 5 * 60 * 1_000
/** The share of a browser's memory for scripts of a page; the rest is for pictures and the browser itself. */
const HEAP_SHARE = 0.25
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const

/** Undefined when there is none. Throws when the settings name one that cannot be run. */
export function openStills({
  config,
  log,
  found = log,
  metrics,
  maxStillMs = MAX_STILL_MS,
}: StillParts): OpenStills | undefined {
  const { chromiumProcesses, chromiumMemoryMb } = config
  const searchPath = readEnvironment().PATH ?? ''
  const path = findChromium(config.chromium, searchPath)
  if (path === undefined) {
    if (config.chromium !== 'none')
      found.info('no Chromium: no still pictures of previews are taken')
    return undefined
  }
  found.info({ chromium: path }, 'still pictures of previews are taken')
  const workerPool = createWorkerPool({
    kinds: { still: { ...STILL_WORK.still, timeLimitMs: maxStillMs } },
    queue: STILL_QUEUE,
    workers: chromiumProcesses,
    maxResidentBytes: chromiumMemoryMb * MIB,
    maxIdleMs: MAX_IDLE_MS,
    start: startBrowser(path, {
      searchPath,
      maxHeapMb: Math.floor(chromiumMemoryMb * HEAP_SHARE),
      log,
    }),
    onJob: metrics.worked,
    onGone: ({ reason, said, wasReady }) => {
      metrics.workerGone(reason)
      if (!wasReady && reason !== 'stopped') {
        log.error({ reason, said }, 'the browser for still pictures could not be started')
      } else if (LOGGED.has(reason)) {
        log.warn({ reason, said }, 'the browser for still pictures was ended')
      }
    },
  })
  return { browser: createStillBrowser(workerPool, chromiumProcesses), close: workerPool.close }
}

const LOGGED: ReadonlySet<string> = new Set(['too_long', 'too_large', 'crashed', 'died', 'starved'])

/** The system's isolation features are detected when the first browser starts: most servers never need one. */
function startBrowser(
  path: string,
  { searchPath, maxHeapMb, log }: { searchPath: string; maxHeapMb: number; log: Log },
): StartWorker {
  let start: StartWorker | undefined
  return (events) => {
    if (!start) {
      const confinement = findConfinement({ isRoot: process.getuid?.() === 0, searchPath })
      const { before, hasSandbox } = confinement
      const reported = { hasNetworkNamespace: before.length > 0, hasSandbox }
      if (hasSandbox) log.info(reported, 'the browser for still pictures is started')
      else
        log.warn(
          reported,
          'the browser for still pictures runs without a sandbox: not as root it has one',
        )
      start = browserWorker({ path, confinement, searchPath, maxHeapMb })
    }
    return start(events)
  }
}

/** @internal */
export function findChromium(given: string | undefined, searchPath: string): string | undefined {
  if (given === 'none') return undefined
  if (given !== undefined) {
    if (isProgram(given)) return given
    throw new Error(`ADWIRE_CHROMIUM: ${given} is no program that can be run`)
  }
  // Ending a browser with all its processes needs process groups.
  if (process.platform === 'win32') return undefined
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '')
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return places.find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
