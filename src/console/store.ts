// What the console keeps of its own: who is signed in, and who did what. Every change is made in a
// transaction that the caller brings, so that an action and its entry commit together.

import type { Transaction } from '../lib/transaction.ts'

/** Times are in milliseconds, by the database's clock. */
export interface SessionRecord {
  /** Of the cookie; the cookie itself is kept nowhere. */
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
  /** Forgets some that were over before, or were not used since `unseenSince`. 0 when there are no more. */
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
}

type NewAudit = Omit<AuditRecord, 'audit_id' | 'at'>

export interface AuditStore {
  add(tx: Transaction, entry: NewAudit): Promise<void>
  /** The newest first. */
  list(filter: {
    principal_id?: string | undefined
    action?: string | undefined
    /** Older than this one: the next page. */
    before?: number | undefined
    limit: number
  }): Promise<{ rows: AuditRecord[]; hasMore: boolean }>
  /** Forgets some that are older. 0 when there are no more. */
  sweep(tx: Transaction, before: number): Promise<number>
}
