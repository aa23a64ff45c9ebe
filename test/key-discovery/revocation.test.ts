import { CompactSign, importJWK, type JWK } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  createRevocationCheck,
  type RevocationOptions,
} from '../../src/key-discovery/revocation.ts'
import { createSenderKeys } from '../../src/key-discovery/sender-keys.ts'
import { loopbackEgress } from '../lib/safe-fetch/loopback.ts'
import { fakeClock } from '../support/fake-clock.ts'
import {
  keyPair,
  REVOCATIONS,
  type RevocationFields,
  revocationList,
  sellerSite,
} from '../support/seller-site.ts'

const MINUTE = 60_000
const signing = keyPair('signing')
const stranger = keyPair('signing')

async function setting(options: Partial<RevocationOptions> = {}) {
  const site = await sellerSite()
  site.publish([signing.publicJwk])
  const clock = fakeClock()
  const egress = loopbackEgress()
  const warnings: string[] = []
  const note = (fields: unknown, message?: string) => {
    warnings.push(`${message} ${JSON.stringify(fields)}`)
  }
  const keys = createSenderKeys({ sellers: [{ agentUrl: site.agentUrl }], egress, clock })
  const check = createRevocationCheck({
    keys,
    egress,
    clock,
    type: 'proto-gov-revocation+jws',
    log: { warn: note, info: note },
    ...options,
  })
  const listOf = (fields: Partial<RevocationFields> = {}, pair = signing) =>
    revocationList(pair, {
      issuer: site.origin,
      updated: clock.now(),
      next_update: clock.now() + 15 * MINUTE,
      ...fields,
    })
  const publish = async (fields: Partial<RevocationFields> = {}, pair = signing) =>
    site.serve(REVOCATIONS, await listOf(fields, pair))
  return { site, clock, warnings, listOf, publish, of: (kid: string) => check(kid, site.agentUrl) }
}

describe('spec 5: the list of revoked keys', () => {
  test('revokes what it lists and nothing else', async () => {
    const { publish, of } = await setting()
    await publish({ revoked_kids: ['stolen'] })
    expect(await of('stolen')).toBe('revoked')
    expect(await of('signing')).toBe('current')
  })

  test('a key is refused within one polling interval of its revocation', async () => {
    const { publish, of, clock, site } = await setting()
    await publish()
    expect(await of('key')).toBe('current')
    await publish({ revoked_kids: ['key'] })
    clock.advance(15 * MINUTE - 1)
    expect(await of('key')).toBe('current')
    expect(site.requested(REVOCATIONS)).toBe(1)
    clock.advance(1)
    expect(await of('key')).toBe('revoked')
    expect(site.requested(REVOCATIONS)).toBe(2)
  })

  test('many checks at once wait for one fetch', async () => {
    const { publish, of, site } = await setting()
    await publish()
    await Promise.all(Array.from({ length: 50 }, (_, n) => of(`k${n}`)))
    expect(site.requested(REVOCATIONS)).toBe(1)
  })

  test.each([
    ['at most once a minute', 1_000, MINUTE],
    ['at least every 30 minutes', 24 * 60 * MINUTE, 30 * MINUTE],
  ])('is requested %s', async (_what, validity, pause) => {
    const { publish, of, clock, site } = await setting()
    await publish({ next_update: clock.now() + validity })
    await of('key')
    clock.advance(pause - 1)
    await of('key')
    expect(site.requested(REVOCATIONS)).toBe(1)
    clock.advance(1)
    await of('key')
    expect(site.requested(REVOCATIONS)).toBe(2)
  })

  test('is requested with its ETag, and 304 keeps it', async () => {
    const { listOf, of, clock, site } = await setting()
    const text = JSON.stringify(await listOf({ revoked_kids: ['stolen'] }))
    const conditions: unknown[] = []
    site.answer(REVOCATIONS, (response, headers) => {
      conditions.push(headers['if-none-match'])
      if (headers['if-none-match'] === '"v1"') response.writeHead(304).end()
      else response.writeHead(200, { etag: '"v1"' }).end(text)
    })
    await of('stolen')
    clock.advance(15 * MINUTE)
    expect(await of('stolen')).toBe('revoked')
    expect(conditions).toEqual([undefined, '"v1"'])
  })

  test('may be in the compact form', async () => {
    const { of, clock, site } = await setting()
    const payload = {
      version: 1,
      issuer: site.origin,
      updated: Math.floor(clock.now() / 1_000),
      next_update: Math.floor(clock.now() / 1_000) + 900,
      revoked_kids: ['stolen'],
    }
    const jws = await new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: 'EdDSA', kid: 'signing', typ: 'proto-gov-revocation+jws' })
      .sign(await importJWK(signing.privateJwk as JWK, 'EdDSA'))
    site.serve(REVOCATIONS, jws, 200, { 'content-type': 'application/jose' })
    expect(await of('stolen')).toBe('revoked')
  })

  test('may be signed by a key that was published after the copy that is held', async () => {
    const { publish, of, clock, site } = await setting()
    await publish()
    await of('key')
    clock.advance(15 * MINUTE - MINUTE)
    const next = keyPair('next')
    await of('key')
    site.publish([signing.publicJwk, next.publicJwk])
    clock.advance(MINUTE)
    await publish({ revoked_kids: ['key'] }, next)
    expect(await of('key')).toBe('revoked')
  })
})

describe('spec 5: a list that is too old blocks every key', () => {
  test('four intervals after it should have been renewed', async () => {
    const { publish, of, clock, site } = await setting()
    await publish({ next_update: clock.now() + 10 * MINUTE, revoked_kids: ['stolen'] })
    expect(await of('key')).toBe('current')
    site.serve(REVOCATIONS, 'away', 503)
    clock.advance(50 * MINUTE)
    expect(await of('key')).toBe('current')
    expect(await of('stolen')).toBe('revoked')
    clock.advance(1)
    expect(await of('key')).toBe('stale')
    clock.advance(MINUTE)
    await publish()
    expect(await of('key')).toBe('current')
  })

  test('a list that is taken away revokes as before, until it is too old', async () => {
    const { publish, of, clock, site } = await setting()
    await publish({ revoked_kids: ['stolen'] })
    await of('stolen')
    site.remove(REVOCATIONS)
    clock.advance(20 * MINUTE)
    expect(await of('stolen')).toBe('revoked')
    clock.advance(60 * MINUTE)
    expect(await of('key')).toBe('stale')
  })

  test('an older list does not take the place of a newer one', async () => {
    const { publish, listOf, of, clock, site } = await setting()
    const before = await listOf()
    clock.advance(MINUTE)
    await publish({ revoked_kids: ['stolen'] })
    await of('stolen')
    site.serve(REVOCATIONS, before)
    clock.advance(15 * MINUTE)
    expect(await of('stolen')).toBe('revoked')
  })

  test('a list said to be good for a year is good for a week', async () => {
    const { publish, of, clock, site } = await setting()
    const day = 24 * 60 * MINUTE
    await publish({ next_update: clock.now() + 365 * day })
    await of('key')
    site.serve(REVOCATIONS, 'away', 503)
    clock.advance(8 * day)
    expect(await of('key')).toBe('stale')
  })
})

describe('an operator without a list', () => {
  test('has current keys, which is logged once, and is queried again', async () => {
    const { of, clock, site, warnings, publish } = await setting()
    expect(await of('key')).toBe('current')
    expect(await of('key')).toBe('current')
    expect(site.requested(REVOCATIONS)).toBe(1)
    clock.advance(5 * MINUTE)
    await of('key')
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/publishes no list/)
    await publish({ revoked_kids: ['key'] })
    clock.advance(5 * MINUTE)
    expect(await of('key')).toBe('revoked')
  })

  test('is not waited for again and again while it cannot be reached at all', async () => {
    let requested = 0
    const result = { ok: false, code: 'connect_timeout', message: 'away', durationMs: 1 } as const
    let answer = () => {}
    const egress = {
      fetch: async () => {
        requested++
        if (requested > 1) await new Promise<void>((resolve) => (answer = resolve))
        return result
      },
    }
    const clock = fakeClock()
    const keys = { keySet: async () => ({ ok: false, reason: 'none' }) as const }
    const ports = { keys, egress, type: 'x', clock }
    const check = createRevocationCheck({ ...ports, whenUnreachable: 'current' })
    expect(await check('key', 'https://seller.example/agent')).toBe('current')
    clock.advance(2 * MINUTE)
    expect(await check('key', 'https://seller.example/agent')).toBe('current')
    expect(requested).toBe(2)
    answer()
    const strict = createRevocationCheck({ ...ports, egress: { fetch: async () => result } })
    expect(await strict('key', 'https://seller.example/agent')).toBe('stale')
  })

  test('has none to trust where that is required', async () => {
    const { of } = await setting({ whenAbsent: 'stale' })
    expect(await of('key')).toBe('stale')
  })
})

describe('a list that proves nothing blocks the keys until a good one comes', () => {
  test.each<[string, Partial<RevocationFields>, typeof signing]>([
    ['signed by somebody else under the same kid', {}, stranger],
    ['signed by a key that is not published', {}, keyPair('unpublished')],
    ['of another issuer', { issuer: 'https://other.example' }, signing],
    ['of another type', { typ: 'JWT' }, signing],
    ['of another protocol name', { typ: 'adcp-gov-revocation+jws' }, signing],
    ['whose times are not in order', { next_update: 0 }, signing],
  ])('%s', async (_what, fields, pair) => {
    const { publish, of, clock, warnings } = await setting()
    await publish(fields, pair)
    expect(await of('key')).toBe('stale')
    expect(warnings.join()).toMatch(/no usable revocation list/)
    await publish()
    clock.advance(MINUTE)
    expect(await of('key')).toBe('current')
  })

  test.each([
    ['HTML', '<!doctype html>', 200],
    ['an unsigned list', '{"version":1,"revoked_kids":[]}', 200],
    ['a JWS without signatures', '{"payload":"e30","signatures":[]}', 200],
    ['an error', 'oops', 500],
    ['a redirect', '', 302],
    ['more than 256 KiB', `"${'x'.repeat(300_000)}"`, 200],
  ])('%s', async (_what, text, status) => {
    const { site, of } = await setting()
    site.serve(REVOCATIONS, text, status, { location: '/elsewhere' })
    expect(await of('key')).toBe('stale')
  })

  test('a signer that is no trusted seller has no list to trust', async () => {
    const { site } = await setting()
    const egress = loopbackEgress()
    const keys = createSenderKeys({ sellers: [], egress })
    const check = createRevocationCheck({ keys, egress, type: 'x' })
    site.serve(REVOCATIONS, '{}')
    expect(await check('key', site.agentUrl)).toBe('stale')
    expect(await check('key', 'no url')).toBe('stale')
  })
})
