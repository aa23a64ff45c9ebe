import { describe, expect, test } from 'vitest'
import {
  generateKeyPair,
  importPublicKey,
  importVerificationKey,
  publicJwkOf,
  thumbprint,
} from '../../src/signing/keys.ts'
import { importPrivateKey, localSigner } from '../../src/signing/local-signer.ts'
import type { Jwk } from '../../src/signing/ports.ts'
import { ALGORITHMS, PAIRS } from '../support/signing.ts'

const POLICY = { algorithm: 'ed25519', keyUse: 'test_use', purposes: ['webhook-signing'] } as const

describe.each(ALGORITHMS)('a generated %s key', (algorithm) => {
  const pair = generateKeyPair(algorithm, { keyUse: 'test_use', purpose: 'webhook-signing' })

  test('is published without its private member and for verifying only', () => {
    expect(pair.publicJwk).toMatchObject({
      use: 'sig',
      key_ops: ['verify'],
      test_use: 'webhook-signing',
    })
    expect(pair.publicJwk).not.toHaveProperty('d')
    expect(publicJwkOf(pair.privateJwk)).toEqual(pair.publicJwk)
    expect(importVerificationKey(pair.publicJwk, { ...POLICY, algorithm }).ok).toBe(true)
  })

  test('is named by its thumbprint unless it is given a name', () => {
    expect(pair.publicJwk.kid).toBe(thumbprint(pair.publicJwk))
    expect(localSigner({ ...pair.privateJwk, kid: undefined } as unknown as Jwk).keyid).toBe(
      thumbprint(pair.publicJwk),
    )
    const options = { keyUse: 'test_use', purpose: 'webhook-signing', kid: 'k1' }
    expect(generateKeyPair(algorithm, options).publicJwk.kid).toBe('k1')
  })

  test('is parsed once', () => {
    const [first, second] = [
      importPublicKey(pair.publicJwk),
      importPublicKey({ ...pair.publicJwk }),
    ]
    expect(first.ok && second.ok && first.publicKey === second.publicKey).toBe(true)
  })
})

test('RFC 7638: the thumbprint of the example in RFC 8037 §A.3', () => {
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
  expect(thumbprint({ kty: 'OKP', crv: 'Ed25519', x })).toBe(
    'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  )
})

test.each<[string, Partial<Record<string, unknown>>]>([
  ['another use', { use: 'enc' }],
  ['no use', { use: undefined }],
  ['no key_ops', { key_ops: undefined }],
  ['a text for key_ops', { key_ops: 'verify' }],
  ['key_ops for signing', { key_ops: ['sign'] }],
  ['a list of purposes', { test_use: ['webhook-signing'] }],
  ['no purpose', { test_use: undefined }],
  ['another purpose', { test_use: 'response-signing' }],
  ['another kty', { kty: 'EC' }],
  ['another crv', { crv: 'X25519' }],
  ['another alg', { alg: 'ES256' }],
  ['a padded x', { x: `${PAIRS.ed25519.publicJwk.x}=` }],
  ['a short x', { x: 'AAAA' }],
  ['no x', { x: undefined }],
  ['a list for x', { x: [PAIRS.ed25519.publicJwk.x] }],
])('spec 5: a key with %s verifies nothing', (_fault, changes) => {
  const jwk = { ...PAIRS.ed25519.publicJwk, ...changes } as Jwk
  expect(importVerificationKey(jwk, POLICY).ok).toBe(false)
})

test.each<[string, Partial<Record<string, unknown>>]>([
  ['without d', { d: undefined }],
  ['with the x of another key', { x: PAIRS['ecdsa-p256-sha256'].privateJwk.x }],
  ['with a d that is none', { d: '?' }],
  ['of another type', { kty: 'RSA' }],
])('a private key %s is refused', (_fault, changes) => {
  const jwk = { ...PAIRS.ed25519.privateJwk, ...changes } as Jwk
  expect(importPrivateKey(jwk).ok).toBe(false)
  expect(() => localSigner(jwk)).toThrow(TypeError)
})
