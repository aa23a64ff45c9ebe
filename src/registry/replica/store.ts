// What following another registry needs of a database: how far it got, and the copy of what the other one holds.

import type { Transaction } from '../../lib/transaction.ts'

const REPLICA_PHASES = ['snapshot', 'sweep', 'follow'] as const

export interface Replica {
  url: string
  /** Reading the snapshot, deleting what it no longer has, or reading the feed. */
  phase: (typeof REPLICA_PHASES)[number]
  generation: number
  /** Where the snapshot continues. */
  snapshot_after: string
  /** Where the feed continues; null for its beginning. */
  cursor: string | null
  rows_read: number
  events_read: number
  in_step_at: number
  updated_at: number
}

export interface ReplicaRow {
  /** `authorization`, or what else an event is about. */
  kind: string
  id: string
  agent_url: string | null
  publisher_domain: string | null
  body: Record<string, unknown>
}

export interface RowKey {
  kind: string
  id: string
}

export interface ReplicaStore {
  list(): Promise<Replica[]>
  get(url: string): Promise<Replica | undefined>
  /** As get, inside a transaction: nobody changes it until that ends. Makes it when there is none. */
  lock(tx: Transaction, url: string): Promise<Replica>
  save(tx: Transaction, replica: Replica): Promise<void>
  put(
    tx: Transaction,
    of: Pick<Replica, 'url' | 'generation'>,
    rows: readonly ReplicaRow[],
  ): Promise<void>
  remove(tx: Transaction, url: string, keys: readonly RowKey[]): Promise<void>
  /** Deletes some authorizations of earlier generations; how many. */
  sweep(tx: Transaction, of: Pick<Replica, 'url' | 'generation'>): Promise<number>
  /** Those of the keys that there are. */
  some(tx: Transaction, url: string, keys: readonly RowKey[]): Promise<ReplicaRow[]>
  /** After a key, in the order of kind and id. */
  rows(url: string, page: { after: RowKey; limit: number }): Promise<ReplicaRow[]>
  /** Authorizations of these pairs, of all registries that are followed. */
  ofPairs(
    pairs: readonly { agent_url: string; publisher_domain: string }[],
  ): Promise<(ReplicaRow & { url: string })[]>
  forget(tx: Transaction, url: string): Promise<number>
}
