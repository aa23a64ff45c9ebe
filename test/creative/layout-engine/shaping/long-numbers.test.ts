import { describe, expect, test } from 'vitest'
import {
  longNumbersIn,
  withIsolates,
} from '../../../../src/creative/layout-engine/shaping/long-numbers.ts'
import { shapeLine } from '../../../../src/creative/layout-engine/shaping/shape-line.ts'
import { writingOf } from '../../../../src/creative/layout-engine/shaping/writing.ts'

/** The pieces of a line as they stand, from left to right. */
const inSight = (text: string) =>
  shapeLine(text, 'regular', writingOf([text])).runs.map((run) => run.text)

describe('UAX 9: a number in several groups is read from left to right within', () => {
  test.each([
    ['اتصل على 0123-456-789 اليوم', '0123-456-789'],
    ['اتصل على +971 50 123 4567 اليوم', '+971 50 123 4567'],
    ['התקשרו 03 123 4567 עכשיו', '03 123 4567'],
    ['רק 1 990 שקל', '1 990'],
  ])('%s', (text, number) => {
    expect(inSight(text)).toContain(number)
  })

  test('and a range, a date and a price stay as the script orders them', () => {
    for (const text of ['2025-2026', '31/12/2026', '10-20', '49.90', '1,299'])
      expect(longNumbersIn(text)).toEqual([])
    expect(inSight('خلال 2025-2026 فقط').indexOf('2026')).toBeLessThan(
      inSight('خلال 2025-2026 فقط').indexOf('2025'),
    )
  })

  test('in a banner, which the browser sets, by isolates', () => {
    expect(withIsolates('اتصل على 0123-456-789.')).toBe('اتصل على \u20660123-456-789\u2069.')
  })
})
