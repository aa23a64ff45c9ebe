// What the signal agent needs from a database (spec 2.6): the catalogue in the order of its changes, and the vectors
// that the sentence model created for it. Writes take the transaction they belong to; reads see committed data.

import type { Transaction } from '../lib/transaction.ts'
import type { CatalogueSignal, StoredSignal } from './catalogue.ts'

/** Notified of every change of the catalogue. */
export const SIGNALS_TOPIC = 'signals'

/** How long a removal stays in the list of changes. */
export const REMOVAL_RETENTION_MS = 7 * 24 * 60 * 60 * 1_000

export type PutOutcome = 'added' | 'changed' | 'unchanged'

export interface SignalStore {
  /** Adds or changes signals; equal content changes nothing. Returns results in order. */
  put(tx: Transaction, signals: readonly CatalogueSignal[]): Promise<PutOutcome[]>
  /** Returns how many of them there were. */
  remove(tx: Transaction, ids: readonly string[]): Promise<number>
  get(ids: readonly string[]): Promise<Map<string, StoredSignal>>
  /** Changes after a position in the list of changes, the earliest first, at most `limit`. */
  changes(after: number, limit: number): Promise<ChangePage>
  /** Signals by id, those after `after`: the whole catalogue in pages. */
  page(after: string | undefined, limit: number): Promise<StoredSignal[]>
  /** As `page`, the ids alone. */
  ids(after: string | undefined, limit: number): Promise<string[]>
  /**
   * The domains of the providers of all public signals, among the `limit` signals after `after`, by id; `next` is
   * where to continue.
   */
  providerDomains(
    after: string | undefined,
    limit: number,
  ): Promise<{ domains: readonly string[]; next: string | undefined }>
  /** The position of the latest change: cheap, read at every search. Never decreases. */
  latest(): Promise<number>
  /** Cheap at any size. */
  count(): Promise<number>
  /** Reads the whole catalogue. */
  stats(): Promise<CatalogueStats>
  /** Deletes removals older than a time, some of them at a time; returns how many. */
  forgetRemovals(tx: Transaction, before: number): Promise<number>
}

export interface ChangePage {
  changes: readonly SignalChange[]
  /** Where to continue: all changes up to here have been returned. */
  last: number
  more: boolean
  /**
   * Present when removals after that position are no longer stored: there are no changes in the page, and the reader
   * discards its copy and starts again after 0, which is never refused.
   */
  isExpired?: true
}

export interface SignalChange {
  id: string
  /** Its position: unique, and a reader that has seen it has seen all changes before it. */
  seq: number
  /** Absent when it was removed. */
  stored?: StoredSignal
}

export interface CatalogueStats {
  signals: number
  by_type: Readonly<Record<string, number>>
  data_providers: number
  latest: number
  /** In milliseconds; absent if there is no signal. */
  changed_at?: number
}

/** Vectors of the sentence model, by digest of their text; shared by all instances. */
export interface SignalVectorStore {
  get(model: string, digests: readonly string[]): Promise<Map<string, Uint8Array>>
  put(tx: Transaction, model: string, vectors: readonly SignalVector[]): Promise<void>
  /**
   * Texts of the catalogue that have no vector yet, claimed for `leaseMs` so that instances share the work. A claim
   * ends when its vector is stored, or when its lease expires: then it was lost, and the text is returned alone.
   */
  claimMissing(
    tx: Transaction,
    model: string,
    options: { limit: number; leaseMs: number },
  ): Promise<ClaimedText[]>
  /** Gives claims back as if they had never been made. */
  release(tx: Transaction, model: string, digests: readonly string[]): Promise<void>
  counts(model: string): Promise<VectorCounts>
  /** The models that have vectors. */
  models(): Promise<string[]>
  /** Deletes vectors that no signal uses any more, some at a time: none are left when it returns 0. */
  sweep(tx: Transaction): Promise<number>
}

export interface SignalVector {
  digest: string
  vector: Uint8Array
}

export interface SignalText {
  digest: string
  text: string
}

export interface ClaimedText extends SignalText {
  /** Number of consecutive claims that were never ended, including this one: their processes died. */
  lost: number
}

/** Cheap at any size. Signals with the same words share a vector, so `vectors` may stay lower. */
export interface VectorCounts {
  signals: number
  vectors: number
  /** Whether every signal has its vector. */
  isWhole: boolean
}
