// The storage port of impairments (spec 6.3). Writers lock the buy, so that windows and fires of one buy are
// serialized.

import type { Transaction } from '../../lib/transaction.ts'
import type { FormatId } from '../../protocol/schemas/format-id.ts'
import type { PendingFire } from './coalesce.ts'
import type { ImpairmentRecord } from './impairment.ts'

/** Wakes the workers that report windows when they end. */
export const IMPAIRMENTS_TOPIC = 'impairments.due'

export interface ImpairmentFilter {
  media_buy_id?: string | undefined
  owner?: string | undefined
  /** Whether impairments that are over are listed too. Default false. */
  withCleared?: boolean | undefined
  limit: number
}

/** A fire that was reported. */
export interface FiredFire {
  fire_id: number
  media_buy_id: string
  owner: string
  notification_id: string
  fired_at: number
  /** As it was reported. */
  result: object
}

export interface DueFires {
  media_buy_ids: string[]
  /** When the next window ends, if another one is open. */
  nextDueAt: number | undefined
}

/** The members that determine whether a creative may run. */
export interface CreativeKind {
  status: string
  format_id: FormatId
}

export interface AssignedCreative extends CreativeKind {
  creative_id: string
  package_id: string
}

export interface ImpairmentStore {
  add(tx: Transaction, record: ImpairmentRecord): Promise<void>
  /** Writes one that is open. */
  save(tx: Transaction, record: ImpairmentRecord): Promise<void>
  find(tx: Transaction, impairmentId: string): Promise<ImpairmentRecord | undefined>
  /** The open impairments of a buy, the oldest first. */
  open(tx: Transaction, mediaBuyId: string): Promise<ImpairmentRecord[]>
  /** The same as committed, by buy; buys without any are omitted. */
  openOf(mediaBuyIds: readonly string[]): Promise<Map<string, ImpairmentRecord[]>>
  /** The newest first. */
  list(filter: ImpairmentFilter): Promise<ImpairmentRecord[]>
  /** The open window of a buy. */
  pending(tx: Transaction, mediaBuyId: string): Promise<PendingFire | undefined>
  putPending(
    tx: Transaction,
    buy: { media_buy_id: string; owner: string },
    fire: PendingFire,
  ): Promise<void>
  /** Stores a fire that was reported; `endsWindow`: it was the open window of the buy. */
  addFired(
    tx: Transaction,
    fired: Omit<FiredFire, 'fire_id'>,
    options: { endsWindow: boolean },
  ): Promise<void>
  /** The last fire under a notification_id. */
  lastFired(tx: Transaction, notificationId: string): Promise<FiredFire | undefined>
  /** Windows that have ended by now. */
  due(tx: Transaction, limit: number): Promise<DueFires>
  /** Deletes some fires and cleared impairments older than a time. Returns how many; 0 when there are no more. */
  trim(tx: Transaction, before: number): Promise<number>
  /** The distinct kinds of the creatives that are assigned to packages: few, however many creatives there are. */
  kindsOf(tx: Transaction, owner: string, packageIds: readonly string[]): Promise<CreativeKind[]>
  /** The creatives of packages that are of one of these kinds. */
  creativesOf(
    tx: Transaction,
    owner: string,
    among: { packageIds: readonly string[]; kinds: readonly CreativeKind[] },
  ): Promise<AssignedCreative[]>
  /** Kinds of the named creatives by id, without those that are assigned to no package. */
  kindsByCreative(
    tx: Transaction,
    owner: string,
    creativeIds: readonly string[],
  ): Promise<Map<string, CreativeKind>>
  /** The packages that these creatives are assigned to. */
  packagesOf(tx: Transaction, owner: string, creativeIds: readonly string[]): Promise<string[]>
  /** Buys of the owner with an open impairment of one of these creatives, or of any format. */
  impairedBy(tx: Transaction, owner: string, creativeIds: readonly string[]): Promise<string[]>
  /** The buys of these that have an open impairment. */
  impairedAmong(tx: Transaction, mediaBuyIds: readonly string[]): Promise<string[]>
  /** Buys that have not ended, ordered by id, starting after this one. */
  goingOn(after: string, limit: number): Promise<string[]>
}
