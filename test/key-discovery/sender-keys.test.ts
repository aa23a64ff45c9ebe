import { describe, expect, test } from 'vitest'
import { createSenderKeys, type SenderKeysOptions } from '../../src/key-discovery/sender-keys.ts'
import type { TrustedSeller } from '../../src/key-discovery/trusted-seller.ts'
import { createEgress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { loopbackEgress, testEgress } from '../lib/safe-fetch/loopback.ts'
import { fakeClock } from '../support/fake-clock.ts'
import {
  ADAGENTS,
  BRAND,
  JWKS,
  keyPair,
  type SellerSite,
  sellerSite,
} from '../support/seller-site.ts'

const one = keyPair('one')
const two = keyPair('two')

async function setting(
  seller: (site: SellerSite) => Partial<TrustedSeller> = () => ({}),
  options: Partial<SenderKeysOptions> = {},
) {
  const site = await sellerSite()
  site.publish([one.publicJwk])
  const clock = fakeClock()
  const warnings: string[] = []
  const keys = createSenderKeys({
    sellers: [{ agentUrl: site.agentUrl, ...seller(site) }],
    egress: loopbackEgress(),
    clock,
    log: { warn: (fields: unknown) => warnings.push(JSON.stringify(fields)) },
    ...options,
  })
  return { site, clock, keys, warnings }
}

describe('spec 5: from the agent URL to the key', () => {
  test('brand.json, the entry with this URL, the default key set, the kid', async () => {
    const { site, keys } = await setting()
    expect(await keys.find('one')).toEqual({ jwk: one.publicJwk, signer: site.agentUrl })
    expect(await keys.find('two')).toBeUndefined()
    expect(await keys.forSeller(site.agentUrl)('one')).toMatchObject({ signer: site.agentUrl })
    expect(await keys.find('one', { seller: 'https://other.example/' })).toBeUndefined()
  })

  test('the jwks_uri of the entry is used, and the default one is not requested', async () => {
    const { site, keys } = await setting()
    const agent = { type: 'sales', id: 'a', url: site.agentUrl, jwks_uri: `${site.origin}/keys` }
    site.serve(BRAND, { agents: [agent] })
    site.serve('/keys', { keys: [two.publicJwk] })
    expect(await keys.find('two')).toMatchObject({ jwk: two.publicJwk })
    expect(site.requested(JWKS)).toBe(0)
  })

  test('agents of a brand in a portfolio count too', async () => {
    const { site, keys } = await setting()
    const agents = [{ type: 'sales', id: 'a', url: site.agentUrl }]
    site.serve(BRAND, { house: { domain: 'a.example', name: 'A' }, brands: [{ id: 'b', agents }] })
    expect(await keys.find('one')).toBeDefined()
  })

  test('a configured key set skips brand.json', async () => {
    const { site, keys } = await setting(({ origin }) => ({ jwksUrl: `${origin}${JWKS}` }))
    expect(await keys.find('one')).toBeDefined()
    expect(site.requested(BRAND)).toBe(0)
  })

  test.each(['/MCP', '/mcp?x', '/mcp#'])('the entry %s is not /mcp', async (path) => {
    const { site, keys } = await setting()
    site.serve(BRAND, { agents: [{ type: 'sales', id: 'a', url: `${site.origin}${path}` }] })
    expect(await keys.find('one')).toBeUndefined()
  })

  test('two entries with the URL are ambiguous, and so is a kid that stands twice in a set', async () => {
    const { site, keys } = await setting()
    const agent = { type: 'sales', id: 'a', url: site.agentUrl }
    site.serve(BRAND, { agents: [agent, { ...agent, id: 'b' }] })
    expect(await keys.find('one')).toBeUndefined()

    const again = await setting()
    again.site.publish([one.publicJwk, { ...two.publicJwk, kid: 'one' }])
    expect(await again.keys.find('one')).toBeUndefined()
  })

  test('one pointer of brand.json is followed, a second is not, nor a redirect of HTTP', async () => {
    const { site, keys, clock } = await setting()
    const agents = [{ type: 'sales', id: 'a', url: site.agentUrl }]
    site.serve(BRAND, { authoritative_location: `${site.origin}/real.json` })
    site.serve('/real.json', { agents })
    expect(await keys.find('one')).toBeDefined()

    clock.advance(300_000)
    site.serve('/real.json', { authoritative_location: `${site.origin}/more.json` })
    site.serve('/more.json', { agents })
    expect(await keys.find('one')).toBeUndefined()
    expect(site.requested('/more.json')).toBe(0)

    clock.advance(300_000)
    site.serve(BRAND, '', 302, { location: '/more.json' })
    expect(await keys.find('one')).toBeUndefined()
    expect(site.requested('/more.json')).toBe(0)
  })

  test('an address that is none is refused at the start', () => {
    const egress = { fetch: createEgress().fetch }
    expect(() => createSenderKeys({ sellers: [{ agentUrl: 'seller' }], egress })).toThrow(TypeError)
  })
})

describe('what is fetched is kept, within bounds', () => {
  test('for five minutes, and by one flight at a time', async () => {
    const { site, keys, clock } = await setting()
    const all = await Promise.all(Array.from({ length: 50 }, () => keys.find('one')))
    expect(all.every((found) => found !== undefined)).toBe(true)
    expect([site.requested(BRAND), site.requested(JWKS)]).toEqual([1, 1])
    clock.advance(299_999)
    await keys.find('one')
    expect(site.requested(JWKS)).toBe(1)
    clock.advance(1)
    await keys.find('one')
    expect([site.requested(BRAND), site.requested(JWKS)]).toEqual([2, 2])
  })

  test('spec 5: an unknown kid asks once more, then not again for 30 seconds', async () => {
    const { site, keys, clock } = await setting()
    await keys.find('one')
    site.publish([one.publicJwk, two.publicJwk])
    const rotated = await Promise.all(Array.from({ length: 50 }, () => keys.find('two')))
    for (const found of rotated) expect(found).toMatchObject({ jwk: { kid: 'two' } })
    expect(site.requested(JWKS)).toBe(2)

    for (let n = 0; n < 20; n++) expect(await keys.find(`guess-${n}`)).toBeUndefined()
    expect(site.requested(JWKS)).toBe(2)
    clock.advance(30_000)
    await Promise.all(Array.from({ length: 20 }, (_, n) => keys.find(`guess-${n}`)))
    expect(site.requested(JWKS)).toBe(3)
    expect(await keys.find('one')).toBeDefined()
  })

  test('a key that left the set is unknown when the copy is renewed', async () => {
    const { site, keys, clock } = await setting()
    await keys.find('one')
    site.publish([two.publicJwk])
    clock.advance(300_000)
    expect(await keys.find('one')).toBeUndefined()
    expect(await keys.find('two')).toBeDefined()
  })

  test('a failure is kept for 30 seconds and then tried again', async () => {
    const { site, keys, clock } = await setting()
    site.serve(BRAND, 'away', 503)
    for (let n = 0; n < 5; n++) expect(await keys.find('one')).toBeUndefined()
    expect(site.requested(BRAND)).toBe(1)
    site.serve(BRAND, { agents: [{ type: 'sales', id: 'a', url: site.agentUrl }] })
    clock.advance(30_000)
    expect(await keys.find('one')).toBeDefined()
  })
})

describe('a key set that cannot be used names no key, and the log says why', () => {
  test.each<[string, RegExp, (site: SellerSite) => void]>([
    ['missing', /404/, (site) => site.remove(JWKS)],
    ['HTML', /not_json/, (site) => site.serve(JWKS, '<!doctype html><title>Hi</title>')],
    [
      'with a key of an object twice',
      /duplicate_keys/,
      (site) => site.serve(JWKS, '{"keys":[],"keys":[]}'),
    ],
    ['a list', /no key set/, (site) => site.serve(JWKS, '[]')],
    ['larger than 64 KiB', /too_large/, (site) => site.serve(JWKS, { keys: ['x'.repeat(65_536)] })],
    ['a redirect', /302/, (site) => site.serve(JWKS, '', 302, { location: '/keys' })],
    [
      'cut off',
      /reset|not_json/,
      (site) =>
        site.answer(JWKS, (response) => {
          response.writeHead(200, { 'content-length': '500' }).write('{"keys":')
          setTimeout(() => response.destroy(), 10)
        }),
    ],
  ])('%s', async (_what, reason, change) => {
    const { site, keys, warnings } = await setting()
    change(site)
    expect(await keys.find('one')).toBeUndefined()
    expect(warnings.join()).toMatch(reason)
  })

  test('once a minute, however often a key is requested', async () => {
    const { site, keys, clock, warnings } = await setting()
    site.remove(JWKS)
    for (let n = 0; n < 50; n++) await keys.find('one')
    expect(warnings).toHaveLength(1)
    clock.advance(60_000)
    await keys.find('one')
    expect(warnings).toHaveLength(2)
  })

  test('answered too slowly', async () => {
    const egress = loopbackEgress()
    const impatient = {
      fetch: (request: Parameters<typeof egress.fetch>[0]) => {
        expect(request.totalTimeoutMs).toBe(10_000)
        return egress.fetch({ ...request, totalTimeoutMs: 200 })
      },
    }
    const { site, keys, warnings } = await setting(() => ({}), { egress: impatient })
    site.answer(JWKS, (response) => {
      response.writeHead(200).write('{"keys":')
    })
    expect(await keys.find('one')).toBeUndefined()
    expect(warnings.join()).toMatch(/timeout/)
  })

  test('at an address that may not be reached', async () => {
    const { site, keys, warnings } = await setting(() => ({}), { egress: testEgress() })
    expect(await keys.find('one')).toBeUndefined()
    expect(warnings.join()).toMatch(/address_refused|scheme_refused/)
    expect(site.requested(BRAND)).toBe(0)
  })

  test('entries that are no keys are passed over', async () => {
    const { site, keys } = await setting()
    site.serve(JWKS, { keys: [null, 7, [], { kid: 3 }, {}, one.publicJwk] })
    expect(await keys.find('one')).toBeDefined()
  })
})

describe('several sellers', () => {
  async function sellers(first: SellerSite, second: SellerSite) {
    const egress = loopbackEgress()
    const trusted = [{ agentUrl: first.agentUrl }, { agentUrl: second.agentUrl }]
    return createSenderKeys({ sellers: trusted, egress, clock: fakeClock() })
  }

  test('each key is its own seller’s', async () => {
    const [first, second] = [await sellerSite(), await sellerSite()]
    first.publish([one.publicJwk])
    second.publish([two.publicJwk])
    const keys = await sellers(first, second)
    expect(await keys.find('one')).toMatchObject({ signer: first.agentUrl })
    expect(await keys.find('two')).toMatchObject({ signer: second.agentUrl })
  })

  test('a kid that two of them chose belongs to both: the signature decides, or the route names the seller', async () => {
    const [first, second] = [await sellerSite(), await sellerSite()]
    first.publish([one.publicJwk])
    second.publish([{ ...two.publicJwk, kid: 'one' }])
    const keys = await sellers(first, second)
    expect(await keys.find('one')).toMatchObject([
      { signer: first.agentUrl, jwk: { x: one.publicJwk.x } },
      { signer: second.agentUrl, jwk: { x: two.publicJwk.x } },
    ])
    const found = await keys.find('one', { seller: second.agentUrl })
    expect(found).toMatchObject({ signer: second.agentUrl, jwk: { x: two.publicJwk.x } })
  })

  test('a key that two of them publish is no one’s, and stays whose it was known to be before', async () => {
    const [first, second] = [await sellerSite(), await sellerSite()]
    first.publish([one.publicJwk])
    second.publish([one.publicJwk])
    const strict = await sellers(first, second)
    expect(await strict.find('one')).toBeUndefined()
    expect(await strict.find('one', { seller: first.agentUrl })).toBeDefined()

    second.publish([two.publicJwk])
    const clock = fakeClock()
    const trusted = [first, second].map(({ agentUrl }) => ({ agentUrl }))
    const keys = createSenderKeys({ sellers: trusted, egress: loopbackEgress(), clock })
    expect(await keys.find('one')).toMatchObject({ signer: first.agentUrl })
    // Anyone who copies it now can neither pass for its holder nor silence it.
    second.publish([one.publicJwk, two.publicJwk])
    clock.advance(300_000)
    expect(await keys.find('one')).toMatchObject({ signer: first.agentUrl })
  })

  test('one that is away does not hide the keys of another', async () => {
    const [first, second] = [await sellerSite(), await sellerSite()]
    first.remove(BRAND)
    second.publish([two.publicJwk])
    const keys = await sellers(first, second)
    expect(await keys.find('two')).toMatchObject({ signer: second.agentUrl })
  })
})

describe('spec 5: a publisher’s pin', () => {
  const adagents = (site: SellerSite, signing_keys?: unknown) => ({
    authorized_agents: [{ url: site.agentUrl, authorized_for: 'x', signing_keys }],
  })
  const pinned = () => setting(({ origin }) => ({ publishers: [origin] }))

  test('admits its own keys and no other, whatever the key set says', async () => {
    const { site, keys } = await pinned()
    site.publish([one.publicJwk, two.publicJwk])
    site.serve(ADAGENTS, adagents(site, [two.publicJwk]))
    expect(await keys.find('two')).toBeDefined()
    expect(await keys.find('one')).toBeUndefined()
  })

  test('stands over the key set where both have the kid', async () => {
    const { site, keys } = await pinned()
    const { kty, crv, x } = two.publicJwk
    site.serve(ADAGENTS, adagents(site, [{ kid: 'one', kty, crv, x }]))
    expect(await keys.find('one')).toMatchObject({ jwk: { ...one.publicJwk, x } })
  })

  test('says from when on a key is revoked', async () => {
    const { site, keys, clock } = await pinned()
    const revoked = { ...one.publicJwk, revoked_at: '2026-01-01T00:00:00Z' }
    site.serve(ADAGENTS, adagents(site, [revoked]))
    expect(await keys.find('one')).toMatchObject({ revokedAt: Date.UTC(2026, 0, 1) / 1_000 })
    clock.advance(300_000)
    site.serve(ADAGENTS, adagents(site, [{ ...revoked, revoked_at: 'yesterday' }]))
    expect(await keys.find('one')).toMatchObject({ revokedAt: 0 })
  })

  test('is requested again when it lacks a kid', async () => {
    const { site, keys } = await pinned()
    site.publish([one.publicJwk, two.publicJwk])
    site.serve(ADAGENTS, adagents(site, [one.publicJwk]))
    expect(await keys.find('one')).toBeDefined()
    site.serve(ADAGENTS, adagents(site, [one.publicJwk, two.publicJwk]))
    expect(await keys.find('two')).toBeDefined()
    expect(site.requested(ADAGENTS)).toBe(2)
  })

  test('is not there without the document, or without signing_keys for this agent', async () => {
    const { site, keys, clock } = await pinned()
    expect(await keys.find('one')).toBeDefined()
    clock.advance(300_000)
    site.serve(ADAGENTS, adagents(site))
    expect(await keys.find('one')).toBeDefined()
  })

  test.each(['<html>', '{"authorized_agents":7}'])(
    'that cannot be read (%s) admits nothing',
    async (text) => {
      const { site, keys } = await pinned()
      site.serve(ADAGENTS, text)
      expect(await keys.find('one')).toBeUndefined()
    },
  )

  test('can be configured', async () => {
    const { keys } = await setting(() => ({ pin: [two.publicJwk] }))
    expect(await keys.find('one')).toBeUndefined()
    expect(await keys.find('two')).toMatchObject({ jwk: two.publicJwk })
  })
})
