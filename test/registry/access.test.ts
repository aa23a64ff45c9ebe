import { generateKeyPairSync } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import type { FetchJwks } from '../../src/lib/issuer-keys.ts'
import { createRegistryAccess } from '../../src/registry/access.ts'
import { createOrganization } from '../../src/registry/organizations.ts'
import { onBothStores } from '../support/databases.ts'
import { registryPorts } from '../support/registry.ts'

const unused: FetchJwks = async () => {
  throw new Error('no keys are fetched here')
}

onBothStores('registry access', (database) => {
  const access = () =>
    createRegistryAccess({
      organizations: registryPorts(database()).organizations,
      fetchJwks: unused,
    })

  test('spec 5: the key of an organisation acts for it', async () => {
    const made = await createOrganization(registryPorts(database()), { name: 'Acme' })
    if (!made.ok) throw new Error(made.error)
    expect(await access().authenticate(`Bearer ${made.key}`)).toEqual({
      ok: true,
      caller: { kind: 'organization', organizationId: made.organization.organization_id },
    })
    expect(await access().authenticate(`Bearer ${made.key}x`)).toMatchObject({
      status: 401,
      error: expect.stringContaining('unknown or has been revoked'),
    })
  })

  test.each([undefined, '', '  '])(
    'spec 5: the response to %j requires authentication',
    async (header) => {
      expect(await access().authenticate(header)).toMatchObject({
        ok: false,
        status: 401,
        error: 'Authentication required',
      })
    },
  )

  test.each([
    'Basic YTpi',
    'Bearer',
    'Bearer a b',
    'sk_naked',
    'Bearer "sk_x"',
    'Bearer sk_\u0000',
  ])('spec 5: %j is refused as no bearer credential', async (header) => {
    expect(await access().authenticate(header)).toMatchObject({ status: 401 })
  })

  test('spec 5: without an identity provider only organisation keys are accepted', async () => {
    expect(await access().authenticate('Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2ln')).toMatchObject({
      status: 401,
      error: expect.stringContaining('organization API keys only'),
    })
  })
})

describe('spec 5: the claims of a user token', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }] }
  const jwt = {
    issuer: 'https://id.example',
    audience: 'https://registry.example/api',
    jwksUrl: 'https://id.example/jwks',
  }
  const accessWith = (answer: { status: number; body: string }) =>
    createRegistryAccess({
      organizations: { byKeyHash: async () => undefined },
      jwt,
      fetchJwks: async () => ({ status: answer.status, body: Buffer.from(answer.body) }),
    })
  const access = accessWith({ status: 200, body: JSON.stringify(jwks) })
  const bearer = async (overrides: Record<string, unknown> = {}, kid: string | null = 'k') => {
    const now = Math.floor(Date.now() / 1000)
    const payload = { iss: jwt.issuer, aud: jwt.audience, sub: 'u', exp: now + 60, ...overrides }
    const header = { alg: 'EdDSA', ...(kid ? { kid } : {}) }
    return `Bearer ${await new SignJWT(payload as JWTPayload).setProtectedHeader(header).sign(privateKey)}`
  }

  test('may leave out all that describes the user', async () => {
    expect(await access.authenticate(await bearer())).toEqual({
      ok: true,
      caller: {
        kind: 'user',
        userId: 'https://id.example|u',
        email: null,
        emailVerified: false,
        name: null,
      },
    })
  })

  test('describe the user only where they have the right type', async () => {
    const odd = { email: ['a@b.example'], email_verified: 'true', name: 'a\u0000' }
    expect(await access.authenticate(await bearer(odd))).toMatchObject({
      caller: { email: null, emailVerified: false, name: null },
    })
  })

  test.each([
    [{ sub: undefined }, 'sub'],
    [{ sub: '' }, 'sub'],
    [{ sub: 'a\u0000' }, 'sub'],
    [{ exp: undefined }, 'exp'],
    [{ nbf: Math.floor(Date.now() / 1000) + 600 }, 'not valid yet'],
    [{ aud: ['https://other.example'] }, 'audience'],
    [{ iss: 'https://evil.example' }, 'issuer'],
    [{ cnf: { jkt: 'x' } }, 'bound to a key'],
  ])('with %j are refused', async (overrides, part) => {
    expect(await access.authenticate(await bearer(overrides))).toMatchObject({
      ok: false,
      status: 401,
      error: expect.stringContaining(part),
    })
  })

  test('must name the key when several could have signed', async () => {
    const twins = { keys: [...jwks.keys, { ...jwks.keys[0], kid: 'k2' }] }
    const ambiguous = accessWith({ status: 200, body: JSON.stringify(twins) })
    expect(await ambiguous.authenticate(await bearer({}, null))).toMatchObject({
      status: 401,
      error: expect.stringContaining('kid'),
    })
  })

  test.each([
    { status: 500, body: '{}' },
    { status: 302, body: '' },
    { status: 200, body: '<html>' },
    { status: 200, body: '{"keys":7}' },
    { status: 200, body: '{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k","x":"!"}]}' },
  ])('cannot be checked when the key set is answered with %j', async (answer) => {
    expect(await accessWith(answer).authenticate(await bearer())).toMatchObject({
      ok: false,
      status: 503,
    })
  })
})
