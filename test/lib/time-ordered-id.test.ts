import { expect, test } from 'vitest'
import { timeOrderedId } from '../../src/lib/time-ordered-id.ts'

test('ids are UUIDs of version 7 (RFC 9562), ordered by their milliseconds, and never the same', () => {
  const times = [0, 1, 255, 1_763_424_000_000, 1_763_424_000_001, 0xffff_ffff_ffff]
  const ids = times.map((time) => timeOrderedId(time))
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
  expect([...ids].sort()).toEqual(ids)
  expect(ids.map((id) => Number.parseInt(id.replace('-', '').slice(0, 12), 16))).toEqual(times)
  expect(new Set(Array.from({ length: 1_000 }, () => timeOrderedId(7))).size).toBe(1_000)
})
