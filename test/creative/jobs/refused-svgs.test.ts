import { expect, test } from 'vitest'
import { createRefusedSvgs } from '../../../src/creative/jobs/refused-svgs.ts'
import { MAX_REFUSED_SVGS } from '../../../src/creative/limits.ts'

const file = (text: string) => Buffer.from(`<svg>${text}</svg>`)

test('a file is remembered by what it holds, for a quarter of an hour or as long as is said', () => {
  let now = 1_000
  const refused = createRefusedSvgs(() => now)
  refused.remember(file('a'), 'too much of a')
  refused.remember(file('b'), 'too much of b', 1)
  expect([refused.reason(file('a')), refused.reason(file('b')), refused.reason(file('c'))]).toEqual(
    ['too much of a', 'too much of b', undefined],
  )
  now += 60_000
  expect([refused.reason(file('a')), refused.reason(file('b'))]).toEqual([
    'too much of a',
    undefined,
  ])
  now += 14 * 60_000
  expect(refused.reason(file('a'))).toBeUndefined()
})

test('reasons are remembered up to the limit, and the oldest are forgotten', () => {
  const refused = createRefusedSvgs(() => 0)
  const first = file('first')
  refused.remember(first, 'first')
  for (let n = 1; n < MAX_REFUSED_SVGS; n++) refused.remember(file(String(n)), 'other')
  expect(refused.reason(file('1'))).toBe('other')
  for (let n = 0; n < 2 * MAX_REFUSED_SVGS; n++) refused.remember(file(`more ${n}`), 'other')
  expect(refused.reason(first)).toBeUndefined()
})
