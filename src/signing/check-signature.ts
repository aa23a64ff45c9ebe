// The cryptographic part of verifying (spec 5), on the calling thread or on the thread pool.

import { verify } from 'node:crypto'
import { DIGESTS } from './local-signer.ts'
import type { CheckSignature, SignatureToCheck } from './ports.ts'

/** Verifies at once: the default. */
export const checkSignatureHere: CheckSignature = (input) => {
  if (!hasRightShape(input)) return false
  const { algorithm, publicKey, base, signature } = input
  const digest = DIGESTS[algorithm]
  const key = digest === null ? publicKey : ({ key: publicKey, dsaEncoding: P1363 } as const)
  return verify(digest, base, key, signature)
}

/** Verifies on the thread pool: slower for one message, faster for many at once. */
export const checkSignatureOnThreadPool: CheckSignature = async (input) => {
  if (!hasRightShape(input)) return false
  const { algorithm, publicKey, base, signature } = input
  const key = { key: publicKey, dsaEncoding: P1363 } as const
  return new Promise((resolve, reject) => {
    verify(DIGESTS[algorithm], base, key, signature, (error, isValid) =>
      error ? reject(error) : resolve(isValid),
    )
  })
}

const P1363 = 'ieee-p1363'
// Both algorithms: R and S, or r and s, of 32 bytes each.
const SIGNATURE_BYTES = 64
const KEY_TYPES = { ed25519: 'ed25519', 'ecdsa-p256-sha256': 'ec' } as const

function hasRightShape({ algorithm, publicKey, signature }: SignatureToCheck): boolean {
  return (
    signature.byteLength === SIGNATURE_BYTES && publicKey.asymmetricKeyType === KEY_TYPES[algorithm]
  )
}
