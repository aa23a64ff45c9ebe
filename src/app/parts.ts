// What every area of the server is built from, and what it returns.

import type { FastifyInstance } from 'fastify'
import type { WorkKind } from '../creative/jobs/works.ts'
import type { Generator } from '../creative/model/generator.ts'
import type { StillBrowser } from '../creative/stills/still-browser.ts'
import type { VideoEncoder } from '../creative/video/video-encoder.ts'
import type { HeldKey } from '../keys/held-keys.ts'
import type { Clock } from '../lib/clock.ts'
import type { ClockGuard } from '../lib/clock-guard.ts'
import type { KeyUse } from '../lib/key-use.ts'
import type { Log } from '../lib/log.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import type { ResolveTxt } from '../lib/txt-records.ts'
import type { WorkerPool } from '../lib/worker-pool/worker-pool.ts'
import type { DeliverySource } from '../media-buys/delivery-source.ts'
import type { ReleaseTable } from '../protocol/releases/release-table.ts'
import type { Connector } from '../signals/connectors/connector.ts'
import type { SignalSearch } from '../signals/search/signal-search.ts'
import type { Readiness } from '../transports/http/operation-routes.ts'
import type { Config } from './config.ts'
import type { MoreTasks } from './extensions.ts'
import type { Metrics } from './metrics.ts'
import type { Storage } from './open-storage.ts'
import type { Sandbox } from './sandbox/open-sandbox.ts'
import type { WatchedClock } from './watch-clock.ts'

export interface Parts {
  config: Config
  log: Log
  /** The clock for decisions about our own state: it does not jump when the machine's clock does. */
  clock: Clock
  /** For comparisons with other parties' clocks, such as the time of a signature. */
  wallClock: Clock
  /** Blocks irreversible actions while a clock is not trusted. */
  clockGuard: ClockGuard
  /** A background loop that deletes expired rows, subject to that guard. */
  sweep: WatchedClock['sweep']
  storage: Storage
  egress: Egress
  /** Asks DNS for TXT records. */
  resolveTxt: ResolveTxt
  /** Processes data from other parties. */
  workerPool: WorkerPool<WorkKind>
  /** Takes still pictures of previews; undefined when there is no browser. */
  stills: StillBrowser | undefined
  /** Makes videos; undefined when there is no encoder. */
  encoder: () => Promise<VideoEncoder | undefined>
  metrics: Metrics
  /** Notes which keys are used. */
  keyUse: KeyUse
  /** Signers of keys that are held elsewhere. */
  signers: readonly HeldKey[]
  /** The releases of the protocol that are served. */
  releases: ReleaseTable
  /** The operator's own tasks, in addition to the built-in ones. */
  moreTasks: MoreTasks
  /** The operator's own connectors, by platform, in addition to those of the settings. */
  connectors: Readonly<Record<string, Connector>>
  /** The source of delivery figures that replaces the one of the settings. */
  deliverySource: DeliverySource | undefined
  /** Searches the catalogue instead of the built-in search. */
  signalSearch: SignalSearch | undefined
  /** Writes and draws instead of the model server of the settings. */
  generator: Generator | undefined
  /** The sandbox of a server started with --sandbox; undefined on every other. */
  sandbox: Sandbox | undefined
  /** The URL at which others reach this server; final once it listens. */
  publicUrl: () => string
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
  /** Aborted when a stopping server no longer waits for calls in progress. */
  lastCall: AbortSignal
  /** Called with errors that no caller was waiting for. */
  onFault: (error: unknown) => void
}

export interface Area {
  routes: readonly ((app: FastifyInstance) => void)[]
  workers: readonly Worker[]
  /** What `/readyz` reports about it besides that the server is ready. Default nothing. */
  readiness?: () => Readiness
}

interface Worker {
  start(): void
  /** Resolves when none of its work is in progress any more. */
  stop(): Promise<void>
}
