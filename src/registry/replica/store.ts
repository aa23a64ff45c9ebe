// What following another registry needs from a database: the position reached, and the copy of the other registry's
// data.

import type { Transaction } from '../../lib/transaction.ts'

const REPLICA_PHASES = ['snapshot', 'sweep', 'follow'] as const

export interface Replica {
  url: string
  /** Reading the snapshot, deleting entries that are no longer in it, or reading the feed. */
  phase: (typeof REPLICA_PHASES)[number]
  generation: number
  /** Where the snapshot continues. */
  snapshot_after: string
  /** Where the feed continues; null to start at its beginning. */
  cursor: string | null
  rows_read: number
  events_read: number
  in_step_at: number
  updated_at: number
}

export interface ReplicaRow {
  /** `authorization`, or another subject of an event. */
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
  /**
   * Like get, inside a transaction: nobody else changes it until the transaction ends. Creates it if it does not
   * exist.
   */
  lock(tx: Transaction, url: string): Promise<Replica>
  save(tx: Transaction, replica: Replica): Promise<void>
  put(
    tx: Transaction,
    of: Pick<Replica, 'url' | 'generation'>,
    rows: readonly ReplicaRow[],
  ): Promise<void>
  remove(tx: Transaction, url: string, keys: readonly RowKey[]): Promise<void>
  /** Deletes some authorizations of earlier generations; returns how many. */
  sweep(tx: Transaction, of: Pick<Replica, 'url' | 'generation'>): Promise<number>
  /** Those of the keys that there are. */
  some(tx: Transaction, url: string, keys: readonly RowKey[]): Promise<ReplicaRow[]>
  /** After a key, ordered by kind and id. */
  rows(url: string, page: { after: RowKey; limit: number }): Promise<ReplicaRow[]>
  /** Authorizations of these pairs, from all registries that are followed. */
  ofPairs(
    pairs: readonly { agent_url: string; publisher_domain: string }[],
  ): Promise<(ReplicaRow & { url: string })[]>
  forget(tx: Transaction, url: string): Promise<number>
}
