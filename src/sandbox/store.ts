// What a sandbox stores about the instructions to its test controller. A note is JSON under an owner, a kind and a
// name; all instances see the same notes. Times are by the database's clock, in milliseconds.

import type { Transaction } from '../lib/transaction.ts'

/**
 * `seed`: what was seeded, by kind. `arm`: the response to the next call of a task. `delivery`: figures of a media
 * buy. `format`: the owner's own formats. `call`: outgoing calls of this server. `prefix`: how keys start.
 */
type NoteKind = 'seed' | 'arm' | 'delivery' | 'format' | 'call' | 'prefix'

export interface NoteKey {
  /** The principal. */
  owner: string
  kind: NoteKind
  name: string
}

export interface Note extends NoteKey {
  value: unknown
  noted_at: number
}

interface NoteQuery {
  owner?: string | undefined
  names?: readonly string[] | undefined
  /** Noted at this time or later. */
  since?: number | undefined
  limit: number
}

export interface SandboxStore {
  /** The current value, locked against changes by others until the transaction has ended. */
  lock(tx: Transaction, key: NoteKey): Promise<Note | undefined>
  /** Adds it, or replaces it. */
  put(tx: Transaction, key: NoteKey, value: unknown): Promise<void>
  /** Removes it, and returns it to only one of several concurrent callers. */
  take(tx: Transaction, key: NoteKey): Promise<Note | undefined>
  /** As committed, the oldest first. */
  list(kind: NoteKind, query: NoteQuery): Promise<Note[]>
  /** How many notes of a kind an owner has, and the characters of their JSON. */
  usage(tx: Transaction, owner: string, kind: NoteKind): Promise<{ count: number; chars: number }>
  /** Deletes all notes of the owner and kind but the newest. */
  trim(tx: Transaction, of: Pick<NoteKey, 'owner' | 'kind'>, keep: number): Promise<void>
}
