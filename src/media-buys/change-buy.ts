// The only way to change a media buy: saves the changed version of the locked buy, with the next revision, a history
// entry, a notification of the observers and, if the change is not reported in a response, a webhook; all in one
// transaction.

import { createPacer } from '../lib/pacer.ts'
import type { Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { type BuyChannelPorts, notifyBuyer } from './buy-channels.ts'
import { livePackages, type MediaBuyRecord, sumOf } from './media-buy.ts'
import { type BuyEvent, dueEvent, isEnded, moveBuy, nextMoveAt } from './states.ts'
import type { HistoryEntry, MediaBuyStore, PackageCreatives } from './store.ts'

interface BuyChange {
  before: MediaBuyRecord
  after: MediaBuyRecord
  actor: HistoryEntry['actor']
}

/** Receives every change of a buy in the transaction that makes it, before the buyer is notified. */
export interface BuyObserver {
  created?(tx: Transaction, buy: MediaBuyRecord): Promise<void>
  changed?(tx: Transaction, change: BuyChange): Promise<void>
}

export interface ChangeBuyPorts extends Pick<BuyChannelPorts, 'sender'> {
  buys: MediaBuyStore
  creatives: PackageCreatives
  observers: readonly BuyObserver[]
}

interface Why {
  actor: HistoryEntry['actor']
  /** In the terms of valid_actions, or of the transition table. */
  action: string
  package_ids?: readonly string[] | undefined
  /** The request's key, to detect a repeated request. */
  idempotency_key?: string | undefined
  /** Whether the buyer is notified by webhook: not when the response to its own call reports the change. */
  isReported: boolean
  message?: string | undefined
}

export interface ChangeToSave extends Pick<BuyChange, 'before' | 'after'> {
  why: Why
}

/** Saves `after`; its revision, times and total are set here. */
export async function saveChange(
  ports: ChangeBuyPorts,
  tx: Transaction,
  { before, after, why }: ChangeToSave,
): Promise<MediaBuyRecord> {
  const now = await tx.now()
  const isMoved = after.status !== before.status
  const saved: MediaBuyRecord = {
    ...after,
    revision: before.revision + 1,
    total_budget: sumOf(livePackages(after).map(({ budget }) => budget)),
    updated_at: now,
    status_changed_at: isMoved ? now : before.status_changed_at,
    due_at: nextMoveAt(after),
  }
  const { actor, action, package_ids } = why
  const entry: HistoryEntry = {
    revision: saved.revision,
    at: now,
    actor,
    action,
    package_ids,
    status: isMoved ? saved.status : undefined,
  }
  await ports.buys.save(tx, saved, { entry, idempotencyKey: why.idempotency_key })
  for (const observer of ports.observers) {
    await observer.changed?.(tx, { before, after: saved, actor })
  }
  if (why.isReported && isMoved) await reportMove(ports, tx, { before, after: saved, why })
  return saved
}

async function reportMove(
  ports: ChangeBuyPorts,
  tx: Transaction,
  { before, after: buy, why: { actor, message } }: ChangeToSave,
): Promise<void> {
  const { status, revision, status_changed_at } = buy
  const added = await notifyBuyer(ports, tx, {
    buy,
    notification_type: 'media_buy.status_changed',
    at: status_changed_at,
    message: message ?? `the media buy is ${status}`,
    result: {
      status,
      media_buy_status: status,
      previous_status: before.status,
      revision,
      ...endingOf(buy),
    },
  })
  // The clock and the seller also change a buy whose buyer has no webhooks.
  if (added > 0 && actor === 'buyer') await ports.sender.checkRoom(buy.owner, tx)
}

/** `cancellation` or `rejection_reason`, where there is one (spec 3.4). */
export function endingOf({ status, ending }: MediaBuyRecord): object {
  if (!ending) return {}
  const { by: canceled_by, at, reason } = ending
  if (status === 'rejected') return reason === undefined ? {} : { rejection_reason: reason }
  const canceled_at = new Date(at).toISOString()
  return { cancellation: { canceled_at, canceled_by, ...(reason === undefined ? {} : { reason }) } }
}

/** The buy after one event; throws INVALID_STATE or NOT_CANCELLABLE if there is no such transition. */
export function movedBy(buy: MediaBuyRecord, event: BuyEvent): MediaBuyRecord {
  const moved = moveBuy(buy, event)
  if (moved.ok) return { ...buy, status: moved.status, is_held: moved.is_held }
  throw new ProtocolError(moved.code, moved.message, {
    field: '/media_buy_id',
    details: { media_buy_id: buy.media_buy_id, status: buy.status },
  })
}

const UNSUPPLIED = 'its flight ended before creatives were assigned'

/** Applies all transitions of a buy that are due by now, each saved and reported separately. */
export async function moveByClock(
  ports: ChangeBuyPorts,
  tx: Transaction,
  buy: MediaBuyRecord,
): Promise<MediaBuyRecord> {
  const now = await tx.now()
  let current = buy
  for (let event = dueEvent(current, now); event; event = dueEvent(current, now)) {
    const moved = movedBy(current, event)
    const isCanceled = moved.status === 'canceled'
    const ending = isCanceled ? { by: 'seller' as const, at: now, reason: UNSUPPLIED } : undefined
    const after = { ...moved, ...(ending ? { ending } : {}) }
    const why = { actor: 'clock' as const, action: event, isReported: true }
    current = await saveChange(ports, tx, { before: current, after, why })
  }
  return current
}

/** The buy after its packages may have received creatives, and by the clock; no one is notified. */
export async function settled(
  { creatives }: Pick<ChangeBuyPorts, 'creatives'>,
  tx: Transaction,
  buy: MediaBuyRecord,
): Promise<MediaBuyRecord> {
  const now = await tx.now()
  let current = buy
  if (current.status === 'pending_creatives' && (await isSupplied(creatives, tx, current))) {
    current = movedBy(current, 'supply')
  }
  for (let event = dueEvent(current, now); event; event = dueEvent(current, now)) {
    if (event === 'end') break
    current = movedBy(current, event)
  }
  return current
}

/** Every package that is not canceled has a creative that can run. */
async function isSupplied(
  creatives: PackageCreatives,
  tx: Transaction,
  buy: MediaBuyRecord,
): Promise<boolean> {
  const wanted = livePackages(buy).map(({ package_id }) => package_id)
  if (wanted.length === 0) return false
  const supplied = await creatives.supplied(tx, buy.owner, wanted)
  return wanted.every((id) => supplied.has(id))
}

/** Updates the buys of packages that were assigned creatives: those that waited for creatives continue. */
export async function creativesAssigned(
  ports: ChangeBuyPorts,
  tx: Transaction,
  { owner, packageIds }: { owner: string; packageIds: readonly string[] },
): Promise<void> {
  const waiting = { packageIds, status: 'pending_creatives' } as const
  const pacer = createPacer({ isInTransaction: true })
  for (const media_buy_id of await ports.buys.ofPackages(tx, owner, waiting)) {
    if (pacer.isDue()) await pacer.pause()
    const buy = await ports.buys.lock(tx, { media_buy_id, owner })
    if (!buy || isEnded(buy.status)) continue
    const after = await settled(ports, tx, buy)
    if (after.status === buy.status) continue
    const why = { actor: 'buyer' as const, action: 'sync_creatives', isReported: true }
    await saveChange(ports, tx, { before: buy, after, why })
  }
}
