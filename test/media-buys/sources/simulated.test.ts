import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DeliveryWindow, WindowDelivery } from '../../../src/media-buys/delivery-source.ts'
import { figuresOf, sumOfFigures, totalOf } from '../../../src/media-buys/reporting/figures.ts'
import { type Order, orderOf } from '../../../src/media-buys/sources/orders.ts'
import { simulate } from '../../../src/media-buys/sources/simulated.ts'
import { buyRecord, packageRecord } from '../../support/media-buys.ts'

const HOUR_MS = 3_600_000
const START = Date.UTC(2026, 0, 1)
const END = START + 72 * HOUR_MS
const LATER = END + 1_000 * HOUR_MS
const SETTINGS = { seed: 's', delayMs: 600_000, lateShare: 0.3, correctionMs: 6 * HOUR_MS }

const aBuy = (...packages: Parameters<typeof packageRecord>[0][]) =>
  buyRecord({
    start_at: START,
    end_at: END,
    status: 'active',
    packages: packages.map(packageRecord),
  })
const buy = aBuy({ budget: 500 })
const known = (orders: readonly Order[], windows: readonly DeliveryWindow[], now: number) =>
  simulate(orders, windows, { now, settings: SETTINGS })
const totals = (orders: readonly Order[], windows: [number, number][], now = LATER) => {
  const said = known(
    orders,
    windows.map(([start, end]) => ({ start, end })),
    now,
  )
  const figures = said.map((one: WindowDelivery) =>
    one.status === 'ready' ? figuresOf(buyOf(orders), one.by_package) : {},
  )
  return totalOf(sumOfFigures(figures))
}
const buyOf = (orders: readonly Order[]) => ({
  packages: (orders[0]?.packages ?? []).map(({ package_id }) => packageRecord({ package_id })),
})

test('the same seed, order and time always give the same figures', () => {
  const orders = [orderOf(buy, START)]
  expect(totals(orders, [[START, END]])).toEqual(totals(orders, [[START, END]]))
})

test('parts of a flight add up to the whole, wherever it is cut, and never to more than the budget', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('cpm', 'cpc', 'flat_rate'),
      fc.constantFrom('even', 'asap', 'front_loaded'),
      fc.array(fc.integer({ min: START, max: END }), { maxLength: 6 }),
      fc.array(fc.record({ at: fc.integer({ min: START, max: END }), runs: fc.boolean() }), {
        maxLength: 4,
      }),
      (pricing_model, pacing, cuts, pauses) => {
        const one = aBuy({ budget: 500, pacing, pricing: { pricing_model, rate: 2 } })
        const sorted = [...pauses].sort((a, b) => a.at - b.at)
        const orders = [
          orderOf(one, START),
          ...sorted.map(({ at, runs }) =>
            orderOf({ ...one, status: runs ? 'active' : 'paused' }, at),
          ),
        ]
        const edges = [START, ...[...cuts].sort((a, b) => a - b), END]
        const parts = edges.slice(1).map((end, at): [number, number] => [edges[at] as number, end])
        const whole = totals(orders, [[START, END]])
        expect(totals(orders, parts)).toEqual(whole)
        expect(whole.spend ?? 0).toBeLessThanOrEqual(500)
        expect(Number.isInteger(whole.impressions ?? 0)).toBe(true)
      },
    ),
    { numRuns: 50 },
  )
})

test('nothing is delivered while it is paused, and what was delivered before stays as it was', () => {
  const pausedAt = START + 24 * HOUR_MS
  const running = [orderOf(buy, START)]
  const paused = [...running, orderOf({ ...buy, status: 'paused' }, pausedAt)]
  expect(totals(paused, [[START, pausedAt]])).toEqual(totals(running, [[START, pausedAt]]))
  expect(totals(paused, [[pausedAt, END]])).toEqual({})
})

test('pacing decides when: asap has spent all by a third, front_loaded most by the half', () => {
  const spent = (pacing: string, until: number) => {
    const one = aBuy({ budget: 900, pacing })
    const ordered = { ...one, packages: one.packages.map((p) => ({ ...p, package_id: 'p' })) }
    return totals([orderOf(ordered, START)], [[START, until]]).spend ?? 0
  }
  const half = START + 36 * HOUR_MS
  expect(spent('asap', START + 24 * HOUR_MS)).toBeCloseTo(spent('asap', END), 0)
  expect(spent('front_loaded', half) / spent('front_loaded', END)).toBeGreaterThan(0.6)
  expect(spent('even', half) / spent('even', END)).toBeGreaterThan(0.35)
  expect(spent('even', half) / spent('even', END)).toBeLessThan(0.65)
})

test('figures come after the delay, some in part, and are final when the rest is there', () => {
  const orders = [orderOf(buy, START)]
  const windows = Array.from({ length: 40 }, (_, hour) => ({
    start: START + hour * HOUR_MS,
    end: START + (hour + 1) * HOUR_MS,
  }))
  const early = windows.map((window) => known(orders, [window], window.end)[0])
  expect(early[0]).toMatchObject({ status: 'not_yet', expected_at: START + HOUR_MS + 600_000 })
  const first = windows.map((one) => known(orders, [one], one.end + 600_000)[0])
  const last = known(orders, windows, LATER)
  const changed = windows.filter((_, at) => {
    const [a, b] = [first[at], last[at]]
    if (a?.status !== 'ready' || b?.status !== 'ready') throw new Error('they are ready')
    expect([a.is_final, b.is_final]).toEqual([false, true])
    expect(a.by_package[0]?.spend).toBeLessThanOrEqual(b.by_package[0]?.spend ?? 0)
    return a.by_package[0]?.spend !== b.by_package[0]?.spend
  })
  expect(changed.length).toBeGreaterThan(3)
  expect(changed.length).toBeLessThan(25)
})
