// Stores buyers' links: the token and the cookies of those who opened it only as hashes.

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
  /** As committed, whether it is valid or not. */
  byToken(tokenHash: string): Promise<LinkRecord | undefined>
  /** The link that the browser with this cookie opened. */
  bySession(sessionHash: string): Promise<LinkRecord | undefined>
  /** The links of a principal, newest first. */
  list(principalId: string, limit: number): Promise<LinkRecord[]>
  /** The number of a principal's valid links. No other can be added until the transaction has ended. */
  countGood(tx: Transaction, principalId: string): Promise<number>
  /**
   * Records that it was opened, and stores the cookie; the oldest cookie beyond `most` of one link is deleted. False
   * when the link is no longer valid.
   */
  open(
    tx: Transaction,
    linkId: string,
    options: { sessionHash: string; most: number },
  ): Promise<boolean>
  /** False when there is none. */
  endSession(tx: Transaction, sessionHash: string): Promise<boolean>
  /** Including the sessions of everybody who opened it. False when this principal has no such valid link. */
  revoke(tx: Transaction, key: { principal_id: string; link_id: string }): Promise<boolean>
  /** Deletes some links that ended before `ended`, and expired cookies. Returns 0 when there are no more. */
  sweep(tx: Transaction, before: { ended: number }): Promise<number>
}
