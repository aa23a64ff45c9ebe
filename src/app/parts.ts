// What every area of the server is wired from, and what it hands back.

import type { FastifyInstance } from 'fastify'
import type { Kind } from '../creative/jobs/works.ts'
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
  /** The time for decisions about our own state: it does not jump with the machine's. */
  clock: Clock
  /** For what is compared with the clocks of others, such as the time of a signature. */
  wallClock: Clock
  /** Keeps what cannot be undone from being done while a clock is not trusted. */
  clockGuard: ClockGuard
  /** A background loop that deletes what is over, by that guard. */
  sweep: WatchedClock['sweep']
  storage: Storage
  egress: Egress
  /** Asks DNS for TXT records. */
  resolveTxt: ResolveTxt
  /** Where work on what others wrote is done. */
  workerPool: WorkerPool<Kind>
  /** Takes still pictures of previews; undefined where there is no browser. */
  stills: StillBrowser | undefined
  /** Makes videos; undefined where there is none. */
  encoder: () => Promise<VideoEncoder | undefined>
  metrics: Metrics
  /** Notes which keys are used. */
  keyUse: KeyUse
  /** Signers of keys that are held elsewhere. */
  signers: readonly HeldKey[]
  /** The releases of the protocol that are served. */
  releases: ReleaseTable
  /** Tasks of the operator's own, beside the built-in ones. */
  moreTasks: MoreTasks
  /** Connectors of the operator's own, by platform, beside those of the settings. */
  connectors: Readonly<Record<string, Connector>>
  /** Figures of delivery in place of the source of the settings. */
  deliverySource: DeliverySource | undefined
  /** Searches the catalogue in place of the built-in search. */
  signalSearch: SignalSearch | undefined
  /** Writes and draws in place of the model server of the settings. */
  generator: Generator | undefined
  /** What a server started with --sandbox has; undefined on every other. */
  sandbox: Sandbox | undefined
  /** Where others reach this server; sure once it listens. */
  publicUrl: () => string
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
  /** Aborted when a stop waits no longer for calls under way. */
  lastCall: AbortSignal
  /** Hears of what went wrong where nobody was waiting. */
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
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>
}
