import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WindowDelivery } from '../../../src/media-buys/delivery-source.ts'
import type { MediaBuyRecord } from '../../../src/media-buys/media-buy.ts'
import { figuresOf, sumOfFigures } from '../../../src/media-buys/reporting/figures.ts'
import {
  endOfFlight,
  isFinalDue,
  mostOpened,
  newWindows,
  type Outcome,
  planFinal,
  planVisit,
  type Report,
  readDelivery,
} from '../../../src/media-buys/reporting/plan-visit.ts'
import type { ReportStream, ReportWindow } from '../../../src/media-buys/reporting/report-store.ts'
import { DEFAULT_REPORT_RULES as RULES } from '../../../src/media-buys/reporting/rules.ts'
import { type Frequency, windowsOf } from '../../../src/media-buys/reporting/windows.ts'
import { type Order, orderOf } from '../../../src/media-buys/sources/orders.ts'
import { simulate } from '../../../src/media-buys/sources/simulated.ts'
import { buyRecord, packageRecord } from '../../support/media-buys.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const START = Date.parse('2026-03-28T17:20:00Z')
const SETTINGS = { seed: 's', delayMs: 10 * MINUTE_MS, lateShare: 0.3, correctionMs: 5 * HOUR_MS }

/** A buy, its stream and its rows in memory; what is committed goes through JSON, as through a restart. */
function world(frequency: Frequency, hours: number, timeZone: string) {
  let buy = buyRecord({
    start_at: START,
    end_at: START + hours * HOUR_MS,
    time_zone: timeZone,
    status: 'active',
    reporting: { reporting_frequency: frequency },
    packages: [packageRecord({ budget: 500 }), packageRecord({ budget: 80, pacing: 'asap' })],
  })
  const orders: Order[] = [orderOf(buy, START)]
  let stream: ReportStream = {
    media_buy_id: buy.media_buy_id,
    owner: buy.owner,
    opened_until: undefined,
    sequence_number: 0,
    totals: {},
    unavailable: 0,
    delay_ms: 30 * MINUTE_MS,
    final_at: undefined,
    due_at: START,
    claim_no: 1,
  }
  const rows = new Map<string, ReportWindow>()
  const sent: { at: number; report: Report }[] = []

  function change(changes: Partial<MediaBuyRecord>, now: number): void {
    const moved = changes.status !== undefined && changes.status !== buy.status
    buy = { ...buy, ...changes, ...(moved ? { status_changed_at: now } : {}) }
    orders.push(orderOf(buy, now))
    if (stream.final_at === undefined) stream = { ...stream, due_at: now }
  }

  function visit(now: number, isAway: boolean): Outcome {
    const windows = [...rows.values()]
      .filter(({ is_settled }) => !is_settled)
      .sort((a, b) => a.start - b.start)
    const opened = newWindows({ stream, buy }, now)
    const requested = [...windows, ...opened]
    const answers: WindowDelivery[] = isAway
      ? requested.map((window) => ({ window, status: 'not_yet' }))
      : simulate(orders, requested, { now, settings: SETTINGS })
    const outcome = planVisit({
      visit: { stream, buy, windows },
      opened,
      answers: answers.map((one) => readDelivery(buy, one)),
      now,
      rules: RULES,
    })
    if (!isFinalDue({ buy, stream: outcome.stream })) return outcome
    const final = planFinal({ buy, stream: outcome.stream }, now)
    return {
      stream: final.stream,
      windows: [...outcome.windows, ...final.windows],
      reports: [...outcome.reports, ...final.reports],
    }
  }

  function commit(outcome: Outcome, now: number): void {
    stream = JSON.parse(JSON.stringify(outcome.stream)) as ReportStream
    for (const window of outcome.windows) rows.set(`${window.kind} ${window.start}`, window)
    for (const report of outcome.reports) sent.push({ at: now, report })
  }

  return { change, visit, commit, sent, orders, rows, buy: () => buy, stream: () => stream }
}

const plans = fc.record({
  frequency: fc.constantFrom<Frequency>('hourly', 'daily'),
  hours: fc.integer({ min: 1, max: 60 }),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'),
  outages: fc.array(
    fc.record({ from: fc.nat(80 * 60), minutes: fc.integer({ min: 1, max: 600 }) }),
    { maxLength: 3 },
  ),
  changes: fc.array(
    fc.record({
      at: fc.nat(80 * 60),
      what: fc.constantFrom('pause', 'resume', 'budget', 'extend', 'cancel'),
    }),
    { maxLength: 4 },
  ),
  /** Visits whose commit a crash prevents, and how late a process is back. */
  crashes: fc.array(fc.record({ visit: fc.nat(60), minutes: fc.nat(400) }), { maxLength: 3 }),
})

type Plan = typeof plans extends fc.Arbitrary<infer P> ? P : never

function play({ frequency, hours, timeZone, outages, changes, crashes }: Plan) {
  const seller = world(frequency, hours, timeZone)
  const isAway = (now: number) =>
    outages.some(({ from, minutes }) => {
      const begin = START + from * MINUTE_MS
      return begin <= now && now < begin + minutes * MINUTE_MS
    })
  const due = [...changes].sort((a, b) => a.at - b.at)
  let now = START
  for (let visit = 0; seller.stream().final_at === undefined; visit++) {
    if (visit > 2_000) throw new Error('it never ends')
    const buy = seller.buy()
    const isOver = buy.status === 'completed' || buy.status === 'canceled'
    const next = [
      seller.stream().due_at ?? Number.POSITIVE_INFINITY,
      due[0] && !isOver ? START + due[0].at * MINUTE_MS : Number.POSITIVE_INFINITY,
      isOver ? Number.POSITIVE_INFINITY : buy.end_at,
    ]
    now = Math.max(now, Math.min(...next))
    if (!isOver && now >= buy.end_at) seller.change({ status: 'completed' }, now)
    else if (due[0] && !isOver && START + due[0].at * MINUTE_MS <= now) {
      make(seller, (due.shift() as (typeof due)[number]).what, now)
    }
    const outcome = seller.visit(now, isAway(now))
    const crash = crashes.find((one) => one.visit === visit)
    if (crash) now += crash.minutes * MINUTE_MS
    else seller.commit(outcome, now)
  }
  return seller
}

function make(seller: ReturnType<typeof world>, what: string, now: number): void {
  const { packages, end_at } = seller.buy()
  if (what === 'pause') seller.change({ status: 'paused' }, now)
  if (what === 'resume') seller.change({ status: 'active' }, now)
  if (what === 'extend') seller.change({ end_at: end_at + 7 * HOUR_MS }, now)
  if (what === 'budget') {
    seller.change({ packages: packages.map((one) => ({ ...one, budget: one.budget + 50 })) }, now)
  }
  if (what === 'cancel') {
    seller.change({ status: 'canceled', ending: { by: 'buyer', at: now } }, now)
  }
}

const ofType = (seller: ReturnType<typeof world>, type: string) =>
  seller.sent.map(({ report }) => report).filter((one) => one.notification_type === type)

test('whatever is away, crashes or is changed: every window once, in sequence, one final, and the right sums', () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const seller = play(plan)
      const buy = seller.buy()
      const cut = { frequency: plan.frequency, timeZone: plan.timeZone }
      const scheduled = ofType(seller, 'scheduled')
      const periods = scheduled.map(({ period }) => period).sort((a, b) => a.start - b.start)
      // One that was cut by an earlier end stays as it was when the flight was made longer.
      const first = periods[0]?.start ?? START
      expect(first).toBe(START)
      expect(periods.every(({ start }, at) => at === 0 || start === periods[at - 1]?.end)).toBe(
        true,
      )
      expect(periods.at(-1)?.end ?? START).toBe(endOfFlight(buy))
      if (plan.changes.every(({ what }) => what !== 'extend')) {
        expect(periods).toEqual([...windowsOf(cut, START, endOfFlight(buy))])
      }
      expect(seller.sent.map(({ report }) => report.sequence_number)).toEqual(
        seller.sent.map((_, index) => index + 1),
      )
      expect(ofType(seller, 'final')).toHaveLength(1)
      expect(seller.sent.at(-1)?.report.notification_type).toBe('final')
      expect(seller.stream().due_at).toBeUndefined()

      const delayed = ofType(seller, 'delayed').map(({ period }) => period.start)
      expect(new Set(delayed).size).toBe(delayed.length)
      const truth = simulate(seller.orders, periods, {
        now: Number.MAX_SAFE_INTEGER,
        settings: SETTINGS,
      })
      const figures = truth.map((one) =>
        one.status === 'ready' ? figuresOf(buy, one.by_package) : {},
      )
      const last = new Map(
        [...scheduled, ...ofType(seller, 'adjusted')].map(
          ({ period, figures: reported }) => [period.start, reported] as const,
        ),
      )
      for (const [at, { start }] of periods.entries()) expect(last.get(start)).toEqual(figures[at])
      expect(ofType(seller, 'final')[0]?.figures).toEqual(sumOfFigures(figures))
      const spend = Object.values(sumOfFigures(figures)).map((counts) => counts.spend ?? 0)
      const budgets = buy.packages.map(({ budget }) => budget)
      for (const [at, spent] of spend.entries()) {
        expect(spent).toBeLessThanOrEqual(Math.max(...budgets.slice(at), 0))
      }
    }),
    { numRuns: 25 },
  )
})

describe('figures that never come', () => {
  test('are no longer awaited after their time, and final says how many are missing', () => {
    const seller = world('hourly', 2, 'UTC')
    let now = START
    while (seller.stream().due_at !== undefined) {
      now = Math.max(now + 1, seller.stream().due_at ?? 0)
      if (now >= seller.buy().end_at && seller.buy().status === 'active') {
        seller.change({ status: 'completed' }, now)
      }
      seller.commit(seller.visit(now, true), now)
    }
    const states = [...seller.rows.values()].map(({ kind, state }) => `${kind} ${state}`)
    expect(states).toEqual(['window given_up', 'window given_up', 'window given_up', 'final sent'])
    expect(seller.sent.map(({ report }) => report.notification_type)).toEqual([
      'delayed',
      'delayed',
      'delayed',
      'final',
    ])
    expect(seller.sent.at(-1)?.report).toMatchObject({ unavailable: 3, figures: {} })
    expect(now - seller.buy().end_at).toBeLessThanOrEqual(RULES.giveUpMs + HOUR_MS)
  })
})

test('a clock that jumps over days opens every window that ended meanwhile', () => {
  const seller = world('hourly', 70, 'UTC')
  const now = START + 71 * HOUR_MS
  const { windows, reports } = seller.visit(now, false)
  expect(windows).toHaveLength(71)
  expect(reports.map(({ notification_type }) => notification_type)).toEqual(
    windows.map(() => 'scheduled'),
  )
})

describe('a buy that has much to catch up on', () => {
  const DAY_MS = 24 * HOUR_MS
  const late = (packages: number, over: Partial<MediaBuyRecord> = {}) => {
    const buy = buyRecord({
      start_at: START,
      end_at: START + 400 * DAY_MS,
      confirmed_at: START,
      status: 'active',
      reporting: { reporting_frequency: 'hourly' },
      packages: Array.from({ length: packages }, () => packageRecord()),
      ...over,
    })
    const stream: ReportStream = {
      media_buy_id: buy.media_buy_id,
      owner: buy.owner,
      opened_until: undefined,
      sequence_number: 0,
      totals: {},
      unavailable: 0,
      delay_ms: 0,
      final_at: undefined,
      due_at: START,
      claim_no: 1,
    }
    return { buy, stream, windows: [] }
  }
  const now = START + 300 * DAY_MS

  test('opens windows × packages within a bound in each visit', () => {
    expect(newWindows(late(1), now, mostOpened(1, 10_000))).toHaveLength(500)
    expect(newWindows(late(100), now, mostOpened(100, 10_000))).toHaveLength(100)
    expect(newWindows(late(100), now, mostOpened(100, 0))).toHaveLength(1)
  })

  test('reports on nothing before the seller has committed', () => {
    const confirmed_at = now - 2 * HOUR_MS
    const opened = newWindows(late(1, { confirmed_at }), now)
    expect(opened[0]?.start).toBe(confirmed_at)
    expect(opened.length).toBeLessThanOrEqual(3)
  })

  test('queues behind the streams that were due before', () => {
    const visit = late(1)
    const opened = newWindows(visit, now)
    const { stream } = planVisit({ visit, opened, answers: [], now, rules: RULES })
    expect(stream.opened_until).toBeLessThan(now)
    expect(stream.due_at).toBe(now)
  })
})
