// What the console accepts from an OpenID provider, and from somebody who pretends to be one.

import { generateKeyPairSync } from 'node:crypto'
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Role } from '../../../src/console/api/role-names.ts'
import { type AskProvider, createProvider } from '../../../src/console/sign-in/provider.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const ISSUER = 'https://id.example'
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const clock = fakeClock(1_800_000_000_000)
const now = () => Math.floor(clock.now() / 1_000)

const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth?tenant=1`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/jwks`,
  userinfo_endpoint: `${ISSUER}/me`,
}

interface Said {
  status?: number
  body: unknown
}

/** What the provider says at each of its addresses; `requests` are those it got. */
let said: Record<string, Said | Error>
let requests: Parameters<AskProvider>[0][]

const ask: AskProvider = async (request) => {
  requests.push(request)
  const answer = said[request.url.replace(ISSUER, '')]
  if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no such page')
  return { status: answer.status ?? 200, body: Buffer.from(JSON.stringify(answer.body)) }
}

const provider = () =>
  createProvider(
    {
      issuer: ISSUER,
      clientId: 'console',
      clientSecret: 'a b:c',
      scopes: ['profile'],
      groupsClaim: 'groups',
      roles: new Map<string, readonly Role[]>([
        ['ops', ['admin']],
        ['adops', ['operator', 'approver']],
      ]),
    },
    { ask, clock },
  )

const idToken = (claims: JWTPayload = {}, key = privateKey) =>
  new SignJWT({
    iss: ISSUER,
    aud: 'console',
    sub: 'ada',
    nonce: 'n1',
    iat: now(),
    exp: now() + 60,
    groups: ['adops'],
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .sign(key)

const redeem = () =>
  provider().redeem({
    code: 'c',
    redirectUri: 'https://a.example/console/oidc/callback',
    verifier: 'v',
    nonce: 'n1',
  })

const issue = async (token: string | Promise<string>, more: object = {}) => {
  said['/token'] = { body: { access_token: 'at', id_token: await token, ...more } }
}

beforeEach(() => {
  requests = []
  said = {
    '/.well-known/openid-configuration': { body: METADATA },
    '/jwks': {
      body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256' }] },
    },
    '/me': { body: { sub: 'ada', groups: ['ops'] } },
  }
})

describe('OpenID Connect Core 3.1: a code', () => {
  test('is requested with state, nonce and a code challenge', async () => {
    const begun = await provider().authorizationUrl({
      redirectUri: 'https://a.example/console/oidc/callback',
      state: 's',
      nonce: 'n',
      challenge: 'c',
    })
    if (!begun.ok) throw new Error(begun.detail)
    expect(Object.fromEntries(new URL(begun.url).searchParams)).toEqual({
      tenant: '1',
      response_type: 'code',
      client_id: 'console',
      redirect_uri: 'https://a.example/console/oidc/callback',
      scope: 'openid profile',
      state: 's',
      nonce: 'n',
      code_challenge: 'c',
      code_challenge_method: 'S256',
    })
  })

  test('is redeemed with its verifier, and the secret in a header (RFC 6749 2.3.1)', async () => {
    await issue(idToken({ name: 'Ada', email: 'ada@acme.example' }))
    expect(await redeem()).toEqual({
      ok: true,
      person: {
        subject: 'ada',
        name: 'Ada (ada@acme.example)',
        roles: ['viewer', 'operator', 'approver'],
        tokens: { access_token: 'at' },
      },
    })
    const sent = requests.find(({ url }) => url === `${ISSUER}/token`)
    const credentials = Buffer.from(sent?.headers?.authorization?.slice(6) ?? '', 'base64')
    expect(credentials.toString()).toBe('console:a%20b%3Ac')
    expect(sent?.body).toContain('code_verifier=v')
    expect(sent?.body).not.toContain('client_secret')
  })

  test('that was used before is refused by the provider', async () => {
    said['/token'] = { status: 400, body: { error: 'invalid_grant' } }
    expect(await redeem()).toMatchObject({ ok: false, why: 'denied' })
  })

  test('a provider that is unreachable, or fails, says nothing about the person', async () => {
    said['/token'] = { status: 503, body: {} }
    expect(await redeem()).toMatchObject({ ok: false, why: 'unreachable' })
    said['/token'] = new Error('connection refused')
    expect(await redeem()).toMatchObject({ ok: false, why: 'unreachable' })
  })
})

describe('OpenID Connect Core 3.1.3.7: an ID token', () => {
  test.each<[string, JWTPayload, RegExp]>([
    ['of another issuer', { iss: 'https://evil.example' }, /another issuer/],
    ['for another client', { aud: 'other' }, /another client/],
    ['for several clients without azp', { aud: ['console', 'other'] }, /another client/],
    ['issued to another client', { azp: 'other' }, /another client/],
    ['with another nonce', { nonce: 'n2' }, /nonce/],
    ['without a nonce', { nonce: undefined }, /nonce/],
    ['that has expired', { exp: Math.floor(clock.now() / 1_000) - 31 }, /expired/],
    ['without an expiry', { exp: undefined as never }, /missing/],
    ['without a subject', { sub: '' }, /subject/],
  ])('%s is refused', async (_what, claims, detail) => {
    await issue(idToken(claims))
    expect(await redeem()).toMatchObject({
      ok: false,
      why: 'token',
      detail: expect.stringMatching(detail),
    })
  })

  test('signed with another key, or not at all, is refused', async () => {
    await issue(idToken({}, other.privateKey))
    expect(await redeem()).toMatchObject({ ok: false, why: 'token' })
    const claims = { iss: ISSUER, aud: 'console', sub: 'ada', nonce: 'n1', exp: now() + 60 }
    await issue(new UnsecuredJWT(claims).setIssuedAt(now()).encode())
    expect(await redeem()).toMatchObject({ ok: false, why: 'token' })
  })

  test('signed with the public key as a shared secret is refused', async () => {
    const secret = publicKey.export({ type: 'spki', format: 'der' })
    const forged = new SignJWT({ nonce: 'n1', iss: ISSUER, aud: 'console', sub: 'ada' })
      .setIssuedAt(now())
      .setExpirationTime(now() + 60)
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .sign(secret)
    await issue(forged)
    expect(await redeem()).toMatchObject({ ok: false, why: 'token' })
  })

  test('is required', async () => {
    said['/token'] = { body: { access_token: 'at' } }
    expect(await redeem()).toMatchObject({ ok: false, why: 'token' })
  })

  test('without groups is completed with the userinfo, if that is about the same person', async () => {
    await issue(idToken({ groups: undefined }))
    expect(await redeem()).toMatchObject({
      person: { roles: ['viewer', 'operator', 'approver', 'admin'] },
    })
    said['/me'] = { body: { sub: 'eve', groups: ['ops'] } }
    expect(await redeem()).toMatchObject({ ok: false, why: 'denied' })
  })

  test('a person in no known group has no role', async () => {
    await issue(idToken({ groups: ['visitors', 7, null, '__proto__'] }))
    expect(await redeem()).toMatchObject({ person: { roles: [] } })
  })
})

describe('OpenID Connect Discovery 4.3: the metadata', () => {
  test.each([
    ['of another issuer', { issuer: 'https://evil.example' }],
    ['with an endpoint that is not https', { token_endpoint: 'http://id.example/token' }],
    ['without keys', { jwks_uri: undefined }],
  ])('%s is not used', async (_what, over) => {
    said['/.well-known/openid-configuration'] = { body: { ...METADATA, ...over } }
    expect(await redeem()).toMatchObject({ ok: false, why: 'unreachable' })
    expect(requests).toHaveLength(1)
  })

  test('is requested again after a failure', async () => {
    const failing = provider()
    const start = { redirectUri: 'https://a.example/', state: 's', nonce: 'n', challenge: 'c' }
    said['/.well-known/openid-configuration'] = { status: 500, body: {} }
    expect(await failing.authorizationUrl(start)).toMatchObject({ ok: false })
    said['/.well-known/openid-configuration'] = { body: METADATA }
    expect(await failing.authorizationUrl(start)).toMatchObject({ ok: true })
  })
})

describe('the roles of a person later', () => {
  test('come from the userinfo when there is no refresh token', async () => {
    const found = await provider().rolesNow('ada', { access_token: 'at' })
    expect(found).toMatchObject({ ok: true, tokens: { access_token: 'at' } })
    expect(requests.at(-1)?.headers?.authorization).toBe('Bearer at')
    said['/me'] = { status: 401, body: {} }
    const gone = await provider().rolesNow('ada', { access_token: 'at' })
    expect(gone).toMatchObject({ ok: false, why: 'denied' })
  })

  test('come with a refreshed token, and a new refresh token replaces the old one', async () => {
    await issue(idToken({ nonce: undefined, groups: ['ops'] }), { refresh_token: 'r2' })
    const tokens = { access_token: 'old', refresh_token: 'r1' }
    expect(await provider().rolesNow('ada', tokens)).toMatchObject({
      ok: true,
      roles: ['viewer', 'operator', 'approver', 'admin'],
      tokens: { access_token: 'at', refresh_token: 'r2' },
    })
    expect(requests.some(({ body }) => body?.includes('refresh_token=r1'))).toBe(true)
  })

  test('a refreshed token of another person ends the access', async () => {
    await issue(idToken({ sub: 'eve', groups: ['ops'] }))
    const tokens = { access_token: 'old', refresh_token: 'r1' }
    expect(await provider().rolesNow('ada', tokens)).toMatchObject({ ok: false, why: 'denied' })
  })
})
