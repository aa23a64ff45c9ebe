import { expect, test } from 'vitest'
import { secretUuid7, uuid7 } from '../../src/lib/uuid7.ts'

test('an id is a UUID of version 7 that holds its time', () => {
  const now = Date.UTC(2100, 0, 1)
  const id = uuid7(now)
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(now)
})

test('ids sort in the order they were made, also many of one millisecond', () => {
  const now = Date.UTC(2100, 0, 2)
  const ids = Array.from({ length: 10_000 }, () => uuid7(now))
  expect(ids).toEqual([...ids].sort())
  expect(new Set(ids).size).toBe(ids.length)
})

test('a clock that steps back does not make an id sort before earlier ones', () => {
  const before = uuid7(Date.UTC(2100, 0, 3))
  expect(uuid7(Date.UTC(2099, 0, 1)) > before).toBe(true)
})

test('one that no one may guess is of version 7 too, and all its bits but time and version are random', () => {
  const times = [1, 255, Date.UTC(2026, 0, 1), Date.UTC(2100, 0, 4)]
  const ids = times.map((time) => secretUuid7(time))
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
  expect(ids.map((id) => Number.parseInt(id.replace('-', '').slice(0, 12), 16))).toEqual(times)
  const many = Array.from({ length: 2_000 }, () => secretUuid7(7))
  expect(new Set(many.map((id) => id.slice(15, 18))).size).toBeGreaterThan(1_000)
  expect(new Set(many.map((id) => id.slice(19))).size).toBe(2_000)
})
