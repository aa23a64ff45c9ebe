// What every area of the server is wired from, and what it hands back.

import type { FastifyInstance } from 'fastify'
import type { Kind } from '../creative/jobs/works.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import type { Workshop } from '../lib/workshop/workshop.ts'
import type { AnyTask } from '../protocol/task.ts'
import type { Connector } from '../signals/connectors/connector.ts'
import type { SignalSearch } from '../signals/matching/search.ts'
import type { Signer } from '../signing/ports.ts'
import type { Config } from './config.ts'
import type { Metrics } from './metrics.ts'
import type { Storage } from './open-storage.ts'

export interface Parts {
  config: Config
  log: Log
  clock: Clock
  storage: Storage
  egress: Egress
  /** Where work on what others wrote is done. */
  workshop: Workshop<Kind>
  metrics: Metrics
  /** Signers of keys that are held elsewhere, by their kid. */
  externalSigners: Readonly<Record<string, Signer>>
  /** Tasks of the operator's own, beside the built-in ones. */
  moreTasks: readonly AnyTask[]
  /** Connectors of the operator's own, by platform, beside those of the settings. */
  connectors: Readonly<Record<string, Connector>>
  /** Searches the catalogue in place of the built-in search. */
  signalSearch: SignalSearch | undefined
  /** Where others reach this server; sure once it listens. */
  publicUrl: () => string
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
  /** Hears of what went wrong where nobody was waiting. */
  onFault: (error: unknown) => void
}

export interface Area {
  routes: readonly ((app: FastifyInstance) => void)[]
  workers: readonly Worker[]
}

export interface Worker {
  start(): void
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>
}
