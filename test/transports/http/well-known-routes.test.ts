import { createLocalJWKSet, generalVerify, type JSONWebKeySet } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyPorts } from '../../../src/app/key-ports.ts'
import { generateKey, revokeKey, rotateKey } from '../../../src/keys/manage-keys.ts'
import { checkBrandJson } from '../../../src/protocol/brand-json.ts'
import { call, startApp, type TestApp } from '../../support/app.ts'
import { eventually } from '../../support/eventually.ts'
import { accepted } from '../../support/signing-keys.ts'

const SECRET = 'a secret of thirty-two characters'
const JWKS = '/.well-known/jwks.json'
const REVOCATIONS = '/.well-known/governance-revocations.json'

let app: TestApp
beforeAll(async () => {
  app = await startApp({
    config: { keySecret: SECRET, publicUrl: 'https://ads.example', protocolName: 'adcp' },
  })
})
afterAll(() => app.stop())

const ports = () => keyPorts({ keySecret: SECRET, protocolName: 'adcp' }, app.storage)
const keySet = async () => (await call(app.url + JWKS)).body as unknown as JSONWebKeySet

/** The list, verified with the published keys. */
async function revocations() {
  const { body } = await call(app.url + REVOCATIONS)
  const jwks = createLocalJWKSet(await keySet())
  const { payload, protectedHeader } = await generalVerify(body as never, jwks)
  return { payload: JSON.parse(new TextDecoder().decode(payload)), protectedHeader }
}

test('spec 5: the key of the first start is published with everything a verifier checks', async () => {
  const { status, headers, body } = await call(app.url + JWKS)
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300'])
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(body).toEqual({
    keys: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.stringMatching(/^[\w-]{43}$/),
        kid: expect.stringMatching(/^[\w-]{43}$/),
        alg: 'EdDSA',
        use: 'sig',
        key_ops: ['verify'],
        adcp_use: 'webhook-signing',
      },
    ],
  })
})

test('spec 5: brand.json is valid and leads to the key set', async () => {
  const { body, headers } = await call(`${app.url}/.well-known/brand.json`)
  expect(headers.get('cache-control')).toBe('public, max-age=300')
  expect(checkBrandJson(body)).toMatchObject({ ok: true, variant: 'agents' })
  expect(body.agents).toContainEqual(
    expect.objectContaining({ url: 'https://ads.example', jwks_uri: `https://ads.example${JWKS}` }),
  )
})

test('a client that has a document is answered 304', async () => {
  for (const path of [JWKS, '/.well-known/brand.json', REVOCATIONS]) {
    const etag = (await call(app.url + path)).headers.get('etag') ?? ''
    for (const tag of [etag, `"other", W/${etag}`, '*']) {
      const again = await call(app.url + path, { headers: { 'if-none-match': tag } })
      expect([path, again.status, again.text, again.headers.get('etag')]).toEqual([
        path,
        304,
        '',
        etag,
      ])
    }
    const other = await call(app.url + path, { headers: { 'if-none-match': '"other"' } })
    expect(other.status).toBe(200)
  }
})

test('spec 5: a revoked key leaves the key set and appears in the signed list', async () => {
  const { key: spare } = accepted(await generateKey(ports(), { algorithm: 'ecdsa-p256-sha256' }))
  const { key } = accepted(await rotateKey(ports(), { leadSeconds: 0 }))
  expect(key.kid).toBe(spare.kid)
  await eventually(async () => {
    const { protectedHeader } = await revocations()
    expect(protectedHeader).toEqual({
      typ: 'adcp-gov-revocation+jws',
      alg: 'ES256',
      kid: spare.kid,
    })
  })
  await revokeKey(ports(), spare.kid)
  await eventually(async () => {
    const { payload, protectedHeader } = await revocations()
    expect(payload).toMatchObject({
      version: 1,
      issuer: 'https://ads.example',
      revoked_kids: [spare.kid],
    })
    expect(protectedHeader?.kid).not.toBe(spare.kid)
    expect((await keySet()).keys.map(({ kid }) => kid)).not.toContain(spare.kid)
  })
})

test('the private half is nowhere in what is published', async () => {
  for (const path of [JWKS, '/.well-known/brand.json', REVOCATIONS]) {
    expect((await call(app.url + path)).text).not.toMatch(/"d"/)
  }
})

test('without a secret a start is warned of, and with one it is not', async () => {
  const bare = await startApp()
  const warned = bare.logged.filter((line) => line.includes('ADWIRE_KEY_SECRET'))
  await bare.stop()
  expect(warned).toHaveLength(1)
  expect(app.logged.join()).not.toContain('ADWIRE_KEY_SECRET')
  expect(app.logged.join()).not.toContain(SECRET)
})
