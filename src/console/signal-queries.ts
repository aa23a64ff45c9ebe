// What the console asks of the database about signals, beside the ports of the signal agent. Reads alone, each
// bounded.

import type { Activation } from '../signals/activation-state.ts'
import type { StoredSignal } from '../signals/catalogue.ts'

interface StateFilter {
  state: Activation['state']
  /** Of this principal alone. Default of any. */
  principal_id?: string | undefined
  /** Only ids after this one: the next page. */
  after?: string | undefined
  limit: number
}

interface CatalogueFilter {
  signal_type?: string | undefined
  data_provider?: string | undefined
  /** Only ids after this one: the next page. */
  after?: string | undefined
  limit: number
}

export interface SignalQueries {
  /** Signals of the catalogue, by id. */
  catalogue(filter: CatalogueFilter): Promise<StoredSignal[]>
  /** Of all principals, the latest change first; those never begun are none. */
  activationsOf(signalId: string, limit: number): Promise<Activation[]>
  /** The same of several signals, at most `limit` of each. */
  activationsOfEach(
    signalIds: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly Activation[]>>
  /** The ids of signals that have an activation in a state, by id. */
  idsInState(filter: StateFilter): Promise<string[]>
  /** The names of the catalogue's providers, in order. */
  providers(limit: number): Promise<string[]>
  /** Those of the tasks that were reported to their callers: they can be viewed. */
  reportedTasks(taskIds: readonly string[]): Promise<ReadonlySet<string>>
}
