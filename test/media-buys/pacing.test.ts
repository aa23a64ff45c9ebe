import { expect, test } from 'vitest'
import { boughtBy, expectedBy, paceOf } from '../../src/media-buys/pacing.ts'
import type { Figures } from '../../src/media-buys/reporting/figures.ts'
import type { Snapshot } from '../../src/media-buys/reporting/snapshot.ts'
import { buyRecord, DAY_MS, packageRecord } from '../support/media-buys.ts'

const START = Date.UTC(2026, 0, 1)
const one = packageRecord({ package_id: 'p1', budget: 1_000 })
const buy = buyRecord({
  created_at: START,
  start_at: START,
  end_at: START + 4 * DAY_MS,
  status: 'active',
  packages: [one],
})

/** Days of figures; undefined where they are not there. */
function snapshotOf(
  days: readonly (Figures | undefined)[],
  over: Partial<Snapshot> = {},
): Snapshot {
  const windows = days.map((figures, n) => ({
    start: START + n * DAY_MS,
    end: START + (n + 1) * DAY_MS,
    figures,
    is_final: true,
  }))
  const sum = { spend: 0, impressions: 0 }
  for (const figures of days) {
    sum.spend += figures?.p1?.spend ?? 0
    sum.impressions += figures?.p1?.impressions ?? 0
  }
  return {
    buy,
    period: { start: START, end: START + days.length * DAY_MS },
    figures: { p1: sum },
    missing: 0,
    is_final: false,
    windows,
    ...over,
  }
}
const day = (spend: number): Figures => ({ p1: { spend, impressions: spend * 100 } })

test('what is bought follows from the budget and the price of a thousand, and from what was wanted', () => {
  expect(boughtBy(one)).toEqual({ spend: 1_000, impressions: 100_000 })
  expect(boughtBy({ ...one, impressions: 7 }).impressions).toBe(7)
  const byClick = { ...one, pricing: { pricing_model: 'cpc', rate: 1 } }
  expect(boughtBy(byClick)).toEqual({ spend: 1_000, impressions: undefined })
})

test('what is expected is spread over the dates of the package, as its pacing says', () => {
  const by = (share: number, over: object = {}) =>
    expectedBy(buy, { ...one, ...over }, START + share * 4 * DAY_MS).spend
  expect([by(-1), by(0), by(0.25), by(1), by(2)]).toEqual([0, 0, 250, 1_000, 1_000])
  expect(by(0.5, { pacing: 'front_loaded' })).toBe(750)
  expect(by(0.5, { pacing: 'asap' })).toBe(500)
  expect(by(0.5, { start_at: START + 2 * DAY_MS })).toBe(0)
})

test('a buy is behind, on pace or ahead by what it spent; as soon as possible is never ahead', () => {
  const word = (spend: number, over: object = {}) =>
    paceOf(snapshotOf([day(spend)], { buy: { ...buy, packages: [{ ...one, ...over }] } })).total
      .pace
  expect([word(200), word(230), word(250), word(270), word(300)]).toEqual([
    'behind',
    'on_pace',
    'on_pace',
    'on_pace',
    'ahead',
  ])
  expect(word(900, { pacing: 'asap' })).toBe('on_pace')
})

test('a window whose figures are not there is not held against the buy', () => {
  const { total, curve } = paceOf(snapshotOf([day(250), undefined], { missing: 1 }))
  expect(total).toMatchObject({
    pace: 'on_pace',
    delivered: { spend: 250 },
    expected: { spend: 250 },
    bought: { spend: 1_000, impressions: 100_000 },
  })
  expect(curve.map(({ spend, expected }) => [spend, expected.spend])).toEqual([
    [250, 250],
    [250, 500],
  ])
})

test('what has not begun, has ended, or has no figures at all says so', () => {
  const none = { period: { start: START, end: START } }
  expect(paceOf(snapshotOf([], none)).total.pace).toBe('not_begun')
  expect(paceOf(snapshotOf([undefined])).total.pace).toBe('unknown')
  const ended = { ...buy, status: 'completed' as const }
  expect(paceOf(snapshotOf([day(1)], { buy: ended })).total.pace).toBe('ended')
})

test('of a canceled package nothing more is expected than it delivered', () => {
  const canceled = packageRecord({ package_id: 'p1', canceled: true })
  const { total } = paceOf(snapshotOf([day(10)], { buy: { ...buy, packages: [canceled] } }))
  expect(total).toMatchObject({ expected: { spend: 10 }, bought: { spend: 10 } })
})
