// The console's own data: who is signed in, and who did what. Every change uses the caller's transaction, so that an
// action and its entry commit together.

import type { Transaction } from '../lib/transaction.ts'
import type { Role } from './api/role-names.ts'

/** Times are in milliseconds, by the database's clock. */
export interface SessionRecord {
  /** The hash of the cookie; the cookie itself is never stored. */
  session_hash: string
  /** By which it is listed and ended. */
  session_id: string
  /** Of the key that opened it; empty for a person who signed in at the identity provider. */
  key_hash: string
  principal_id: string
  /** Where it was opened. */
  address: string | undefined
  created_at: number
  /** The last request, to the minute. */
  seen_at: number
  expires_at: number
  /** Of a session of a person; undefined for one that was opened with a key. */
  person: PersonSession | undefined
}

export interface PersonSession {
  roles: readonly Role[]
  /** What the provider issued, sealed. */
  tokens: string
  /** When the provider last confirmed the roles. */
  checked_at: number
}

/** A session in the list of all sessions. */
export interface ListedSession
  extends Pick<
    SessionRecord,
    'session_id' | 'principal_id' | 'address' | 'created_at' | 'seen_at' | 'expires_at'
  > {
  principal_name: string
  /** Undefined for a person. */
  key_id: string | undefined
  roles: readonly Role[] | undefined
}

export interface SessionStore {
  /** Adds a session, and ends the oldest of its principal beyond `most`. */
  add(tx: Transaction, session: SessionRecord, most: number): Promise<void>
  /** As committed. */
  get(sessionHash: string): Promise<SessionRecord | undefined>
  /** Notes a request. */
  touch(tx: Transaction, sessionHash: string, seenAt: number): Promise<void>
  /** Reserves the next check of a person's roles for one instance. False when another one has it. */
  claimCheck(
    tx: Transaction,
    sessionHash: string,
    claim: { checked_at: number; now: number; until: number },
  ): Promise<boolean>
  /** Stores what the provider confirmed, and ends the reservation. */
  checked(tx: Transaction, sessionHash: string, person: PersonSession): Promise<void>
  /** Sessions that are valid, the newest first. */
  list(filter: {
    now: number
    unseenSince: number
    limit: number
    after?: Pick<SessionRecord, 'created_at' | 'session_id'> | undefined
  }): Promise<ListedSession[]>
  /** False when there is none. */
  end(tx: Transaction, sessionHash: string): Promise<boolean>
  /** Ends it by its id. Returns whose it was; undefined when there is none. */
  endById(tx: Transaction, sessionId: string): Promise<string | undefined>
  /**
   * Deletes some sessions that expired before `expired`, or were not used since `unseenSince`. 0 when there are no
   * more.
   */
  sweep(tx: Transaction, before: { expired: number; unseenSince: number }): Promise<number>
}

/** Sign-ins at the identity provider that have not returned yet, and the people who did. */
export interface SignInStore {
  begin(tx: Transaction, signIn: StartedSignIn): Promise<void>
  /** Returns and deletes it: it can be used once, on one instance. */
  take(tx: Transaction, stateHash: string): Promise<StartedSignIn | undefined>
  /** The principal that stands for a person; undefined for somebody who signs in for the first time. */
  person(tx: Transaction, identity: Identity): Promise<string | undefined>
  addPerson(tx: Transaction, identity: Identity & { principal_id: string }): Promise<void>
  /** The subject that a principal stands for at its issuer. */
  identityOf(principalId: string): Promise<Identity | undefined>
  /** Deletes some that have expired. 0 when there are no more. */
  sweep(tx: Transaction, expired: number): Promise<number>
}

export interface StartedSignIn {
  state_hash: string
  /** The hash of the cookie of the browser that began it. */
  browser_hash: string
  /** The page that was requested: a path of the console. */
  return_to: string
  expires_at: number
}

export interface Identity {
  issuer: string
  subject: string
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
