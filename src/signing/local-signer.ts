// Signs with a private key that this process holds (spec 5), on the calling thread or on the thread pool. Keys held
// elsewhere need another `Signer`.

import {
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto'
import { algorithmOf, thumbprint } from './keys.ts'
import type { Jwk, Signer } from './ports.ts'
import type { SigningAlgorithm } from './profile.ts'

/**
 * A signer for a private JWK; its `keyid` is the JWK's `kid`, or otherwise its thumbprint. Signs synchronously, on
 * the calling thread. Throws when the JWK is not a usable private key; `importPrivateKey` reports that first.
 */
export function localSigner(privateJwk: Jwk): Signer {
  const { keyid, algorithm, privateKey } = usable(privateJwk)
  const digest = DIGESTS[algorithm]
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
  return {
    keyid,
    algorithm,
    sign: (bytes) => sign(digest, bytes, digest === null ? privateKey : key),
  }
}

/** Like `localSigner`, but on the thread pool: slower for one message, faster for many at once. */
export function threadPoolSigner(privateJwk: Jwk): Signer {
  const { keyid, algorithm, privateKey } = usable(privateJwk)
  const digest = DIGESTS[algorithm]
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
  return {
    keyid,
    algorithm,
    sign: (bytes) =>
      new Promise((resolve, reject) => {
        sign(digest, bytes, key, (error, signature) => (error ? reject(error) : resolve(signature)))
      }),
  }
}

export type PrivateKeyResult =
  | { ok: true; keyid: string; algorithm: SigningAlgorithm; privateKey: KeyObject }
  | { ok: false; reason: string }

/** Reads a private JWK; one with public members that do not match its private one is refused. */
export function importPrivateKey(jwk: Jwk): PrivateKeyResult {
  const algorithm = algorithmOf(jwk)
  if (!algorithm) return refuse('is neither Ed25519 nor P-256, or its alg is for another type')
  if (typeof jwk.d !== 'string') return refuse('has no private member `d`')
  const { x, y, d } = jwk
  try {
    const key = { ...jwk, key_ops: ['sign'], d } as JsonWebKey
    const privateKey = createPrivateKey({ key, format: 'jwk' })
    const derived = createPublicKey(privateKey).export({ format: 'jwk' })
    if (derived.x !== x || derived.y !== y) return refuse('has an `x` or `y` of another key')
    return { ok: true, keyid: jwk.kid ?? thumbprint(jwk), algorithm, privateKey }
  } catch {
    return refuse('holds members that make no key')
  }
}

/** Node's name for the hash of an algorithm; Ed25519 includes its own. */
export const DIGESTS = { ed25519: null, 'ecdsa-p256-sha256': 'sha256' } as const

function usable(jwk: Jwk) {
  const key = importPrivateKey(jwk)
  if (!key.ok) throw new TypeError(`The private key ${key.reason}.`)
  return key
}

function refuse(reason: string): PrivateKeyResult {
  return { ok: false, reason }
}
