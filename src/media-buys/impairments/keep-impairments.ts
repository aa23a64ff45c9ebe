// The only way to raise and clear impairments (spec 6.3). The entry, the health and the change to report are
// committed with their cause; a fire is reported in the transaction that ends its window, so it is reported once
// whatever happens to the process.

import { randomUUID } from 'node:crypto'
import { createPacer } from '../../lib/pacer.ts'
import type { Transaction } from '../../lib/transaction.ts'
import { activationKeyText } from '../../protocol/schemas/deployment.ts'
import type { FormatId } from '../../protocol/schemas/format-id.ts'
import { BUY_LIMITS } from '../limits.ts'
import { livePackages, type MediaBuyRecord } from '../media-buy.ts'
import type { OwnSignals } from '../store.ts'
import {
  addChange,
  coalesced,
  fireResult,
  type ImpairmentChange,
  MAX_CHANGES,
  notificationIdOf,
  type PendingFire,
  windowMsOf,
} from './coalesce.ts'
import {
  healthOf,
  type ImpairmentRecord,
  isSame,
  type NewImpairment,
  resourceKey,
  serializeImpairment,
} from './impairment.ts'
import { isFaulty, knownFaults } from './known-faults.ts'
import { notifyChannels, type ReportPorts } from './notify-channels.ts'
import { IMPAIRMENTS_TOPIC, type ImpairmentStore } from './store.ts'

export interface ImpairmentPorts extends ReportPorts {
  impairments: ImpairmentStore
  signals: OwnSignals
  isFormatServed: (formatId: FormatId) => boolean
  /** How long general changes wait for others, in milliseconds; at most five minutes. */
  windowMs: number
}

type Buy = Pick<MediaBuyRecord, 'media_buy_id' | 'owner' | 'context'>

type Raised = NewImpairment & Pick<ImpairmentRecord, 'raised_by'>

const MOST_OPEN = BUY_LIMITS.openImpairments.value

/** The buy must be locked. An impairment that is already open on the same dependency is changed, if it differs. */
export async function raiseImpairment(
  ports: ImpairmentPorts,
  tx: Transaction,
  { buy, wanted }: { buy: Buy; wanted: Raised },
): Promise<ImpairmentRecord> {
  const open = await openOf(ports, tx, buy)
  const { record, change } = await putOpen(ports, tx, { buy, open, wanted })
  if (change) await noteChanges(ports, tx, { buy, open, changes: [change] })
  return record
}

/** Of a buy that is held. */
export async function clearImpairment(
  ports: ImpairmentPorts,
  tx: Transaction,
  { buy, record }: { buy: Buy; record: ImpairmentRecord },
): Promise<void> {
  if (record.cleared_at !== undefined) return
  const open = await openOf(ports, tx, buy)
  const change = await closeOpen(ports, tx, { open, record })
  await noteChanges(ports, tx, { buy, open, changes: [change] })
}

/** The open impairments of a buy, by dependency: cached while several are changed. */
type Open = Map<string, ImpairmentRecord>

async function openOf({ impairments }: ImpairmentPorts, tx: Transaction, buy: Buy): Promise<Open> {
  const records = await impairments.open(tx, buy.media_buy_id)
  return new Map(records.map((record) => [resourceKey(record), record]))
}

interface Noted extends Pick<ImpairmentChange, 'change' | 'at'> {
  of: ImpairmentRecord
}

async function putOpen(
  { impairments }: ImpairmentPorts,
  tx: Transaction,
  { buy, open, wanted }: { buy: Buy; open: Open; wanted: Raised },
): Promise<{ record: ImpairmentRecord; change?: Noted }> {
  const { media_buy_id, owner } = buy
  const at = await tx.now()
  const known = open.get(resourceKey(wanted))
  if (known && isSame(known, wanted)) return { record: known }
  const impairment_id = known?.impairment_id ?? randomUUID()
  const record: ImpairmentRecord = {
    ...wanted,
    impairment_id,
    media_buy_id,
    owner,
    observed_at: at,
    cleared_at: undefined,
  }
  await (known ? impairments.save(tx, record) : impairments.add(tx, record))
  open.set(resourceKey(wanted), record)
  return { record, change: { change: known ? 'changed' : 'raised', at, of: record } }
}

async function closeOpen(
  { impairments }: ImpairmentPorts,
  tx: Transaction,
  { open, record }: { open: Open; record: ImpairmentRecord },
): Promise<Noted> {
  const at = await tx.now()
  const cleared = { ...record, cleared_at: at }
  await impairments.save(tx, cleared)
  open.delete(resourceKey(record))
  return { change: 'cleared', at, of: cleared }
}

/** Adds changes to the window of their buy, or reports them immediately. */
async function noteChanges(
  ports: ImpairmentPorts,
  tx: Transaction,
  { buy, open, changes }: { buy: Buy; open: Open; changes: readonly Noted[] },
): Promise<void> {
  if (changes.length === 0) return
  if ((await ports.sender.room(buy.owner, tx)) <= 0)
    return postpone(ports, tx, { buy, changes: changes.map(newsOf) })
  // Fraud and safety changes do not wait, and do not end the window of the others.
  for (const one of changes.filter(({ of }) => of.impairment_type !== 'general')) {
    const fire = addChange(undefined, newsOf(one), { window_id: randomUUID(), windowMs: 0 })
    await report(ports, tx, { buy, fire, endsWindow: false, open })
  }
  const general = changes.filter(({ of }) => of.impairment_type === 'general')
  if (general.length === 0) return
  const { impairments } = ports
  const at = await tx.now()
  const windowMs = windowMsOf('general', ports.windowMs)
  const before = await impairments.pending(tx, buy.media_buy_id)
  let endsWindow = before !== undefined
  let fire = before
  for (const one of general) {
    fire = addChange(fire, newsOf(one), { window_id: randomUUID(), windowMs })
    if (fire.changes.length < MAX_CHANGES) continue
    await report(ports, tx, { buy, fire, endsWindow, open })
    fire = undefined
    endsWindow = false
  }
  if (!fire) return
  if (fire.due_at <= at) return report(ports, tx, { buy, fire, endsWindow, open })
  await impairments.putPending(tx, buy, fire)
  await tx.wake(IMPAIRMENTS_TOPIC)
}

/** How long due reports wait while their owner's webhook queue is full. */
const FULL_QUEUE_MS = 60_000

/** Adds changes to the window of their buy, which then ends when the queue may have room again: nothing is lost. */
async function postpone(
  { impairments }: ImpairmentPorts,
  tx: Transaction,
  { buy, changes }: { buy: Buy; changes: readonly ImpairmentChange[] },
): Promise<void> {
  const at = await tx.now()
  const before = await impairments.pending(tx, buy.media_buy_id)
  const open = before ?? { window_id: randomUUID(), opened_at: at, changes: [] }
  await impairments.putPending(tx, buy, {
    ...open,
    changes: coalesced([...open.changes, ...changes]),
    due_at: at + FULL_QUEUE_MS,
  })
}

function newsOf({ change, at, of }: Noted): ImpairmentChange {
  return { change, at, impairment: serializeImpairment(of) }
}

interface FireToReport {
  buy: Buy
  fire: PendingFire
  /** Whether it is the open window of the buy, and not a separate change. */
  endsWindow: boolean
  /** What is open now. */
  open: Open
}

async function report(
  ports: ImpairmentPorts,
  tx: Transaction,
  { buy, fire, endsWindow, open: records }: FireToReport,
): Promise<void> {
  const { impairments } = ports
  const at = await tx.now()
  const open = [...records.values()].map(serializeImpairment)
  const notification_id = notificationIdOf(fire)
  const health = healthOf(open)
  const result = fireResult(fire, open, health)
  const message =
    health === 'ok'
      ? 'nothing impairs the media buy'
      : `impairments of the media buy: ${open.length}`
  await notifyChannels(ports, tx, { buy, notification_id, at, message, result })
  const { media_buy_id, owner } = buy
  const fired = { media_buy_id, owner, notification_id, fired_at: at, result }
  await impairments.addFired(tx, fired, { endsWindow })
}

/** Reports the waiting changes now, before a buy stops sending reports. The buy must be locked. */
export async function flushImpairments(
  ports: ImpairmentPorts,
  tx: Transaction,
  buy: Buy,
): Promise<boolean> {
  const fire = await ports.impairments.pending(tx, buy.media_buy_id)
  if (!fire) return false
  const open = await openOf(ports, tx, buy)
  await report(ports, tx, { buy, fire, endsWindow: true, open })
  return true
}

/** Reports a window that has ended. The buy must be locked; false if no window has ended. */
export async function fireIfDue(
  ports: ImpairmentPorts,
  tx: Transaction,
  buy: Buy,
): Promise<boolean> {
  const fire = await ports.impairments.pending(tx, buy.media_buy_id)
  if (!fire || fire.due_at > (await tx.now())) return false
  if ((await ports.sender.room(buy.owner, tx)) <= 0) {
    await postpone(ports, tx, { buy, changes: [] })
    return false
  }
  const open = await openOf(ports, tx, buy)
  await report(ports, tx, { buy, fire, endsWindow: true, open })
  return true
}

/**
 * Reports a fire again, with its notification_id and a new idempotency_key: the original content with the current
 * state of the buy. False if there was none.
 */
export async function notifyAgain(
  ports: ImpairmentPorts,
  tx: Transaction,
  { buy, notification_id }: { buy: Buy; notification_id: string },
): Promise<boolean> {
  const { impairments } = ports
  const last = await impairments.lastFired(tx, notification_id)
  if (!last || last.media_buy_id !== buy.media_buy_id) return false
  const at = await tx.now()
  const open = (await impairments.open(tx, buy.media_buy_id)).map(serializeImpairment)
  const result = { ...last.result, health: healthOf(open), impairments: open, is_repeated: true }
  const message = 'sent again'
  await notifyChannels(ports, tx, { buy, notification_id, at, message, result })
  return true
}

/** Updates the system's impairments of a buy to those detected now. The buy must be locked. */
export async function reconcileImpairments(
  ports: ImpairmentPorts,
  tx: Transaction,
  buy: MediaBuyRecord,
): Promise<void> {
  const faults = await faultsOf(ports, tx, buy)
  const open = await openOf(ports, tx, buy)
  const wanted = new Map(faults.map((fault) => [resourceKey(fault), fault]))
  const changes: Noted[] = []
  const pacer = createPacer({ isInTransaction: true })
  for (const [key, record] of [...open]) {
    if (record.raised_by !== 'system' || wanted.has(key)) continue
    changes.push(await closeOpen(ports, tx, { open, record }))
    if (pacer.isDue()) await pacer.pause()
  }
  for (const [key, fault] of wanted) {
    const known = open.get(key)
    if (known && known.raised_by !== 'system') continue
    // Those above the limit are raised when others have been cleared.
    if (!known && open.size >= MOST_OPEN) continue
    const raised = { ...fault, raised_by: 'system' as const }
    const { change } = await putOpen(ports, tx, { buy, open, wanted: raised })
    if (change) changes.push(change)
    if (pacer.isDue()) await pacer.pause()
  }
  await noteChanges(ports, tx, { buy, open, changes })
}

/** The problems of a buy that the server itself can detect. */
async function faultsOf(
  { impairments, signals, isFormatServed }: ImpairmentPorts,
  tx: Transaction,
  buy: MediaBuyRecord,
): Promise<NewImpairment[]> {
  const { owner } = buy
  const packages = livePackages(buy)
  const keys = packages.flatMap((one) =>
    one.signals.map(({ activation_key }) => activationKeyText(activation_key)),
  )
  const ids = packages.map(({ package_id }) => package_id)
  const kinds = await impairments.kindsOf(tx, owner, ids)
  const faulty = kinds.filter((kind) => isFaulty(kind, { isFormatServed }))
  return knownFaults(buy, {
    liveKeys: keys.length === 0 ? new Set() : await signals.byKeyText(tx, owner, keys),
    creatives: await impairments.creativesOf(tx, owner, { packageIds: ids, kinds: faulty }),
    isFormatServed,
  })
}

/**
 * Reports the waiting changes, and closes the open impairments without a report: nothing is sent after the end of a
 * buy.
 */
export async function endImpairments(
  ports: ImpairmentPorts,
  tx: Transaction,
  buy: Buy,
): Promise<void> {
  // Changes waiting for room are reported later: before the last report, if one is due.
  if ((await ports.sender.room(buy.owner, tx)) > 0) await flushImpairments(ports, tx, buy)
  const cleared_at = await tx.now()
  for (const record of await ports.impairments.open(tx, buy.media_buy_id)) {
    await ports.impairments.save(tx, { ...record, cleared_at })
  }
}
