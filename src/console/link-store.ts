// Buyers' links as they are kept: the token and the cookies of those who opened it as hashes alone.

import type { Transaction } from '../lib/transaction.ts'
import type { LinkPart } from './api/links.ts'

/** Times are in milliseconds, by the database's clock. */
export interface LinkRecord {
  link_id: string
  /** Whose things it shows. */
  principal_id: string
  shows: LinkPart[]
  maker_id: string
  maker_name: string
  made_by: 'console' | 'api'
  created_at: number
  expires_at: number
  opens: number
  opened_at: number | undefined
  revoked_at: number | undefined
}

type NewLink = Omit<LinkRecord, 'opens' | 'opened_at' | 'revoked_at'>

export interface LinkStore {
  add(tx: Transaction, link: NewLink, tokenHash: string): Promise<void>
  /** As committed, whether it is good or not. */
  byToken(tokenHash: string): Promise<LinkRecord | undefined>
  /** The link that the browser with this cookie opened. */
  bySession(sessionHash: string): Promise<LinkRecord | undefined>
  /** Those of a principal, the newest first. */
  list(principalId: string, limit: number): Promise<LinkRecord[]>
  /** How many of a principal are good. Nobody else adds one until the transaction has ended. */
  countGood(tx: Transaction, principalId: string): Promise<number>
  /**
   * Notes that it was opened, and keeps the cookie; the oldest beyond `most` of one link ends. False when the link
   * is good no more.
   */
  open(tx: Transaction, linkId: string, sessionHash: string, most: number): Promise<boolean>
  /** False when there is none. */
  endSession(tx: Transaction, sessionHash: string): Promise<boolean>
  /** With all who opened it. False when there is none of this principal that is good. */
  revoke(tx: Transaction, key: { principal_id: string; link_id: string }): Promise<boolean>
  /** Forgets some that ended before `ended`, and cookies that are over. 0 when there are no more. */
  sweep(tx: Transaction, before: { ended: number }): Promise<number>
}
