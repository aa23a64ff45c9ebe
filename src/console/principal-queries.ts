// Queries about principals for the console, in addition to the ports of `agent/principals.ts`. Read-only, each
// bounded.

import type { Principal, Scope } from '../agent/principals.ts'
import type { Quota } from '../protocol/quota.ts'
import type { SentHeaders } from '../webhooks/sender/store.ts'
import type { Counted } from './api/common.ts'
import type { PrincipalNames } from './format-values.ts'

export interface PrincipalFilter {
  /** A part of the name in any case, an id, or the first characters of a key. */
  sought?: string | undefined
  scope?: Scope | undefined
  isRevoked?: boolean | undefined
  after?: { created_at: number; principal_id: string } | undefined
  limit: number
}

export interface KeySummary {
  /** Keys that would be accepted. */
  good: number
  last_used_at: number | undefined
}

export interface PrincipalQueries {
  /** The newest first. */
  list(filter: PrincipalFilter): Promise<{ rows: Principal[]; hasMore: boolean }>
  names: PrincipalNames
  /** By principal; principals without a key are not included. */
  keySummaries(
    principalIds: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, KeySummary>>
  /** The id of the key that a session of the console was opened with. */
  sessionKeyId(sessionHash: string): Promise<string | undefined>
  /** How much it uses of each quota. */
  usage(principalId: string, now: number): Promise<{ quota: Quota; used: number }[]>
  /** Work that has not ended, each kind counted up to 1000. */
  underWay(
    principalId: string,
  ): Promise<Record<'open_tasks' | 'waiting_webhooks' | 'media_buys', Counted>>
  /** Attempts of the latest 200 deliveries, the newest first, that were sent with headers. */
  latestSent(): Promise<{ fired_at: number; request_headers: SentHeaders }[]>
}
