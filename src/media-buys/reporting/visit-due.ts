// One round of reporting: takes the buys that are due, asks the source, and commits windows, reports and deliveries
// of all of them together. Who dies on the way has changed nothing; the lease brings them back.

import type { Transact, Transaction } from '../../lib/transaction.ts'
import type { Emitter } from '../../webhooks/sender/emit.ts'
import { subjectOfReports } from '../buy-channels.ts'
import type { DeliverySource } from '../delivery-source.ts'
import type { MediaBuyRecord } from '../media-buy.ts'
import { askSource } from './ask-source.ts'
import { isFinalDue, newWindows, type Outcome, planFinal, planVisit } from './plan-visit.ts'
import { reportEvent } from './report-event.ts'
import type { ReportStore, ReportWindow, StreamVisit } from './report-store.ts'
import type { ReportRules } from './rules.ts'

export interface VisitPorts {
  transact: Transact
  reports: ReportStore
  source: DeliverySource
  sender: Pick<Emitter, 'emitAll'>
  rules: ReportRules
  /** What has to be told of a buy before its last report, in that report's transaction. Default nothing. */
  beforeFinal?: ((tx: Transaction, buy: MediaBuyRecord) => Promise<void>) | undefined
  /** Hears of each report, once it is committed. */
  onReport?: ((notification_type: string) => void) | undefined
  onFault: (error: unknown) => void
}

/** How long claims are held: longer than the source is waited for, and the commit. */
export const VISIT_LEASE_MS = 60_000
const SOURCE_MS = 30_000
/** Questions to the source at the same time, of one round. */
const QUESTIONS = 16

/** Sees to claimed streams. */
export async function visitStreams(
  ports: VisitPorts,
  mediaBuyIds: readonly string[],
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<void> {
  const { source, reports, transact, onFault } = ports
  const visits = await reports.visits(mediaBuyIds)
  const asked = visits.map((visit) => ({ visit, opened: newWindows(visit, now) }))
  const answers = await askSource(
    source,
    asked.map(({ visit, opened }) => ({
      ...{ buy: visit.buy, now },
      windows: [...visit.windows, ...opened].map(({ start, end }) => ({ start, end })),
    })),
    { timeoutMs: SOURCE_MS, concurrency: QUESTIONS, signal, onFault },
  )
  const outcomes = asked.map(({ visit, opened }, index) => ({
    visit,
    outcome: planVisit({ visit, opened, answers: answers[index] ?? [], now, rules: ports.rules }),
  }))
  const told = await transact((tx) => commit(ports, tx, outcomes, now))
  for (const notificationType of told) ports.onReport?.(notificationType)
}

interface Planned {
  visit: StreamVisit
  outcome: Outcome
}

async function commit(
  { reports, sender, beforeFinal }: VisitPorts,
  tx: Transaction,
  planned: readonly Planned[],
  now: number,
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
  const events = whole.flatMap(({ visit, outcome }) =>
    outcome.reports.map((report) => reportEvent(visit.buy, report, now)),
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

function placeOf(told: { subject: string; sequence_number?: number | undefined }): string {
  return `${told.sequence_number} ${told.subject}`
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
