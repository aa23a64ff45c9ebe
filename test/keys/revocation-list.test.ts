import { generalVerify, importJWK } from 'jose'
import { expect, test } from 'vitest'
import type { RevokedKey } from '../../src/keys/key-ring.ts'
import { createRevocationList } from '../../src/keys/revocation-list.ts'
import { generateKeyPair } from '../../src/signing/keys.ts'
import { localSigner } from '../../src/signing/local-signer.ts'
import type { Signer } from '../../src/signing/ports.ts'
import { fakeClock } from '../support/fake-clock.ts'

const pairOf = (algorithm: 'ed25519' | 'ecdsa-p256-sha256') =>
  generateKeyPair(algorithm, { keyUse: 'proto_use', purpose: 'webhook-signing' })

function operator(signer: Signer) {
  const state = { signer, revoked: [] as RevokedKey[], clock: fakeClock(), signed: 0 }
  const list = createRevocationList({
    clock: state.clock,
    ring: {
      revoked: async () => [...state.revoked],
      signer: async () => ({
        ...state.signer,
        sign: (bytes) => {
          state.signed += 1
          return state.signer.sign(bytes)
        },
      }),
    },
    issuer: () => 'https://ads.example',
    type: 'proto-gov-revocation+jws',
  })
  const payload = async () =>
    JSON.parse(Buffer.from((await list()).payload, 'base64url').toString()) as unknown
  return { state, list, payload }
}

test.each([
  ['ed25519', 'EdDSA'],
  ['ecdsa-p256-sha256', 'ES256'],
] as const)('spec 5: a list signed with %s is a JWS that others verify', async (algorithm, alg) => {
  const { privateJwk, publicJwk } = pairOf(algorithm)
  const { list, state } = operator(localSigner(privateJwk))
  state.revoked = [{ kid: 'kid-1', revoked_at: 0 }]
  const verified = await generalVerify(
    await list(),
    await importJWK({ ...publicJwk } as never, alg),
  )
  expect(verified.protectedHeader).toEqual({
    typ: 'proto-gov-revocation+jws',
    alg,
    kid: publicJwk.kid,
  })
  expect(JSON.parse(new TextDecoder().decode(verified.payload))).toEqual({
    version: 1,
    issuer: 'https://ads.example',
    updated: '2026-01-01T00:00:00.000Z',
    next_update: '2026-01-01T00:15:00.000Z',
    revoked_jtis: [],
    revoked_kids: ['kid-1'],
  })
})

test('a list is kept for a while, and signed again long before its time is up', async () => {
  const { list, payload, state } = operator(localSigner(pairOf('ed25519').privateJwk))
  state.clock.advance(100_000)
  const [first, second] = await Promise.all([list(), list()])
  expect(second).toBe(first)
  state.clock.advance(199_999)
  expect(await list()).toBe(first)
  state.clock.advance(1)
  expect(await payload()).toMatchObject({ updated: '2026-01-01T00:05:00.000Z' })
  expect(state.signed).toBe(2)
})

test('instances with the same keys return the same list, whenever they were first called', async () => {
  const { privateJwk } = pairOf('ed25519')
  const [one, other] = [operator(localSigner(privateJwk)), operator(localSigner(privateJwk))]
  one.state.clock.advance(1_000)
  other.state.clock.advance(200_000)
  expect(await other.list()).toEqual(await one.list())
})

test('a revocation or another signing key makes a new list at once', async () => {
  const { payload, list, state } = operator(localSigner(pairOf('ed25519').privateJwk))
  expect(await payload()).toMatchObject({ revoked_kids: [] })
  state.clock.advance(30_000)
  state.revoked = [{ kid: 'kid-1', revoked_at: state.clock.now() }]
  expect(await payload()).toMatchObject({
    updated: '2026-01-01T00:00:30.000Z',
    next_update: '2026-01-01T00:15:30.000Z',
    revoked_kids: ['kid-1'],
  })
  state.signer = localSigner(pairOf('ed25519').privateJwk)
  const [signature] = (await list()).signatures
  expect(JSON.parse(Buffer.from(signature.protected, 'base64url').toString())).toMatchObject({
    kid: state.signer.keyid,
  })
})

test('a signer that failed is called again', async () => {
  const signer = localSigner(pairOf('ed25519').privateJwk)
  const { list, state } = operator(signer)
  state.signer = { ...signer, sign: () => Promise.reject(new Error('the KMS is away')) }
  await expect(list()).rejects.toThrow('the KMS is away')
  state.signer = signer
  expect((await list()).signatures).toHaveLength(1)
})
