// The console's own data: who is signed in, and who did what. Every change uses the caller's transaction, so that an
// action and its entry commit together.

import type { Transaction } from '../lib/transaction.ts'

/** Times are in milliseconds, by the database's clock. */
export interface SessionRecord {
  /** The hash of the cookie; the cookie itself is never stored. */
  session_hash: string
  /** Of the key that opened it. */
  key_hash: string
  principal_id: string
  created_at: number
  /** The last request, to the minute. */
  seen_at: number
  expires_at: number
}

export interface SessionStore {
  /** Adds a session, and ends the oldest of its principal beyond `most`. */
  add(tx: Transaction, session: SessionRecord, most: number): Promise<void>
  /** As committed. */
  get(sessionHash: string): Promise<SessionRecord | undefined>
  /** Notes a request. */
  touch(tx: Transaction, sessionHash: string, seenAt: number): Promise<void>
  /** False when there is none. */
  end(tx: Transaction, sessionHash: string): Promise<boolean>
  /**
   * Deletes some sessions that expired before `expired`, or were not used since `unseenSince`. 0 when there are no
   * more.
   */
  sweep(tx: Transaction, before: { expired: number; unseenSince: number }): Promise<number>
}

export interface AuditRecord {
  audit_id: number
  at: number
  principal_id: string
  principal_name: string
  action: string
  target: string | undefined
  outcome: 'done' | 'refused'
  detail: string | undefined
  /** Where it came from, as far as it was recorded. */
  address: string | undefined
  /** The key that was used, as far as it was recorded. */
  key_id: string | undefined
  /** The number of attempts of the same kind that this entry represents. */
  attempts: number
  /** The last of them; undefined while there is only one. */
  last_at: number | undefined
}

/** Used as the principal when it is not known who it was. */
export const UNKNOWN_PRINCIPAL = 'unknown'

type NewAudit = Omit<
  AuditRecord,
  'audit_id' | 'at' | 'address' | 'key_id' | 'attempts' | 'last_at'
> & { address?: string | undefined; key_id?: string | undefined; attempts?: number }

export interface AuditStore {
  /** Returns its id. */
  add(tx: Transaction, entry: NewAudit): Promise<number>
  /** Counts further attempts of the same kind. */
  addAttempts(tx: Transaction, auditId: number, attempts: number): Promise<void>
  /** The newest first. */
  list(filter: {
    principal_id?: string | undefined
    action?: string | undefined
    outcome?: AuditRecord['outcome'] | undefined
    address?: string | undefined
    /** Entries older than this one: the next page. */
    before?: number | undefined
    limit: number
  }): Promise<{ rows: AuditRecord[]; hasMore: boolean }>
  /** Deletes some entries that are older. 0 when there are no more. */
  sweep(tx: Transaction, before: number): Promise<number>
  /** Deletes some of the oldest entries of unknown callers, when there are more than `most`. 0 when there are not. */
  sweepUnknown(tx: Transaction, most: number): Promise<number>
}
