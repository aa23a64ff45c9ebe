// What a program that embeds the server may supply, part by part, and what it receives when the server starts.

import type { Generator } from '../creative/model/generator.ts'
import type { HeldKey } from '../keys/held-keys.ts'
import type { ResolveTxt } from '../lib/txt-records.ts'
import type { DeliverySource } from '../media-buys/delivery-source.ts'
import type { AnyTask } from '../protocol/task.ts'
import type { Connector } from '../signals/connectors/connector.ts'
import type { SignalSearch } from '../signals/search/signal-search.ts'
import type { TaskEngine } from '../tasks/task-engine.ts'
import type { OwnRoutes } from '../transports/http/own-routes.ts'

/** What a program adds to the server that it embeds, or replaces in it. */
export interface Extensions {
  /** Signers of keys that are held elsewhere, such as in a KMS. Default none. */
  signers?: readonly HeldKey[]
  /** Tasks to serve in addition to the built-in ones; long-running ones are created by the engine. Default none. */
  moreTasks?: MoreTasks
  /** Connectors to platforms, by platform name, in addition to those of the settings. Default none. */
  connectors?: Readonly<Record<string, Connector>>
  /** The source of delivery figures. Default the source of the settings. */
  deliverySource?: DeliverySource
  /** Searches the catalogue of signals. Default the built-in search. */
  signalSearch?: SignalSearch
  /** Writes and draws for build_creative. Default the model server of the settings, if any. */
  generator?: Generator
  /** Routes in addition to those of the server. Default none. */
  routes?: OwnRoutes
  /** Asks DNS for TXT records. Default the name servers of the settings, or the system's. */
  resolveTxt?: ResolveTxt
}

/** Makes tasks that outlive their calls. */
export type LongTaskMaker = Pick<TaskEngine, 'longTask'>

/** Tasks of a program: a list, or a function that receives the task engine and returns them. */
export type MoreTasks = readonly AnyTask[] | ((engine: LongTaskMaker) => readonly AnyTask[])

/** What a start came to. */
export interface Started {
  /** The key that opens the demo; undefined without one. */
  demoKey: string | undefined
  /** The key that opens the sandbox; undefined when this is not a sandbox. */
  sandboxKey: string | undefined
}
