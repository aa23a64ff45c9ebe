// The one way to raise and clear impairments (spec 6.3). Entry, health and the change that is to be told commit
// with what caused them; a fire is told in the transaction that ends its window, so it is told once whatever
// happens to the process.

import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../lib/transaction.ts'
import { activationKeyText } from '../../protocol/schemas/deployment.ts'
import type { FormatId } from '../../protocol/schemas/format-id.ts'
import { livePackages, type MediaBuyRecord } from '../media-buy.ts'
import type { OwnSignals } from '../store.ts'
import {
  addChange,
  fireResult,
  type ImpairmentChange,
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
  shownImpairment,
} from './impairment.ts'
import { knownFaults } from './known-faults.ts'
import { IMPAIRMENTS_TOPIC, type ImpairmentStore } from './store.ts'
import { type TellPorts, tellChannels } from './tell-channels.ts'

export interface ImpairmentPorts extends TellPorts {
  impairments: ImpairmentStore
  signals: OwnSignals
  isFormatServed: (formatId: FormatId) => boolean
  /** How long general changes wait for others, in milliseconds; at most five minutes. */
  windowMs: number
}

type Buy = Pick<MediaBuyRecord, 'media_buy_id' | 'owner' | 'context'>

/** Of a buy that is held. What is open on the same dependency already is changed, if it is another. */
export async function raiseImpairment(
  ports: ImpairmentPorts,
  tx: Transaction,
  buy: Buy,
  { raised_by, ...wanted }: NewImpairment & Pick<ImpairmentRecord, 'raised_by'>,
): Promise<ImpairmentRecord> {
  const { impairments } = ports
  const { media_buy_id, owner } = buy
  const at = await tx.now()
  const open = await impairments.open(tx, media_buy_id)
  const known = open.find((one) => resourceKey(one) === resourceKey(wanted))
  if (known && isSame(known, wanted)) return known
  const impairment_id = known?.impairment_id ?? randomUUID()
  const record: ImpairmentRecord = {
    ...wanted,
    ...{ impairment_id, media_buy_id, owner, raised_by, observed_at: at, cleared_at: undefined },
  }
  await (known ? impairments.save(tx, record) : impairments.add(tx, record))
  await noteChange(ports, tx, buy, { change: known ? 'changed' : 'raised', at, of: record })
  return record
}

/** Of a buy that is held. */
export async function clearImpairment(
  ports: ImpairmentPorts,
  tx: Transaction,
  buy: Buy,
  record: ImpairmentRecord,
): Promise<void> {
  if (record.cleared_at !== undefined) return
  const at = await tx.now()
  const cleared = { ...record, cleared_at: at }
  await ports.impairments.save(tx, cleared)
  await noteChange(ports, tx, buy, { change: 'cleared', at, of: cleared })
}

interface Noted extends Pick<ImpairmentChange, 'change' | 'at'> {
  of: ImpairmentRecord
}

/** Puts a change in the window of its buy, or tells it at once. */
async function noteChange(
  ports: ImpairmentPorts,
  tx: Transaction,
  buy: Buy,
  { change, at, of }: Noted,
): Promise<void> {
  const { impairments } = ports
  const news: ImpairmentChange = { change, at, impairment: shownImpairment(of) }
  const windowMs = windowMsOf(of.impairment_type, ports.windowMs)
  const window_id = randomUUID()
  // Fraud and safety wait for nothing, and do not end the window of the others.
  const pending =
    of.impairment_type === 'general' ? await impairments.pending(tx, buy.media_buy_id) : undefined
  const fire = addChange(pending, news, { window_id, windowMs })
  if (fire.due_at <= at) return tell(ports, tx, buy, { fire, endsWindow: pending !== undefined })
  await impairments.putPending(tx, buy, fire)
  await tx.wake(IMPAIRMENTS_TOPIC)
}

interface Telling {
  fire: PendingFire
  /** Whether it is the open window of the buy, and not a change beside it. */
  endsWindow: boolean
}

async function tell(
  ports: ImpairmentPorts,
  tx: Transaction,
  buy: Buy,
  { fire, endsWindow }: Telling,
): Promise<void> {
  const { impairments } = ports
  const at = await tx.now()
  const open = (await impairments.open(tx, buy.media_buy_id)).map(shownImpairment)
  const notification_id = notificationIdOf(fire)
  const health = healthOf(open)
  const result = fireResult(fire, open, health)
  const message =
    health === 'ok'
      ? 'nothing impairs the media buy'
      : `impairments of the media buy: ${open.length}`
  await tellChannels(ports, tx, buy, { notification_id, at, message, result })
  const { media_buy_id, owner } = buy
  const fired = { media_buy_id, owner, notification_id, fired_at: at, result }
  await impairments.addFired(tx, fired, { endsWindow })
}

/** Tells what waits, now: before a buy falls silent. The buy is held. */
export async function flushImpairments(
  ports: ImpairmentPorts,
  tx: Transaction,
  buy: Buy,
): Promise<boolean> {
  const fire = await ports.impairments.pending(tx, buy.media_buy_id)
  if (fire) await tell(ports, tx, buy, { fire, endsWindow: true })
  return fire !== undefined
}

/** Tells a window that has ended. The buy is held; false when there is none that has. */
export async function fireIfDue(
  ports: ImpairmentPorts,
  tx: Transaction,
  buy: Buy,
): Promise<boolean> {
  const fire = await ports.impairments.pending(tx, buy.media_buy_id)
  if (!fire || fire.due_at > (await tx.now())) return false
  await tell(ports, tx, buy, { fire, endsWindow: true })
  return true
}

/**
 * Tells a fire again, under its notification_id and a new idempotency_key: what it said, with how the buy stands
 * now. False when there was none.
 */
export async function tellAgain(
  ports: ImpairmentPorts,
  tx: Transaction,
  buy: Buy,
  notification_id: string,
): Promise<boolean> {
  const { impairments } = ports
  const last = await impairments.lastFired(tx, notification_id)
  if (!last || last.media_buy_id !== buy.media_buy_id) return false
  const at = await tx.now()
  const open = (await impairments.open(tx, buy.media_buy_id)).map(shownImpairment)
  const result = { ...last.result, health: healthOf(open), impairments: open, is_repeated: true }
  const message = 'told again'
  await tellChannels(ports, tx, buy, { notification_id, at, message, result })
  return true
}

/** Makes the system's impairments of a buy those that it knows of now. The buy is held. */
export async function reconcileImpairments(
  ports: ImpairmentPorts,
  tx: Transaction,
  buy: MediaBuyRecord,
): Promise<void> {
  const { impairments, signals, isFormatServed } = ports
  const { owner, media_buy_id } = buy
  const packages = livePackages(buy)
  const keys = packages.flatMap((one) =>
    one.signals.map(({ activation_key }) => activationKeyText(activation_key)),
  )
  const ids = packages.map(({ package_id }) => package_id)
  const faults = knownFaults(buy, {
    liveKeys: keys.length === 0 ? new Set() : await signals.byKeyText(tx, owner, keys),
    creatives: await impairments.creativesOf(tx, owner, ids),
    isFormatServed,
  })
  const wanted = new Map(faults.map((fault) => [resourceKey(fault), fault]))
  for (const record of await impairments.open(tx, media_buy_id)) {
    const fault = wanted.get(resourceKey(record))
    wanted.delete(resourceKey(record))
    if (record.raised_by !== 'system') continue
    if (!fault) await clearImpairment(ports, tx, buy, record)
    else await raiseImpairment(ports, tx, buy, { ...fault, raised_by: 'system' })
  }
  for (const fault of wanted.values()) {
    await raiseImpairment(ports, tx, buy, { ...fault, raised_by: 'system' })
  }
}

/** Tells what waits, and closes what is open without another word: nothing follows the end of a buy. */
export async function endImpairments(
  ports: ImpairmentPorts,
  tx: Transaction,
  buy: Buy,
): Promise<void> {
  await flushImpairments(ports, tx, buy)
  const cleared_at = await tx.now()
  for (const record of await ports.impairments.open(tx, buy.media_buy_id)) {
    await ports.impairments.save(tx, { ...record, cleared_at })
  }
}
