import { expect, test } from 'vitest'
import { createRateLimit } from '../../../src/lib/token-bucket.ts'
import { createCallerUse } from '../../../src/signals/search/caller-use.ts'
import { limitKeyless, searchCallerOf } from '../../../src/signals/search/search-caller.ts'
import { fakeClock } from '../../support/fake-clock.ts'

test('a caller is its principal, or whom a call without a key is counted against', () => {
  const principal = { principal_id: 'prn_1', name: 'A', scopes: [] }
  expect(searchCallerOf({ principal, account: 'prn_1' })).toEqual({
    caller: 'principal prn_1',
    hasKey: true,
  })
  expect(searchCallerOf({ principal: undefined, account: 'address 192.0.2.1' })).toEqual({
    caller: 'address 192.0.2.1',
    hasKey: false,
  })
})

test('without a key the description is shorter, and the refusal names both limits', () => {
  const limits = { maxSpecLength: 10, rate: createRateLimit({ clock: fakeClock(), perMinute: 9 }) }
  const keyless = { caller: 'address x', hasKey: false }
  const long = { signal_spec: 'x'.repeat(11) }
  expect(() => limitKeyless(long, keyless, limits)).toThrow(
    '/signal_spec: This must have at most 10 characters without a key, and 4000 with one (got 11).',
  )
  expect(() => limitKeyless({ brief: 'x'.repeat(11) }, keyless, limits)).toThrow('/brief')
  expect(() => limitKeyless({ signal_spec: 'x'.repeat(10) }, keyless, limits)).not.toThrow()
  expect(() => limitKeyless(long, { ...keyless, hasKey: true }, limits)).not.toThrow()
})

test('without a key there is a rate for each address, and 429 says when to come again', () => {
  const clock = fakeClock()
  const limits = { maxSpecLength: 99, rate: createRateLimit({ clock, perMinute: 2 }) }
  const ask = (caller: string) => limitKeyless({}, { caller, hasKey: false }, limits)
  ask('x')
  ask('x')
  expect(() => ask('x')).toThrow('retry after 30 s, or send a key')
  expect(() => ask('y')).not.toThrow()
  clock.advance(30_000)
  expect(() => ask('x')).not.toThrow()
})

test('what was used is halved every ten seconds, and the crowd’s is the sum of its members’', () => {
  let now = 0
  const use = createCallerUse(() => now)
  const [x, y, p] = [
    { caller: 'x', hasKey: false },
    { caller: 'y', hasKey: false },
    { caller: 'p', hasKey: true },
  ]
  use.add(x, 8)
  use.add(y, 4)
  use.add(p, 2)
  expect(use.rankOf(x)).toEqual({ hasKey: false, own: 8, crowd: 12 })
  expect(use.rankOf(p)).toEqual({ hasKey: true, own: 2, crowd: 2 })
  now = 10_000
  expect(use.rankOf(x)).toEqual({ hasKey: false, own: 4, crowd: 6 })
  expect(use.rankOf({ caller: 'new', hasKey: true })).toEqual({ hasKey: true, own: 0, crowd: 0 })
})
