// What a program that embeds the server may bring along, part by part, and what a start gives it.

import type { Generator } from '../creative/model/generator.ts'
import type { HeldKey } from '../keys/held-keys.ts'
import type { ResolveTxt } from '../lib/txt-records.ts'
import type { DeliverySource } from '../media-buys/delivery-source.ts'
import type { AnyTask } from '../protocol/task.ts'
import type { Connector } from '../signals/connectors/connector.ts'
import type { SignalSearch } from '../signals/search/signal-search.ts'
import type { TaskEngine } from '../tasks/task-engine.ts'
import type { OwnRoutes } from '../transports/http/own-routes.ts'

/** What a program adds to the server that it embeds, or puts in the place of a part of it. */
export interface Extensions {
  /** Signers of keys that are held elsewhere, such as in a KMS. Default none. */
  signers?: readonly HeldKey[]
  /** Tasks to serve beside the built-in ones; those that run long are made by the engine. Default none. */
  moreTasks?: MoreTasks
  /** Connectors to platforms, by the platform's name, beside those of the settings. Default none. */
  connectors?: Readonly<Record<string, Connector>>
  /** Where figures of delivery come from. Default that of the settings. */
  deliverySource?: DeliverySource
  /** Searches the catalogue of signals. Default the built-in search. */
  signalSearch?: SignalSearch
  /** Writes and draws for build_creative. Default the model server of the settings, if any. */
  generator?: Generator
  /** Routes beside those of the server. Default none. */
  routes?: OwnRoutes
  /** Asks DNS for TXT records. Default the name servers of the settings, or the system's. */
  resolveTxt?: ResolveTxt
}

/** Makes tasks that outlive their calls. */
export type LongTaskMaker = Pick<TaskEngine, 'longTask'>

/** Tasks of a program: a list, or what makes it of the tasks that run long. */
export type MoreTasks = readonly AnyTask[] | ((engine: LongTaskMaker) => readonly AnyTask[])

/** What a start came to. */
export interface Started {
  /** The key that opens the demo; undefined without one. */
  demoKey: string | undefined
  /** The key that opens the sandbox; undefined where this is none. */
  sandboxKey: string | undefined
}
