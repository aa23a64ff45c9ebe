// Queries about signals for the console, in addition to the ports of the signal agent. Read-only, each bounded.

import type { Activation } from '../signals/activation-state.ts'
import type { StoredSignal } from '../signals/catalogue.ts'

interface StateFilter {
  state: Activation['state']
  /** Only of this principal. Default any. */
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
  /** Of all principals, latest change first; those that were never started are not included. */
  activationsOf(signalId: string, limit: number): Promise<Activation[]>
  /** The same for several signals, at most `limit` for each. */
  activationsOfEach(
    signalIds: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly Activation[]>>
  /** The ids of signals that have an activation in a state, by id. */
  idsInState(filter: StateFilter): Promise<string[]>
  /** The names of the catalogue's providers, in order. */
  providers(limit: number): Promise<string[]>
  /** Which of the tasks were reported to their callers: these can be viewed. */
  reportedTasks(taskIds: readonly string[]): Promise<ReadonlySet<string>>
}
