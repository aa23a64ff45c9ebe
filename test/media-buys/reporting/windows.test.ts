import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  boundaryBefore,
  type Cut,
  type Frequency,
  nextBoundary,
  windowsOf,
} from '../../../src/media-buys/reporting/windows.ts'

const HOUR_MS = 3_600_000
const iso = (at: number) => new Date(at).toISOString().slice(0, 16)
const returned = (cut: Cut, from: string, until: string) =>
  [...windowsOf(cut, Date.parse(from), Date.parse(until))].map(
    ({ start, end }) => `${iso(start)} ${iso(end)}`,
  )
const hours = (cut: Cut, from: string, until: string) =>
  [...windowsOf(cut, Date.parse(from), Date.parse(until))].map(
    ({ start, end }) => (end - start) / HOUR_MS,
  )

describe('spec 6.2: windows are cut in the time zone of the buy', () => {
  test('days begin at its midnight, the first and the last are cut by the flight', () => {
    const cut: Cut = { frequency: 'daily', timeZone: 'America/New_York' }
    expect(returned(cut, '2026-01-10T12:30:00Z', '2026-01-12T18:00:00Z')).toEqual([
      '2026-01-10T12:30 2026-01-11T05:00',
      '2026-01-11T05:00 2026-01-12T05:00',
      '2026-01-12T05:00 2026-01-12T18:00',
    ])
  })

  test('months are those of its calendar', () => {
    const cut: Cut = { frequency: 'monthly', timeZone: 'Asia/Tokyo' }
    expect(returned(cut, '2026-01-31T15:00:00Z', '2026-04-01T00:00:00Z')).toEqual([
      '2026-01-31T15:00 2026-02-28T15:00',
      '2026-02-28T15:00 2026-03-31T15:00',
      '2026-03-31T15:00 2026-04-01T00:00',
    ])
  })

  test('hours are full hours of its clock, where that is 45 minutes off as well', () => {
    const cut: Cut = { frequency: 'hourly', timeZone: 'Asia/Kathmandu' }
    expect(returned(cut, '2026-01-01T00:00:00Z', '2026-01-01T02:00:00Z')).toEqual([
      '2026-01-01T00:00 2026-01-01T00:15',
      '2026-01-01T00:15 2026-01-01T01:15',
      '2026-01-01T01:15 2026-01-01T02:00',
    ])
  })

  test('an empty flight has no windows', () => {
    const cut: Cut = { frequency: 'hourly', timeZone: 'UTC' }
    expect(hours(cut, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).toEqual([])
  })
})

describe('clocks that are changed', () => {
  const berlin: Cut = { frequency: 'daily', timeZone: 'Europe/Berlin' }

  test('make a day of 23 hours in spring and one of 25 in autumn', () => {
    expect(hours(berlin, '2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z')).toEqual([24, 23, 24])
    expect(hours(berlin, '2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z')).toEqual([24, 25, 24])
  })

  test('leave an hour an hour, also the one that comes twice', () => {
    const cut: Cut = { ...berlin, frequency: 'hourly' }
    const day = hours(cut, '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')
    expect(day).toEqual(Array.from({ length: 25 }, () => 1))
    expect(hours(cut, '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z')).toHaveLength(23)
  })

  test('by half an hour make two windows of half an hour', () => {
    const cut: Cut = { frequency: 'hourly', timeZone: 'Australia/Lord_Howe' }
    const day = hours(cut, '2026-10-03T13:30:00Z', '2026-10-04T13:00:00Z')
    expect(day.filter((length) => length === 0.5)).toHaveLength(1)
    expect(day.reduce((sum, length) => sum + length, 0)).toBe(23.5)
    expect(Math.max(...day)).toBe(1)
  })

  test('at midnight let the day begin at one', () => {
    const cut: Cut = { frequency: 'daily', timeZone: 'Africa/Cairo' }
    // Clocks go from 00:00 to 01:00 on Friday, 24 April 2026.
    expect(returned(cut, '2026-04-22T22:00:00Z', '2026-04-24T21:00:00Z')).toEqual([
      '2026-04-22T22:00 2026-04-23T22:00',
      '2026-04-23T22:00 2026-04-24T21:00',
    ])
  })

  test('back over midnight begin the day once', () => {
    const cut: Cut = { frequency: 'daily', timeZone: 'America/Goose_Bay' }
    // At 00:01 on 7 November 2010 clocks were put back to 23:01 of the day before.
    expect(hours(cut, '2010-11-06T03:00:00Z', '2010-11-08T04:00:00Z')).toEqual([24, 25])
  })

  test('over a whole day skip it', () => {
    const cut: Cut = { frequency: 'daily', timeZone: 'Pacific/Apia' }
    expect(hours(cut, '2011-12-29T10:00:00Z', '2012-01-01T10:00:00Z')).toEqual([24, 24, 24])
  })
})

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/St_Johns',
  'America/Havana',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Beirut',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
]
const cuts = fc.record({
  frequency: fc.constantFrom<Frequency>('hourly', 'daily', 'monthly'),
  timeZone: fc.constantFrom(...ZONES),
})
const instants = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2028, 0) })

test('windows part a flight: no gap, no overlap, each instant in exactly one', () => {
  fc.assert(
    fc.property(cuts, instants, fc.nat(40 * 24 * HOUR_MS), fc.nat(), (cut, from, length, pick) => {
      const until = from + length + 1
      const windows = [...windowsOf(cut, from, until)]
      expect(windows[0]?.start).toBe(from)
      expect(windows.at(-1)?.end).toBe(until)
      const isWhole = windows.every(
        ({ start, end }, index) =>
          end > start && (index === 0 || start === windows[index - 1]?.end),
      )
      expect(isWhole).toBe(true)
      const at = from + (pick % (length + 1))
      expect(windows.filter(({ start, end }) => start <= at && at < end)).toHaveLength(1)
    }),
    { numRuns: 100 },
  )
})

test('a flight that is cut anywhere continues with the same windows', () => {
  fc.assert(
    fc.property(cuts, instants, fc.nat(90), (cut, from, steps) => {
      const reach = { hourly: 2 * HOUR_MS, daily: 26 * HOUR_MS, monthly: 32 * 24 * HOUR_MS }
      const boundary = nextBoundary(cut, from)
      expect(boundary).toBeGreaterThan(from)
      expect(boundary - from).toBeLessThanOrEqual(reach[cut.frequency])
      // A caller that asks from within the window gets the same end.
      expect(nextBoundary(cut, from + ((boundary - from) * steps) / 91)).toBe(boundary)
      expect(boundaryBefore(cut, boundary)).toBe(boundary)
      expect(nextBoundary(cut, boundaryBefore(cut, from))).toBe(boundary)
    }),
    { numRuns: 300 },
  )
})

test('a boundary shows a full hour, midnight or the first of a month, unless clocks skipped it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<Frequency>('hourly', 'daily', 'monthly'),
      fc.constantFrom('Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns'),
      instants,
      (frequency, timeZone, from) => {
        const format = new Intl.DateTimeFormat('en-GB', {
          timeZone,
          day: '2-digit',
          hour: '2-digit',
          minute: '2-digit',
          hourCycle: 'h23',
        })
        const text = format.format(nextBoundary({ frequency, timeZone }, from))
        const ends = { hourly: /:00$/, daily: / 00:0[01]$/, monthly: /^0?1, 00:00$/ }
        expect(text).toMatch(ends[frequency])
      },
    ),
    { numRuns: 100 },
  )
})
