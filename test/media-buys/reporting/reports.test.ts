import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getMediaBuyDelivery } from '../../../src/media-buys/get-media-buy-delivery.ts'
import { getReportingStatus } from '../../../src/media-buys/get-reporting-status.ts'
import { windowsOf } from '../../../src/media-buys/reporting/windows.ts'
import { RELEASES } from '../../../src/protocol/releases/releases.ts'
import { deliveryReport } from '../../../src/protocol/schemas/delivery-report.ts'
import { webhookEnvelope } from '../../../src/protocol/schemas/webhook-envelope.ts'
import type { CallContext } from '../../../src/protocol/task.ts'
import { openSqlite } from '../../../src/storage/sqlite/open-sqlite.ts'
import { type TestDatabase, testDatabase } from '../../support/databases.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { buyRecord, packageRecord } from '../../support/media-buys.ts'
import { reportingSeller, type SentReport } from '../../support/reporting.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
// Clocks in Berlin go forward on 29 March 2026.
const START = Date.parse('2026-03-27T23:00:00Z')
const END = Date.parse('2026-03-30T22:00:00Z')
const clock = fakeClock(START - HOUR_MS)

let opened: TestDatabase
let database: TestDatabase['database']
beforeAll(async () => {
  opened = await testDatabase('sqlite', { clock })
  database = opened.database
})
afterAll(async () => {
  await database.close()
  const { dataDir } = opened.location as { dataDir: string }
  rmSync(dataDir, { recursive: true, force: true })
})

/** What another process finds that opens the same folder. */
async function restart(): Promise<void> {
  await database.close()
  const { dataDir } = opened.location as { dataDir: string }
  database = openSqlite({ dataDir, clock, flush: async () => {} })
}

const call = (owner: string) =>
  ({
    principal: { principal_id: owner, name: owner, scopes: [] },
    signal: new AbortController().signal,
    version: RELEASES.version('unversioned'),
  }) as unknown as CallContext

const spendOf = ({ report }: SentReport) => report.media_buy_deliveries[0]?.totals.spend ?? 0
const micros = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + Math.round(value * 1e6), 0)

describe('a buy of three days with hourly reports over a change of clocks', () => {
  const outage = { from: START + 30 * HOUR_MS, to: START + 35 * HOUR_MS }
  const seller = reportingSeller(() => database, clock, {
    isAway: (now) => outage.from <= now && now < outage.to,
  })
  const buy = buyRecord({
    start_at: START,
    end_at: END,
    time_zone: 'Europe/Berlin',
    status: 'active',
    created_at: START - HOUR_MS,
    reporting: { reporting_frequency: 'hourly' },
    packages: [
      packageRecord({ budget: 700 }),
      packageRecord({ budget: 300, pacing: 'front_loaded' }),
    ],
  })
  const id = buy.media_buy_id
  const lateNamed = new Set<string>()
  let reports: SentReport[] = []

  async function nameLate(): Promise<void> {
    if (Math.abs(clock.now() - outage.to) > 6 * HOUR_MS) return
    const status = getReportingStatus({ ...seller.stores(), clock })
    const said = await status.handle({ media_buy_ids: [id], states: ['late'] }, call(buy.owner))
    if (!('periods' in said)) throw new Error('it has periods')
    for (const { reporting_period } of said.periods) lateNamed.add(reporting_period.start)
  }

  beforeAll(async () => {
    await seller.add(buy)
    await seller.runUntil(START + 20 * HOUR_MS, nameLate)
    await restart()
    await seller.runUntil(START + 33 * HOUR_MS, nameLate)
    await restart()
    await seller.runUntil(END, nameLate)
    await seller.change(id, { status: 'completed' })
    await seller.runUntil(END + 10 * DAY_MS, nameLate)
    reports = await seller.sent(id)
  })

  const ofType = (type: string) => reports.filter(({ report }) => report.notification_type === type)
  const starts = (some: readonly SentReport[]) =>
    some.map(({ report }) => report.reporting_period.start)

  test('spec 6.2: reports every window exactly once, in order, from the first to the last', () => {
    const cut = { frequency: 'hourly' as const, timeZone: 'Europe/Berlin' }
    const windows = [...windowsOf(cut, START, END)]
    expect(windows).toHaveLength(71)
    expect(ofType('scheduled').map(({ report }) => report.reporting_period)).toEqual(
      windows.map(({ start, end }) => ({
        start: new Date(start).toISOString(),
        end: new Date(end).toISOString(),
        timezone: 'Europe/Berlin',
      })),
    )
  })

  test('spec 2.11: numbers the reports without a gap, in whole envelopes of their own', () => {
    expect(reports.map(({ report }) => report.sequence_number)).toEqual(
      reports.map((_, index) => index + 1),
    )
    expect(new Set(reports.map(({ idempotency_key }) => idempotency_key)).size).toBe(reports.length)
    expect(new Set(reports.map(({ envelope }) => envelope.task_id)).size).toBe(reports.length)
    for (const { envelope, report } of reports) {
      expect(webhookEnvelope.safeParse(envelope).error).toBeUndefined()
      expect(deliveryReport.safeParse(report).error).toBeUndefined()
      expect(envelope).toMatchObject({ task_type: 'media_buy_delivery', status: 'completed' })
      expect(envelope).not.toHaveProperty('notification_id')
    }
  })

  test('says of the windows of the outage that they are late, once, and reports them when it is over', () => {
    const delayed = ofType('delayed')
    expect(delayed.length).toBeGreaterThanOrEqual(4)
    expect(new Set(starts(delayed)).size).toBe(delayed.length)
    for (const { report } of delayed) {
      const [row] = report.media_buy_deliveries
      expect(row).toMatchObject({ status: 'reporting_delayed', media_buy_status: 'active' })
      expect(row?.expected_availability).toBeDefined()
      // spec 2.11: figures that are not known are not zeros; spend is required.
      expect([row?.totals, row?.by_package]).toEqual([{ spend: 0 }, []])
      expect(report).toMatchObject({ partial_data: true, unavailable_count: 1 })
      const at = Date.parse(report.reporting_period.end)
      expect(at).toBeGreaterThanOrEqual(outage.from - HOUR_MS)
      expect(at).toBeLessThan(outage.to)
    }
    expect([...lateNamed].sort()).toEqual(starts(delayed))
  })

  test('corrects windows that changed, after they were reported, with all of their figures', () => {
    const adjusted = ofType('adjusted')
    expect(adjusted.length).toBeGreaterThan(3)
    for (const { report } of adjusted) {
      expect(report.media_buy_deliveries[0]).toMatchObject({ is_adjusted: true })
      const first = ofType('scheduled').find(
        (one) => one.report.reporting_period.start === report.reporting_period.start,
      )
      expect(first?.report.sequence_number).toBeLessThan(report.sequence_number as number)
    }
  })

  test('spec 3.4: ends with one final report, and then with silence', () => {
    expect(ofType('final')).toHaveLength(1)
    expect(reports.at(-1)?.report).toMatchObject({
      notification_type: 'final',
      media_buy_deliveries: [{ status: 'completed', is_final: true }],
    })
    expect(reports.at(-1)?.report).not.toHaveProperty('next_expected_at')
    expect(seller.finals).toEqual([id])
  })

  test('the sum of the reports is what get_media_buy_delivery says, and what final says', async () => {
    const last = new Map<string, SentReport>()
    for (const one of [...ofType('scheduled'), ...ofType('adjusted')]) {
      last.set(one.report.reporting_period.start, one)
    }
    const sum = micros([...last.values()].map(spendOf)) / 1e6
    expect(sum).toBeGreaterThan(800)
    expect(sum).toBeLessThanOrEqual(1_000)
    expect(spendOf(reports.at(-1) as SentReport)).toBe(sum)
    const task = getMediaBuyDelivery({ ...seller.stores(), ...seller, clock, onFault: () => {} })
    const said = await task.handle(
      { media_buy_ids: [id], time_granularity: 'hourly' },
      call(buy.owner),
    )
    if (!('media_buy_deliveries' in said)) throw new Error('it has rows')
    expect(said.aggregated_totals).toMatchObject({ spend: sum, media_buy_count: 1 })
    const [row] = said.media_buy_deliveries as unknown as [
      { totals: object; windows: { window_start: string; totals: object; by_package: object }[] },
    ]
    expect(row.totals).toMatchObject({ spend: sum })
    for (const { window_start, totals, by_package } of row.windows) {
      const reported = last.get(window_start)?.report.media_buy_deliveries[0]
      expect({ totals, by_package }).toEqual({
        totals: reported?.totals,
        by_package: reported?.by_package,
      })
    }
    expect(row.windows).toHaveLength(71)
  })

  test('what a receiver accepted is delivered, and what it did not accept fails permanently with the reason', async () => {
    const { reports: store } = seller.stores()
    await seller.end(id, 'exhausted', reports.at(-1)?.report.sequence_number)
    await seller.end(id, 'delivered')
    const counts = (await store.counts([id])).get(id)
    expect(counts).toEqual({ owed: 0, late: 0, sent: 0, delivered: 71, given_up: 1 })
    const { windows } = await store.list({ states: ['given_up'], limit: 10 })
    expect(windows).toMatchObject([{ media_buy_id: id, kind: 'final', reason: 'no answer' }])
  })

  test('another principal learns of neither buy nor report', async () => {
    const status = getReportingStatus({ ...seller.stores(), clock })
    expect(await status.handle({ media_buy_ids: [id] }, call('prn_other'))).toMatchObject({
      reporting_statuses: [],
      periods: [],
    })
  })
})
