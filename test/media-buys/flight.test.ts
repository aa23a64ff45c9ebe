import { expect, test } from 'vitest'
import { createFaults } from '../../src/media-buys/faults.ts'
import { checkFlight, startOf } from '../../src/media-buys/flight.ts'

const NOW = Date.UTC(2026, 0, 10)
const MINUTE_MS = 60_000
const at = (minutes: number) => new Date(NOW + minutes * MINUTE_MS).toISOString()

function start(start_time: string, isAccepted = false) {
  const faults = createFaults()
  const start_at = startOf(start_time, { now: NOW, isAccepted }, { pointer: '/packages/3', faults })
  return { start_at, faults }
}

test('asap is now, and a start of up to five minutes ago is taken as it is', () => {
  expect(start('asap').start_at).toBe(NOW)
  const { start_at, faults } = start(at(-5))
  expect(start_at).toBe(NOW - 5 * MINUTE_MS)
  expect(() => faults.refuse()).not.toThrow()
})

test('an earlier start is refused at its field', () => {
  const { faults } = start(at(-6))
  expect(() => faults.refuse()).toThrow(
    '/packages/3/start_time: start_time must not be in the past',
  )
})

test('a start that passed while the seller decided is now', () => {
  const { start_at, faults } = start(at(-60 * 24 * 20), true)
  expect(start_at).toBe(NOW)
  expect(() => faults.refuse()).not.toThrow()
})

test('an end decades away is accepted, one in the past or beyond the calendar is not', () => {
  const check = (end_at: number) => {
    const faults = createFaults()
    checkFlight({ start_at: NOW, end_at, now: NOW }, faults)
    return () => faults.refuse()
  }
  expect(check(Date.UTC(2099, 11, 31))).not.toThrow()
  expect(check(NOW)).toThrow('/end_time: end_time must be after start_time')
  expect(check(Date.UTC(10_000, 0, 1))).toThrow('before the year 10000')
})
