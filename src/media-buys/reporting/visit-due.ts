// One round of reporting: claims the due buys, queries the source, and commits windows, reports and deliveries of a
// group of them together. A process that dies meanwhile has not changed the remaining buys; they become due again
// when the lease expires.

import { groupsOf, mapPaced } from '../../lib/chunks.ts'
import type { Transact, Transaction } from '../../lib/transaction.ts'
import type { Emitter } from '../../webhooks/sender/emit.ts'
import { subjectOfReports } from '../buy-channels.ts'
import type { DeliverySource } from '../delivery-source.ts'
import type { MediaBuyRecord } from '../media-buy.ts'
import { askSource } from './ask-source.ts'
import {
  isFinalDue,
  mostOpened,
  newWindows,
  type Outcome,
  planFinal,
  planVisit,
  readDelivery,
} from './plan-visit.ts'
import { reportEvent } from './report-event.ts'
import type { ReportStore, ReportWindow, StreamVisit, VisitSize } from './report-store.ts'
import type { ReportRules } from './rules.ts'

export interface VisitPorts {
  transact: Transact
  reports: ReportStore
  source: DeliverySource
  sender: Pick<Emitter, 'emitAll' | 'room'>
  rules: ReportRules
  /** What must be reported about a buy before its last report, in that report's transaction. Default nothing. */
  beforeFinal?: ((tx: Transaction, buy: MediaBuyRecord) => Promise<void>) | undefined
  /** Called when streams wait because their owner has too many webhooks queued. */
  onWaiting?: ((waiting: { owner: string; streams: number }) => void) | undefined
  /** Called for each report after it is committed. */
  onReport?: ((notification_type: string) => void) | undefined
  onFault: (error: unknown) => void
}

/** The lease of claims: longer than a round takes. */
export const VISIT_LEASE_MS = 60_000
/** Maximum wait for the source in one round. */
const SOURCE_MS = 30_000
/** Until then a round starts further buys; the rest is released. */
const ROUND_MS = 45_000
/** Concurrent queries to the source in one round. */
const QUESTIONS = 16
/**
 * Windows × packages of the buys that are visited and committed together, or of a single buy; also the limit for
 * newly opened windows.
 */
const CELLS = 10_000

/** Processes claimed streams: a few at a time, so that no transaction and no turn of the event loop is long. */
export async function visitStreams(
  ports: VisitPorts,
  mediaBuyIds: readonly string[],
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<void> {
  const began = performance.now()
  const spent = () => performance.now() - began
  const sizes = await ports.reports.sizes(mediaBuyIds)
  const cellsOf = (id: string) => {
    const { packages = 1, windows = 1 } = sizes.get(id) ?? {}
    return Math.max(1, packages) * (windows + 1)
  }
  const { ready, room } = await withRoom(ports, mediaBuyIds, { sizes, now })
  const groups = groupsOf(ready, cellsOf, CELLS)
  for (const [index, group] of groups.entries()) {
    if (spent() > ROUND_MS || signal.aborted) {
      const rest = groups.slice(index).flat()
      return ports.transact((tx) => ports.reports.giveBack(tx, rest, now))
    }
    const timeoutMs = Math.max(1_000, SOURCE_MS - spent())
    await visitGroup(ports, group, { now, signal, timeoutMs, room })
  }
}

/** How long streams wait while their owner's webhook queue is full. */
const FULL_QUEUE_MS = 60_000

/** The streams that may send reports; the others are postponed, and their reports stay pending. */
async function withRoom(
  { sender, reports, transact, onWaiting }: VisitPorts,
  mediaBuyIds: readonly string[],
  { sizes, now }: { sizes: ReadonlyMap<string, VisitSize>; now: number },
): Promise<{ ready: string[]; room: Map<string, number> }> {
  const room = new Map<string, number>()
  const waiting = new Map<string, string[]>()
  const ready: string[] = []
  for (const id of mediaBuyIds) {
    const { owner = '' } = sizes.get(id) ?? {}
    const left = room.get(owner) ?? (await sender.room(owner))
    room.set(owner, left)
    if (left > 0) ready.push(id)
    else waiting.set(owner, [...(waiting.get(owner) ?? []), id])
  }
  for (const [owner, ids] of waiting) {
    await transact((tx) => reports.giveBack(tx, ids, now + FULL_QUEUE_MS))
    onWaiting?.({ owner, streams: ids.length })
  }
  return { ready, room }
}

interface GroupOptions {
  now: number
  signal: AbortSignal
  timeoutMs: number
  /** How many more deliveries each owner may have queued. */
  room: Map<string, number>
}

async function visitGroup(
  ports: VisitPorts,
  mediaBuyIds: readonly string[],
  { now, signal, timeoutMs, room }: GroupOptions,
): Promise<void> {
  const { source, reports, transact, onFault, rules } = ports
  const visits = await reports.visits(mediaBuyIds)
  let left = CELLS
  const requested = visits.map((visit) => {
    const { owner, packages } = visit.buy
    const rest = room.get(owner) ?? Number.POSITIVE_INFINITY
    const most = Math.min(mostOpened(packages.length, left), Math.max(1, rest))
    const opened = newWindows(visit, now, most)
    left = Math.max(0, left - opened.length * packages.length)
    room.set(owner, rest - opened.length)
    return { visit, opened }
  })
  const answers = await askSource(
    source,
    requested.map(({ visit, opened }) => ({
      buy: visit.buy,
      now,
      windows: [...visit.windows, ...opened].map(({ start, end }) => ({ start, end })),
    })),
    { timeoutMs, concurrency: QUESTIONS, signal, onFault },
  )
  const planned: Planned[] = []
  for (const [index, { visit, opened }] of requested.entries()) {
    const read = await mapPaced(answers[index] ?? [], (one) => readDelivery(visit.buy, one))
    planned.push({ visit, outcome: planVisit({ visit, opened, answers: read, now, rules }) })
  }
  const reported = await transact((tx) => commit(ports, tx, { planned, now }))
  for (const notificationType of reported) ports.onReport?.(notificationType)
}

interface Planned {
  visit: StreamVisit
  outcome: Outcome
}

async function commit(
  { reports, sender, beforeFinal }: VisitPorts,
  tx: Transaction,
  { planned, now }: { planned: readonly Planned[]; now: number },
): Promise<string[]> {
  const held = await reports.hold(
    tx,
    planned.map(({ visit }) => visit.stream),
  )
  const whole: Planned[] = []
  for (const one of planned) {
    if (!held.has(one.visit.stream.media_buy_id)) continue
    whole.push(await withFinal(one, now, (buy) => beforeFinal?.(tx, buy)))
  }
  const events = await mapPaced(
    whole.flatMap(({ visit, outcome }) =>
      outcome.reports.map((report) => ({ buy: visit.buy, report })),
    ),
    ({ buy, report }) => reportEvent(buy, report, now),
  )
  const added = await sender.emitAll(tx, events)
  const unsent = new Set(events.filter((_, index) => added[index] === 0).map(placeOf))
  await reports.save(
    tx,
    whole.map(({ outcome }) => outcome.stream),
    whole.flatMap(({ outcome }) =>
      outcome.windows.map((window) => {
        const subject = subjectOfReports(window.media_buy_id)
        return unsent.has(placeOf({ ...window, subject })) ? undelivered(window, now) : window
      }),
    ),
  )
  return events.map(({ notification_type }) => notification_type)
}

function placeOf(reported: { subject: string; sequence_number?: number | undefined }): string {
  return `${reported.sequence_number} ${reported.subject}`
}

async function withFinal(
  { visit, outcome }: Planned,
  now: number,
  beforeFinal: (buy: MediaBuyRecord) => Promise<void> | undefined,
): Promise<Planned> {
  const { buy } = visit
  if (!isFinalDue({ buy, stream: outcome.stream })) return { visit, outcome }
  await beforeFinal(buy)
  const final = planFinal({ buy, stream: outcome.stream }, now)
  return {
    visit,
    outcome: {
      stream: final.stream,
      windows: [...outcome.windows, ...final.windows],
      reports: [...outcome.reports, ...final.reports],
    },
  }
}

/** There is no channel to send it to. */
function undelivered(window: ReportWindow, now: number): ReportWindow {
  if (window.state !== 'sent') return window
  return { ...window, state: 'given_up', ended_at: now, reason: 'there is no reporting_webhook' }
}
