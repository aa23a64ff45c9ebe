import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  planRevocation,
  planRotation,
  publishedKeysAt,
  RETIRING_MS,
  signingKeyAt,
  stateAt,
} from '../../src/keys/lifecycle.ts'
import type { SigningKeyRecord } from '../../src/keys/store.ts'
import { runs } from '../support/runs.ts'
import { keyRecord } from '../support/signing-keys.ts'

const LEAD_MS = 600_000
/** The longest time a signature is accepted: its window and the skew of clocks. */
const SIGNATURE_MS = 360_000

/** Keys as a store would hold them after each plan. */
function keyHouse() {
  let keys: SigningKeyRecord[] = []
  const write = (changed: readonly SigningKeyRecord[]) => {
    const kids = new Set(changed.map(({ kid }) => kid))
    keys = [...keys.filter(({ kid }) => !kids.has(kid)), ...changed]
    keys.sort((a, b) => a.published_at - b.published_at)
  }
  const of = (kid: string) => {
    const key = keys.find((one) => one.kid === kid)
    if (!key) throw new Error(`there is no ${kid}`)
    return key
  }
  return {
    all: () => keys,
    of,
    generate: (now: number, overrides: Partial<SigningKeyRecord> = {}) => {
      const key = keyRecord({ published_at: now, ...overrides })
      write([key])
      return key.kid
    },
    rotate: (now: number, { leadMs = LEAD_MS, kid }: { leadMs?: number; kid?: string } = {}) => {
      const next = kid === undefined ? keyRecord({ published_at: now }) : of(kid)
      write(planRotation(keys, next, { now, leadMs }))
      return next.kid
    },
    revoke: (now: number, kid: string) => {
      const { changed, needsSuccessor } = planRevocation(keys, of(kid), now)
      write(changed)
      if (needsSuccessor) write([keyRecord({ published_at: now, active_from: now })])
      return needsSuccessor
    },
    states: (now: number) => keys.map((key) => [key.kid, stateAt(key, now)]),
    signing: (now: number) => signingKeyAt(keys, now)?.kid,
    published: (now: number) => publishedKeysAt(keys, now).map(({ kid }) => kid),
  }
}

describe('spec 5: a rotation', () => {
  test('lets the first key of all sign at once', () => {
    const house = keyHouse()
    const first = house.rotate(1_000)
    expect(house.signing(1_000)).toBe(first)
    expect(house.states(1_000)).toEqual([[first, 'active']])
  })

  test('publishes a key for the lead time before it signs, and the old one until signatures end', () => {
    const house = keyHouse()
    const first = house.rotate(0)
    const second = house.rotate(1_000)
    const change = 1_000 + LEAD_MS
    expect(house.published(1_000)).toEqual([first, second])
    expect(house.signing(change - 1)).toBe(first)
    expect(house.signing(change)).toBe(second)
    expect(house.states(change)).toEqual([
      [first, 'retiring'],
      [second, 'active'],
    ])
    expect(house.published(change + RETIRING_MS - 1)).toEqual([first, second])
    expect(house.published(change + RETIRING_MS)).toEqual([second])
    expect(house.states(change + RETIRING_MS)[0]).toEqual([first, 'removed'])
  })

  test('takes up a key that was published earlier, at once when the lead time is over', () => {
    const house = keyHouse()
    const first = house.rotate(0)
    const spare = house.generate(0)
    expect(house.signing(LEAD_MS * 2)).toBe(first)
    house.rotate(LEAD_MS, { kid: spare })
    expect(house.signing(LEAD_MS)).toBe(spare)
  })

  test('without lead time overtakes a rotation that is under way', () => {
    const house = keyHouse()
    const first = house.rotate(0)
    const second = house.rotate(0)
    const third = house.rotate(10, { leadMs: 0 })
    expect(house.signing(10)).toBe(third)
    expect(house.signing(LEAD_MS * 2)).toBe(third)
    expect(house.of(first).retired_at).toBe(10)
    expect(stateAt(house.of(second), LEAD_MS)).toBe('retiring')
  })

  test('concerns one purpose only', () => {
    const house = keyHouse()
    const webhooks = house.rotate(0)
    house.generate(0, { purpose: 'request-signing', active_from: 0 })
    expect(signingKeyAt(house.all(), 5, 'request-signing')?.purpose).toBe('request-signing')
    house.rotate(10, { leadMs: 0 })
    expect(house.of(webhooks).retired_at).toBe(10)
    expect(signingKeyAt(house.all(), 50, 'request-signing')?.retired_at).toBeNull()
  })
})

describe('spec 5: a revocation', () => {
  test('unpublishes a key and erases it', () => {
    const house = keyHouse()
    const first = house.rotate(0)
    expect(house.revoke(5, first)).toBe(true)
    expect(house.of(first)).toMatchObject({ revoked_at: 5, private_key: null })
    expect(house.published(5)).not.toContain(first)
    expect(house.signing(5)).not.toBe(first)
  })

  test('of the signing key lets the next one sign at once', () => {
    const house = keyHouse()
    const first = house.rotate(0)
    const second = house.rotate(10)
    expect(house.revoke(20, first)).toBe(false)
    expect(house.signing(20)).toBe(second)
    expect(house.of(second)).toMatchObject({ active_from: 20, retired_at: null })
  })

  test('of the signing key takes up one that was only published', () => {
    const house = keyHouse()
    const first = house.rotate(0)
    const spare = house.generate(3)
    expect(house.revoke(20, first)).toBe(false)
    expect(house.signing(20)).toBe(spare)
  })

  test('of the next key lets the old one continue', () => {
    const house = keyHouse()
    const first = house.rotate(0)
    const second = house.rotate(10)
    house.revoke(20, second)
    expect(house.of(first)).toMatchObject({ retired_at: null, remove_at: null })
    expect(house.signing(LEAD_MS * 3)).toBe(first)
  })

  test('of one of several to come leaves no gap', () => {
    const house = keyHouse()
    const first = house.rotate(0)
    const second = house.rotate(10)
    const third = house.rotate(1_000)
    house.revoke(2_000, second)
    expect(house.signing(999 + LEAD_MS)).toBe(first)
    expect(house.signing(1_000 + LEAD_MS)).toBe(third)
  })
})

test('a lagging clock finds the first key although its time is still to come', () => {
  const house = keyHouse()
  const first = house.rotate(10_000)
  expect(house.signing(8_000)).toBe(first)
  expect(house.published(8_000)).toEqual([first])
})

type Step =
  | { do: 'wait'; ms: number }
  | { do: 'generate' }
  | { do: 'rotate'; now: boolean; spare: boolean }
  | { do: 'revoke'; which: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.nat(2 * RETIRING_MS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('generate') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('rotate'),
      now: fc.boolean(),
      spare: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke'), which: fc.nat(20) }) },
) as fc.Arbitrary<Step>

test('whatever is rotated and revoked when: one key signs, and its signatures can be verified', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const house = keyHouse()
      const signatures: { kid: string; expires: number }[] = []
      /** Keys that were made to sign before the lead time: by an operator, or because there was no other. */
      const hurried = new Set([house.rotate(0)])
      let now = 0
      const look = () => {
        const kid = house.signing(now)
        if (kid === undefined) throw new Error(`nothing signs at ${now}`)
        const active = house.states(now).filter(([, state]) => state === 'active')
        expect(active).toEqual([[kid, 'active']])
        signatures.push({ kid, expires: now + SIGNATURE_MS })
        const key = house.of(kid)
        if (!hurried.has(kid)) expect(now).toBeGreaterThanOrEqual(key.published_at + LEAD_MS)
        const published = house.published(now)
        for (const { kid: signer, expires } of signatures) {
          const isVoid = house.of(signer).revoked_at !== null
          if (expires >= now && !isVoid) expect(published).toContain(signer)
        }
      }
      for (const one of steps) {
        if (one.do === 'wait') {
          // Looks on the way as well, so that a gap between two steps is seen.
          for (let part = 0; part < 7; part++, now += one.ms / 7) look()
        } else if (one.do === 'generate') {
          house.generate(now)
        } else if (one.do === 'rotate') {
          const spare = one.spare
            ? house.all().find((key) => key.active_from === null && key.revoked_at === null)
            : undefined
          const kid = house.rotate(now, {
            ...(one.now ? { leadMs: 0 } : {}),
            ...(spare ? { kid: spare.kid } : {}),
          })
          if (one.now) hurried.add(kid)
        } else {
          const kids = house.all().map(({ kid }) => kid)
          house.revoke(now, kids[one.which % kids.length] as string)
          for (const [kid, state] of house.states(now)) {
            if (state === 'active') hurried.add(kid as string)
          }
        }
        look()
      }
    }),
    { numRuns: runs({ usual: 80, all: 300 }) },
  )
})
