// What saved entries need of a database.

import type { Transaction } from '../../lib/transaction.ts'
import type { SavedEntry, SavedKind } from './entry.ts'

export type NewEntry = Omit<SavedEntry, 'id' | 'created_at' | 'updated_at'>

export interface SavedStore {
  get(kind: SavedKind, domain: string): Promise<SavedEntry | undefined>
  /** Those of these domains that there are. */
  some(kind: SavedKind, domains: readonly string[]): Promise<Map<string, SavedEntry>>
  /** Approved ones, in the order of their domains; `search` is what the domain, or a word of the name, begins with. */
  list(
    kind: SavedKind,
    page: { search: string; limit: number; offset: number },
  ): Promise<SavedEntry[]>
  /** Approved ones, by source. */
  counts(kind: SavedKind): Promise<{ hosted: number; community: number }>
  /** As get, inside a transaction: nobody changes it until that ends. */
  lock(tx: Transaction, kind: SavedKind, domain: string): Promise<SavedEntry | undefined>
  /** The oldest first. */
  pending(kind: SavedKind, limit: number): Promise<SavedEntry[]>
  countPendingOf(tx: Transaction, kind: SavedKind, organizationId: string): Promise<number>
  /** Adds it, or replaces the one there is, and returns its id. */
  put(tx: Transaction, entry: NewEntry): Promise<string>
  approve(tx: Transaction, kind: SavedKind, domain: string): Promise<void>
  remove(tx: Transaction, kind: SavedKind, domain: string): Promise<void>
}
