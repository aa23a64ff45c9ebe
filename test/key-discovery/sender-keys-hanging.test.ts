import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSenderKeys } from '../../src/key-discovery/sender-keys.ts'
import type { EgressResult } from '../../src/lib/safe-fetch/safe-fetch.ts'
import type { Jwk } from '../../src/signing/ports.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { keyPair } from '../support/seller-site.ts'
import { watchTimeouts } from '../support/watch-timeouts.ts'

const one = keyPair('one').publicJwk
const two = keyPair('two').publicJwk
const HANGING = { agentUrl: 'https://hanging.example/mcp', jwksUrl: 'https://hanging.example/jwks' }
const GOOD = { agentUrl: 'https://good.example/mcp', jwksUrl: 'https://good.example/jwks' }
const TTL_MS = 300_000

let timeouts = () => 0
beforeEach(() => {
  // Those that are used here: the process may have other work left that sets immediates and intervals.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  timeouts = watchTimeouts('key-discovery/')
})
afterEach(() => {
  vi.useRealTimers()
})

/** Key sets by their URL; `hangs` never answers, and an error is an answer too. */
function world(sellers = [HANGING, GOOD]) {
  const sets = new Map<string, readonly Jwk[] | 'hangs' | 'away'>()
  const requested: string[] = []
  const warnings: string[] = []
  const clock = fakeClock()
  const fetch = ({ url }: { url: string }): Promise<EgressResult> => {
    requested.push(url)
    const set = sets.get(url)
    if (set === 'hangs' || set === undefined) return new Promise(() => {})
    const status = set === 'away' ? 503 : 200
    const body = Buffer.from(JSON.stringify({ keys: set }))
    return Promise.resolve({ ok: true, status, headers: {}, body, url } as unknown as EgressResult)
  }
  const log = { warn: (_fields: unknown, message?: string) => warnings.push(message ?? '') }
  const keys = createSenderKeys({ sellers, egress: { fetch }, clock, log })
  const times = (url: string) => requested.filter((each) => each === url).length
  return { sets, clock, keys, times, warnings }
}

/** Fails the test, rather than wait, when an answer takes any time at all. */
async function atOnce<T>(answer: Promise<T>): Promise<T> {
  const pending = Symbol('still waiting')
  const first = await Promise.race([answer, vi.advanceTimersByTimeAsync(0).then(() => pending)])
  if (first === pending) throw new Error('the answer was not there at once')
  return first as T
}

const isPending = (answer: Promise<unknown>) =>
  atOnce(answer).then(
    () => false,
    () => true,
  )

describe('a trusted seller whose key set never answers', () => {
  test('holds up no one else, once keys were known', async () => {
    const { sets, clock, keys } = world()
    sets.set(HANGING.jwksUrl, [one]).set(GOOD.jwksUrl, [two])
    expect(await atOnce(keys.find('two'))).toMatchObject({ signer: GOOD.agentUrl })
    sets.set(HANGING.jwksUrl, 'hangs')
    clock.advance(TTL_MS)
    for (let n = 0; n < 3; n++) {
      expect(await atOnce(keys.find('two'))).toMatchObject({ signer: GOOD.agentUrl })
    }
    // Its own keys are not trusted beyond their lifetime.
    expect(await isPending(keys.find('one'))).toBe(true)
  })

  test('and never did holds others up once since the start, for a second', async () => {
    const { keys, sets } = world()
    sets.set(GOOD.jwksUrl, [two])
    const first = keys.find('two')
    await vi.advanceTimersByTimeAsync(999)
    expect(await isPending(first)).toBe(true)
    await vi.advanceTimersByTimeAsync(1)
    expect(await atOnce(first)).toEqual({ jwk: two, signer: GOOD.agentUrl })
    expect(await atOnce(keys.find('two'))).toMatchObject({ signer: GOOD.agentUrl })
    expect(timeouts()).toBe(0)
  })

  test('does not hold up a key that another has rotated to', async () => {
    const { sets, clock, keys } = world()
    sets.set(HANGING.jwksUrl, []).set(GOOD.jwksUrl, [two])
    await atOnce(keys.find('two'))
    sets.set(HANGING.jwksUrl, 'hangs').set(GOOD.jwksUrl, [{ ...two, kid: 'three' }])
    expect(await atOnce(keys.find('three'))).toMatchObject({ signer: GOOD.agentUrl })
    clock.advance(TTL_MS)
    expect(await atOnce(keys.find('three'))).toMatchObject({ signer: GOOD.agentUrl })
  })

  test('is waited for by a key that no one else has, for ten seconds', async () => {
    const { sets, keys } = world()
    sets.set(GOOD.jwksUrl, [two])
    const unknown = keys.find('one')
    await vi.advanceTimersByTimeAsync(9_999)
    expect(await isPending(unknown)).toBe(true)
    await vi.advanceTimersByTimeAsync(1)
    expect(await atOnce(unknown)).toBeUndefined()
  })
})

describe('a kid that a seller had when it was reached last', () => {
  const impostor = { ...two, kid: 'one' }

  test('belongs to both, and is not waited for when the keys differ: the signature decides', async () => {
    for (const sellers of [
      [HANGING, GOOD],
      [GOOD, HANGING],
    ]) {
      const { sets, clock, keys } = world(sellers)
      sets.set(HANGING.jwksUrl, [one]).set(GOOD.jwksUrl, [impostor])
      const both = sellers.map(({ agentUrl }) => ({ signer: agentUrl }))
      expect(await atOnce(keys.find('one'))).toMatchObject(both)
      clock.advance(TTL_MS)
      expect(await atOnce(keys.find('one'))).toMatchObject(both)
      clock.advance(TTL_MS)
      sets.set(HANGING.jwksUrl, 'hangs')
      expect(await atOnce(keys.find('one'))).toEqual({ jwk: impostor, signer: GOOD.agentUrl })
    }
  })

  test('is waited for when the other has published the very same key since', async () => {
    const { sets, clock, keys } = world()
    sets.set(HANGING.jwksUrl, [one]).set(GOOD.jwksUrl, [])
    await atOnce(keys.find('one'))
    clock.advance(TTL_MS)
    sets.set(HANGING.jwksUrl, 'hangs').set(GOOD.jwksUrl, [{ ...one }])
    expect(await isPending(keys.find('one'))).toBe(true)
  })

  test('belongs to the other when that one is unreachable and the keys differ: the signature decides', async () => {
    const { sets, clock, keys } = world()
    sets.set(HANGING.jwksUrl, [one]).set(GOOD.jwksUrl, [impostor])
    await atOnce(keys.find('one'))
    clock.advance(TTL_MS)
    sets.set(HANGING.jwksUrl, 'away')
    expect(await atOnce(keys.find('one'))).toEqual({ jwk: impostor, signer: GOOD.agentUrl })
  })

  test('is no one’s when the other published a copy of the key, away or hanging', async () => {
    const { sets, clock, keys, warnings } = world()
    sets.set(HANGING.jwksUrl, [one]).set(GOOD.jwksUrl, [])
    expect(await atOnce(keys.find('one'))).toMatchObject({ signer: HANGING.agentUrl })
    clock.advance(TTL_MS)
    sets.set(HANGING.jwksUrl, 'away').set(GOOD.jwksUrl, [{ ...one }])
    expect(await atOnce(keys.find('one'))).toBeUndefined()
    expect(warnings).toContain('several sellers claim a key')
    clock.advance(TTL_MS)
    sets.set(HANGING.jwksUrl, 'hangs')
    const found = keys.find('one')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await atOnce(found)).toBeUndefined()
  })

  test('belongs to it at once when it is at hand, while the other one hangs', async () => {
    const { sets, clock, keys } = world()
    sets.set(HANGING.jwksUrl, []).set(GOOD.jwksUrl, [one])
    await atOnce(keys.find('one'))
    clock.advance(TTL_MS)
    sets.set(HANGING.jwksUrl, 'hangs')
    expect(await atOnce(keys.find('one'))).toEqual({ jwk: one, signer: GOOD.agentUrl })
  })
})

test('a key that is at hand asks no other seller for a new copy', async () => {
  const { sets, clock, keys, times } = world()
  sets.set(HANGING.jwksUrl, [one]).set(GOOD.jwksUrl, [two])
  for (let n = 0; n < 4; n++) {
    await atOnce(keys.find('two'))
    await atOnce(keys.find('one'))
    clock.advance(31_000)
  }
  expect([times(HANGING.jwksUrl), times(GOOD.jwksUrl)]).toEqual([1, 1])
})
