import { expect, test } from 'vitest'
import { audienceOf } from '../../../src/media-buys/sources/audience.ts'
import { orderOf } from '../../../src/media-buys/sources/orders.ts'
import { simulate } from '../../../src/media-buys/sources/simulated.ts'
import { buyRecord, DAY_MS, packageRecord } from '../../support/media-buys.ts'

const FLIGHT = 10 * DAY_MS

test('targeting leaves a part of all people, and smaller places a smaller part', () => {
  const shareOf = (overlay: Record<string, unknown>) => audienceOf(overlay, FLIGHT)?.share ?? 1
  expect(audienceOf(undefined, FLIGHT)).toBeUndefined()
  expect(audienceOf({ language: ['en'] }, FLIGHT)).toBeUndefined()
  const shares = [
    {},
    { geo_countries_exclude: ['US'] },
    { geo_countries: ['US', 'CA'] },
    { geo_countries: ['us'] },
    { geo_countries: ['US'], geo_regions: ['US-NY', 'US-NJ'] },
    { geo_regions: ['US-NY'] },
    { geo_metros: [{ system: 'nielsen_dma', values: ['501'] }] },
    { geo_postal_areas: [{ system: 'us_zip', values: ['10001', '10002'] }] },
  ].map(shareOf)
  expect([...shares].sort((a, b) => b - a)).toEqual(shares)
  expect(new Set(shares).size).toBe(shares.length)
})

test('a cap is a number of impressions of one person within a time, or one until a pause is over', () => {
  const capOf = (frequency_cap: unknown) => audienceOf({ frequency_cap }, FLIGHT)?.cap
  const week = { interval: 7, unit: 'days' }
  expect(capOf({ max_impressions: 3, per: 'individuals', window: week })).toEqual({
    impressions: 3,
    window_ms: 7 * DAY_MS,
  })
  expect(capOf({ max_impressions: 5, window: { unit: 'campaign', interval: 1 } })).toEqual({
    impressions: 5,
    window_ms: FLIGHT,
  })
  expect(capOf({ suppress_minutes: 60 })).toEqual({ impressions: 1, window_ms: 3_600_000 })
  expect(capOf({ suppress: { interval: 2, unit: 'hours' } })).toEqual({
    impressions: 1,
    window_ms: 7_200_000,
  })
  expect(capOf({ max_impressions: 3 })).toBeUndefined()
})

const settings = { seed: 'adwire', delayMs: 0, lateShare: 0, correctionMs: 0 }

/** Of a flight that is over. */
function delivered(targeting_overlay?: Record<string, unknown>) {
  const one = packageRecord({
    package_id: 'pk_1',
    budget: 5_000,
    pricing: { pricing_model: 'cpm', rate: 10 },
    ...(targeting_overlay ? { targeting_overlay } : {}),
  })
  const start_at = Date.UTC(2026, 0, 1)
  const end_at = start_at + FLIGHT
  const buy = buyRecord({ start_at, end_at, status: 'active', packages: [one] })
  const order = orderOf(buy, start_at)
  const window = { start: start_at, end: end_at }
  const [said] = simulate([order], [window], { now: end_at + DAY_MS, settings })
  if (said?.status !== 'ready') throw new Error('the figures are not there')
  return said.by_package[0] as { impressions: number; spend: number }
}

test('spec 2.11: a cap bounds the impressions of a flight by the people that targeting leaves', () => {
  const free = delivered()
  const geo_postal_areas = [{ system: 'us_zip', values: ['10001'] }]
  const narrow = delivered({ geo_postal_areas })
  const day = { interval: 1, unit: 'days' }
  const capped = delivered({
    geo_postal_areas,
    frequency_cap: { max_impressions: 1, per: 'individuals', window: day },
  })
  expect(free.spend).toBeGreaterThan(4_000)
  expect(narrow.impressions).toBeLessThan(free.impressions)
  expect(capped.impressions).toBeLessThan(narrow.impressions)
  // 250 people, once on each of ten days.
  expect(capped.impressions).toBeLessThanOrEqual(2_500)
  expect(capped.spend).toBeCloseTo(capped.impressions / 100, 6)
  const wide = delivered({
    geo_countries: ['US'],
    frequency_cap: { max_impressions: 5, window: day },
  })
  expect(wide).toEqual(free)
})
