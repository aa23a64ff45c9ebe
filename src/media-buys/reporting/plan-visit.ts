// Determines the next reports of one buy from its flight, the existing window rows, the source's answer, and the time
// (spec 2.11, 6.2). A pure function: whatever was missed, by a crash, an outage or a clock that was put forward, is
// derived from the same four inputs the next time.

import { defined } from '../../lib/defined.ts'
import type { WindowDelivery } from '../delivery-source.ts'
import type { MediaBuyRecord } from '../media-buy.ts'
import { isEnded } from '../states.ts'
import {
  createFiguresSum,
  type Figures,
  type FiguresSum,
  figuresDigest,
  figuresOf,
} from './figures.ts'
import type { NotificationType, ReportStream, ReportWindow, StreamVisit } from './report-store.ts'
import { askAgainAt, type ReportRules } from './rules.ts'
import { nextBoundary, windowsOf } from './windows.ts'

/** Maximum number of windows that one visit opens; the rest follows in further visits. */
const MOST_OPENED = 500

export interface Report {
  notification_type: NotificationType
  sequence_number: number
  period: { start: number; end: number }
  /** Undefined: they are not there. */
  figures: Figures | undefined
  expected_at?: number | undefined
  /** Whether they will not change again. */
  is_final: boolean
  /** When the next report is expected; undefined on `final`. */
  next_expected_at?: number | undefined
  /** Windows of the flight whose figures never arrived; in `final`. */
  unavailable: number
}

export interface Outcome {
  stream: ReportStream
  /** New or changed. */
  windows: ReportWindow[]
  reports: Report[]
}

/** The inputs that determine the windows of a buy. */
export type ReportedFlight = Omit<MediaBuyRecord, 'packages'>

/** When the flight ended or will end: a buy that ended early delivers nothing more. */
export function endOfFlight(buy: ReportedFlight): number {
  if (!isEnded(buy.status)) return buy.end_at
  return Math.max(buy.start_at, Math.min(buy.end_at, buy.ending?.at ?? buy.status_changed_at))
}

const cutOf = ({ reporting, time_zone }: ReportedFlight) => ({
  frequency: reporting?.reporting_frequency ?? 'daily',
  timeZone: time_zone,
})

/** Nothing is delivered, and so nothing reported, before the seller has committed. */
function reportedFrom({ start_at, confirmed_at }: ReportedFlight): number {
  return Math.max(start_at, confirmed_at ?? start_at)
}

/** Number of windows that a visit opens for a buy with this many packages, if it may open this many cells. */
export function mostOpened(packages: number, cells: number): number {
  return Math.max(1, Math.min(MOST_OPENED, Math.floor(cells / Math.max(1, packages))))
}

/** The first windows that have ended and have no row yet. */
export function newWindows(
  { stream, buy }: { stream: ReportStream; buy: ReportedFlight },
  now: number,
  most = MOST_OPENED,
): ReportWindow[] {
  const opened: ReportWindow[] = []
  const from = stream.opened_until ?? reportedFrom(buy)
  for (const { start, end } of windowsOf(cutOf(buy), from, endOfFlight(buy))) {
    if (end > now || opened.length >= most) break
    opened.push(pendingWindow(stream, 'window', { start, end }))
  }
  return opened
}

function pendingWindow(
  { media_buy_id, owner }: ReportStream,
  kind: ReportWindow['kind'],
  { start, end }: { start: number; end: number },
): ReportWindow {
  return {
    media_buy_id,
    owner,
    kind,
    start,
    end,
    state: 'owed',
    is_settled: false,
    sequence_number: undefined,
    notification_types: [],
    figures: undefined,
    digest: undefined,
    expected_at: undefined,
    sent_at: undefined,
    ended_at: undefined,
    reason: undefined,
  }
}

/** The source's figures for a window, in the form that is reported. */
export type ReadDelivery =
  | { status: 'ready'; figures: Figures; digest: string; is_final: boolean }
  | { status: 'not_yet'; expected_at?: number | undefined }

/** The part of a visit's cost that grows with the number of packages. */
export function readDelivery(
  buy: Pick<MediaBuyRecord, 'packages'>,
  answer: WindowDelivery,
): ReadDelivery {
  if (answer.status !== 'ready') return { status: 'not_yet', expected_at: answer.expected_at }
  const figures = figuresOf(buy, answer.by_package)
  return { status: 'ready', figures, digest: figuresDigest(figures), is_final: answer.is_final }
}

export interface VisitFacts {
  visit: StreamVisit
  /** Those of `newWindows`. */
  opened: readonly ReportWindow[]
  /** One for each of `visit.windows` and `opened`, in their order. */
  answers: readonly ReadDelivery[]
  now: number
  rules: ReportRules
}

export function planVisit({ visit, opened, answers, now, rules }: VisitFacts): Outcome {
  const { buy } = visit
  const stream = { ...visit.stream, opened_until: opened.at(-1)?.end ?? visit.stream.opened_until }
  const nextEnd = nextWindowEnd(stream, buy)
  const nextExpected = nextEnd === undefined ? undefined : nextEnd + stream.delay_ms
  const changed: ReportWindow[] = []
  const reports: Report[] = []
  const totals = createFiguresSum(stream.totals)
  let dueAt = nextEnd
  const dueBy = (at: number) => {
    dueAt = dueAt === undefined ? at : Math.min(dueAt, at)
  }
  let isOpen = nextEnd !== undefined

  const all = [...visit.windows, ...opened]
  for (const [index, window] of all.entries()) {
    const step = stepOf(window, answers[index], { stream, now, rules, totals })
    const isNew = index >= visit.windows.length
    const after = { ...window, ...step.changes }
    if (step.report) {
      stream.sequence_number += 1
      after.sequence_number = stream.sequence_number
      after.notification_types = [...window.notification_types, step.report.notification_type]
      reports.push({
        ...step.report,
        sequence_number: stream.sequence_number,
        period: { start: window.start, end: window.end },
        unavailable: step.report.figures ? 0 : 1,
        ...defined({ next_expected_at: nextExpected }),
      })
    }
    if (after.state === 'given_up' && window.state !== 'given_up') stream.unavailable += 1
    if (isNew || step.changes) changed.push(after)
    if (!after.is_settled) isOpen = true
    if (step.dueAt !== undefined) dueBy(step.dueAt)
  }
  if (reports.length > 0) stream.totals = totals.total()
  // Never in the past: a stream with a large backlog queues behind those that were due before.
  stream.due_at = isOpen && dueAt !== undefined ? Math.max(dueAt, now) : undefined
  return { stream, windows: changed, reports }
}

/** The end of the first window that is not opened; undefined when the flight has no more. */
export function nextWindowEnd(stream: ReportStream, buy: ReportedFlight): number | undefined {
  const from = stream.opened_until ?? reportedFrom(buy)
  const end = endOfFlight(buy)
  return from < end ? Math.min(nextBoundary(cutOf(buy), from), end) : undefined
}

interface Step {
  changes?: Partial<ReportWindow>
  report?: Pick<Report, 'notification_type' | 'figures' | 'expected_at' | 'is_final'>
  dueAt?: number
}

interface StepFacts {
  stream: ReportStream
  now: number
  rules: ReportRules
  /** The state of the stream, to which each reporting step is added. */
  totals: FiguresSum
}

function stepOf(window: ReportWindow, answer: ReadDelivery | undefined, facts: StepFacts): Step {
  if (answer?.status === 'ready') return readyStep(window, answer, facts)
  const expectedAt = answer?.expected_at
  return window.figures === undefined
    ? missingStep(window, expectedAt, facts)
    : unreadStep(window, facts)
}

/** The figures are available: for the first time, unchanged, or different from before. */
function readyStep(
  window: ReportWindow,
  { figures, digest, ...answer }: Extract<ReadDelivery, { status: 'ready' }>,
  { now, rules, totals }: StepFacts,
): Step {
  const horizon = window.end + rules.correctionMs
  // Figures that arrive after the correction period are read once.
  const is_settled = answer.is_final || now >= horizon
  const again = is_settled ? {} : { dueAt: Math.min(now + rules.recheckMs, horizon) }
  if (window.digest === digest) {
    return is_settled ? { changes: { is_settled } } : again
  }
  const isFirst = window.figures === undefined
  if (window.figures) totals.subtract(window.figures)
  totals.add(figures)
  return {
    changes: {
      figures,
      digest,
      is_settled,
      state: 'sent',
      sent_at: now,
      expected_at: undefined,
      ended_at: undefined,
      reason: undefined,
    },
    report: {
      notification_type: isFirst ? 'scheduled' : 'adjusted',
      figures,
      is_final: is_settled,
    },
    ...again,
  }
}

/** Figures that are not available yet: waited for, then reported as late, and finally failed permanently. */
function missingStep(
  window: ReportWindow,
  expectedAt: number | undefined,
  { stream, now, rules }: StepFacts,
): Step {
  if (now >= window.end + rules.giveUpMs) {
    const reason = 'the figures never came'
    return { changes: { state: 'given_up', is_settled: true, ended_at: now, reason } }
  }
  const again = askAgainAt(now, window.end, expectedAt)
  const lateAt = window.end + stream.delay_ms
  if (window.state === 'late') {
    const isNews = expectedAt !== undefined && expectedAt !== window.expected_at
    return { ...(isNews ? { changes: { expected_at: expectedAt } } : {}), dueAt: again }
  }
  if (now < lateAt) return { dueAt: Math.min(again, lateAt) }
  const expected_at = expectedAt ?? again
  return {
    changes: { state: 'late', expected_at, sent_at: now },
    report: { notification_type: 'delayed', figures: undefined, expected_at, is_final: false },
    dueAt: again,
  }
}

/** It was reported, and the source is unavailable: the reported figures stay valid, and finally become permanent. */
function unreadStep(window: ReportWindow, { now, rules }: StepFacts): Step {
  const horizon = window.end + rules.correctionMs
  if (now >= horizon) return { changes: { is_settled: true } }
  return { dueAt: Math.min(now + rules.recheckMs, horizon) }
}

/** Whether everything about an ended buy has been reported, except for the final report. */
export function isFinalDue({
  buy,
  stream,
}: {
  buy: MediaBuyRecord
  stream: ReportStream
}): boolean {
  return isEnded(buy.status) && stream.final_at === undefined && stream.due_at === undefined
}

/** The final report: the sums of the flight, once. */
export function planFinal(
  { buy, stream }: { buy: MediaBuyRecord; stream: ReportStream },
  now: number,
): Outcome {
  const { unavailable } = stream
  const sequence_number = stream.sequence_number + 1
  const period = { start: buy.start_at, end: Math.max(stream.opened_until ?? 0, endOfFlight(buy)) }
  const figures = stream.totals
  const window: ReportWindow = {
    ...pendingWindow(stream, 'final', period),
    state: 'sent',
    is_settled: true,
    sequence_number,
    notification_types: ['final'],
    figures,
    digest: figuresDigest(figures),
    sent_at: now,
  }
  return {
    stream: { ...stream, sequence_number, final_at: now, due_at: undefined },
    windows: [window],
    reports: [
      { notification_type: 'final', sequence_number, period, figures, is_final: true, unavailable },
    ],
  }
}
