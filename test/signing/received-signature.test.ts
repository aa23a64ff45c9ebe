import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readContentDigest } from '../../src/signing/content-digest.ts'
import { readReceivedSignature } from '../../src/signing/received-signature.ts'

const LIST = '("@method" "@target-uri" "@authority" "content-type" "content-digest")'
const text = fc.stringMatching(/^[\x20-\x7e]{0,20}$/)
const nonces = fc.oneof(fc.stringMatching(/^[\w-]{20,30}$/), text)
const inputs = fc
  .tuple(fc.nat(), fc.bigInt({ min: 0n, max: 10n ** 16n }), nonces, text, text, text)
  .map(([created, expires, nonce, keyid, alg, tag]) => {
    const parameters = `created=${created};expires=${expires};nonce="${nonce}";keyid="${keyid}"`
    return `sig1=${LIST};${parameters};alg="${alg}";tag="${tag}"`
  })
const tokens = fc.oneof(
  fc
    .uint8Array({ minLength: 64, maxLength: 64 })
    .map((bytes) => Buffer.from(bytes).toString('base64url')),
  fc.stringMatching(/^[\w-]{86}$/),
  fc.stringMatching(/^[\w+/=-]{0,88}$/),
)

// Another member beside it makes the reader take the general way.
test('the usual form of the signature headers is read as in the general way', () => {
  fc.assert(
    fc.property(inputs, tokens, (input, token) => {
      const usual = readReceivedSignature(input, `sig1=:${token}:`)
      const general = readReceivedSignature(`${input}, z`, `sig1=:${token}:, z`)
      expect(usual.ok).toBe(general.ok)
      if (usual.ok) expect(usual).toEqual(general)
    }),
    { numRuns: 1_000 },
  )
})

test('the usual form of Content-Digest is read as in the general way', () => {
  const digests = fc.oneof(
    fc.stringMatching(/^[\w-]{43}$/),
    fc.stringMatching(/^[\w+/-]{43}={0,2}$/),
    fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => Buffer.from(bytes).toString('base64')),
  )
  fc.assert(
    fc.property(digests, (digest) => {
      const usual = readContentDigest(`sha-256=:${digest}:`)
      expect(usual).toEqual(readContentDigest(`sha-256=:${digest}:, z`))
    }),
    { numRuns: 1_000 },
  )
})
