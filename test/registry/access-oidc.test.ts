// User tokens against a real OpenID provider, and against forgers who know its public key.

import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { decodeJwt, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FetchJwks } from '../../src/lib/issuer-keys.ts'
import { createRegistryAccess, type RegistryAccess } from '../../src/registry/access.ts'
import type { JwtSettings } from '../../src/registry/user-token.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider.ts'

const AUDIENCE = 'https://registry.example/api'
const noKeys = { byKeyHash: async () => undefined }

const fetchJwks: FetchJwks = async (url, signal) => {
  const response = await fetch(url, signal ? { signal } : {})
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) }
}

function accessTo(
  { issuer, jwksUrl }: Pick<OidcProvider, 'issuer' | 'jwksUrl'>,
  settings: Partial<JwtSettings> = {},
  clock = fakeClock(Date.now()),
): RegistryAccess {
  const jwt = { issuer, jwksUrl, audience: AUDIENCE, ...settings }
  return createRegistryAccess({ organizations: noKeys, jwt, fetchJwks, clock })
}

async function expectRefused(access: RegistryAccess, token: string, error: RegExp): Promise<void> {
  const answer = await access.authenticate(`Bearer ${token}`)
  expect(answer).toMatchObject({ ok: false, status: 401, error: expect.stringMatching(error) })
  for (const part of token.split('.').filter((piece) => piece.length > 8)) {
    expect(JSON.stringify(answer)).not.toContain(part)
  }
}

describe('spec 5: a user token', () => {
  let provider: OidcProvider
  let access: RegistryAccess
  beforeAll(async () => {
    provider = await startOidcProvider()
    access = accessTo(provider)
  })
  afterAll(() => provider?.stop())

  const claims = (overrides: JWTPayload = {}): JWTPayload => ({
    iss: provider.issuer,
    aud: AUDIENCE,
    sub: 'ada',
    exp: Math.floor(Date.now() / 1000) + 60,
    ...overrides,
  })

  test('of the provider is accepted, and identifies the user', async () => {
    const token = await provider.token('ada', AUDIENCE)
    expect(await access.authenticate(`Bearer ${token}`)).toEqual({
      ok: true,
      caller: {
        kind: 'user',
        userId: `${provider.issuer}|ada`,
        email: 'ada@acme.example',
        emailVerified: true,
        name: 'Ada Lovelace',
      },
    })
  })

  test('says when the address is not verified', async () => {
    const token = await provider.token('bob', AUDIENCE)
    expect(await access.authenticate(`bearer ${token}`)).toMatchObject({
      caller: { email: 'bob@acme.example', emailVerified: false, name: null },
    })
  })

  test('for another audience is refused', async () => {
    await expectRefused(access, await provider.token('ada', 'https://other.example'), /audience/)
  })

  test('of another issuer is refused', async () => {
    const strict = accessTo(provider, { issuer: 'https://id.example' })
    await expectRefused(strict, await provider.token('ada', AUDIENCE), /issuer/)
  })

  test('is good until it ends and five seconds more', async () => {
    const token = await provider.token('ada', AUDIENCE)
    const clock = fakeClock((decodeJwt(token).exp as number) * 1000 + 4_000)
    const late = accessTo(provider, {}, clock)
    expect(await late.authenticate(`Bearer ${token}`)).toMatchObject({ ok: true })
    clock.advance(1_000)
    await expectRefused(late, token, /expired/)
  })

  test('with a changed payload is refused', async () => {
    const [header, payload, signature] = (await provider.token('ada', AUDIENCE)).split('.')
    const changed = {
      ...JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()),
      sub: 'bob',
    }
    const forged = Buffer.from(JSON.stringify(changed)).toString('base64url')
    await expectRefused(access, `${header}.${forged}.${signature}`, /signature/)
  })

  test('with no signature is refused', async () => {
    await expectRefused(access, new UnsecuredJWT(claims()).encode(), /algorithms/)
    const [header, payload] = (await provider.token('ada', AUDIENCE)).split('.')
    await expectRefused(access, `${header}.${payload}.`, /signature|neither/)
  })

  test("signed with the provider's public key as a shared secret is refused", async () => {
    const { body } = await fetchJwks(provider.jwksUrl)
    const [jwk] = JSON.parse(body.toString()).keys
    const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    for (const secret of [Buffer.from(pem), Buffer.from(jwk.n, 'base64url')]) {
      const forged = await new SignJWT(claims())
        .setProtectedHeader({ alg: 'HS256', kid: jwk.kid })
        .sign(secret)
      await expectRefused(access, forged, /algorithms/)
    }
  })

  test('signed with a key the provider does not publish is refused', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const sign = (kid: string) =>
      new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
    await expectRefused(access, await sign('key-unknown'), /does not publish/)
    await expectRefused(access, await sign('key-1'), /signature/)
  })

  test('that brings its own key is not verified with it', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = publicKey.export({ format: 'jwk' }) as Record<string, string>
    const forged = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'RS256', jwk })
      .sign(privateKey)
    await expectRefused(access, forged, /signature/)
  })

  test.each([
    'x',
    'a.b.c',
    'eyJhbGciOiJSUzI1NiJ9..',
    'adw_0123456789abcdef',
    '...',
    'a'.repeat(20_000),
  ])('that is none, such as %.24s, is refused', async (garbage) => {
    await expectRefused(access, garbage, /bearer|Bearer|token/)
  })
})

describe('spec 5: the keys of the identity provider', () => {
  test('are fetched once for many tokens', async () => {
    const provider = await startOidcProvider()
    try {
      let fetches = 0
      const access = createRegistryAccess({
        organizations: noKeys,
        jwt: { ...provider, audience: AUDIENCE },
        fetchJwks: (url, signal) => {
          fetches += 1
          return fetchJwks(url, signal)
        },
      })
      const token = await provider.token('ada', AUDIENCE)
      for (let call = 0; call < 3; call++) {
        expect(await access.authenticate(`Bearer ${token}`)).toMatchObject({ ok: true })
      }
      expect(fetches).toBe(1)
    } finally {
      await provider.stop()
    }
  })

  test('may change: a new one is picked up, the old one refused, and an outage is a 503', async () => {
    const before = await startOidcProvider({ keyId: 'key-old' })
    const clock = fakeClock(Date.now())
    const access = accessTo(before, { jwksCooldownSeconds: 0 }, clock)
    const oldToken = await before.token('ada', AUDIENCE)
    expect(await access.authenticate(`Bearer ${oldToken}`)).toMatchObject({ ok: true })
    await before.stop()

    // What was fetched stays good while the provider is away; an access that fetched nothing fails.
    expect(await access.authenticate(`Bearer ${oldToken}`)).toMatchObject({ ok: true })
    const fresh = accessTo(before, { jwksCooldownSeconds: 0 }, clock)
    const outage = { ok: false, status: 503, error: expect.stringContaining('cannot be reached') }
    expect(await fresh.authenticate(`Bearer ${oldToken}`)).toMatchObject(outage)

    const port = Number(new URL(before.issuer).port)
    const after = await startOidcProvider({ port, keyId: 'key-new' })
    try {
      const newToken = await after.token('ada', AUDIENCE)
      expect(await access.authenticate(`Bearer ${newToken}`)).toMatchObject({ ok: true })
      await expectRefused(access, oldToken, /does not publish/)

      // A failure is remembered for five seconds, so that tokens cannot cause a storm of fetches.
      expect(await fresh.authenticate(`Bearer ${newToken}`)).toMatchObject(outage)
      clock.advance(5_000)
      expect(await fresh.authenticate(`Bearer ${newToken}`)).toMatchObject({ ok: true })
    } finally {
      await after.stop()
    }
  })
})
