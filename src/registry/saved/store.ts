// What saved entries need from a database.

import type { Transaction } from '../../lib/transaction.ts'
import type { SavedEntry, SavedKind } from './entry.ts'

export type NewEntry = Omit<SavedEntry, 'id' | 'created_at' | 'updated_at'>

export interface SavedStore {
  get(kind: SavedKind, domain: string): Promise<SavedEntry | undefined>
  /** The domains in this list that have an entry. */
  some(kind: SavedKind, domains: readonly string[]): Promise<Map<string, SavedEntry>>
  /** Approved ones, ordered by domain; `search` matches the beginning of the domain or of a word of the name. */
  list(
    kind: SavedKind,
    page: { search: string; limit: number; offset: number },
  ): Promise<SavedEntry[]>
  /** Approved ones, by source. */
  counts(kind: SavedKind): Promise<{ hosted: number; community: number }>
  /** Like get, inside a transaction: nobody else changes it until the transaction ends. */
  lock(tx: Transaction, kind: SavedKind, domain: string): Promise<SavedEntry | undefined>
  /** The oldest first. */
  pending(kind: SavedKind, limit: number): Promise<SavedEntry[]>
  countPendingOf(tx: Transaction, kind: SavedKind, organizationId: string): Promise<number>
  /** The organisation that has proved that the domain is its own; null if none has. */
  ownerOf(tx: Transaction, domain: string): Promise<string | null>
  /** Takes the place of an earlier owner. */
  setOwner(
    tx: Transaction,
    owner: { domain: string; organizationId: string; proved_by: string },
  ): Promise<void>
  /** Adds it, or replaces the existing one, and returns its id. */
  put(tx: Transaction, entry: NewEntry): Promise<string>
  approve(tx: Transaction, kind: SavedKind, domain: string): Promise<void>
  remove(tx: Transaction, kind: SavedKind, domain: string): Promise<void>
}
