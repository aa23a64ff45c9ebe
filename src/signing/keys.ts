// Decides which published keys may verify a signature, and reads and creates keys as JSON Web Keys (spec 5; RFC 7517,
// RFC 8037). Key material is parsed once and cached by its content.

import { createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto'
import { decodeBase64Url } from '../lib/base64.ts'
import { defined } from '../lib/defined.ts'
import { createRecentCache } from '../lib/recent-cache.ts'
import type { Jwk } from './ports.ts'
import type { SigningAlgorithm } from './profile.ts'

export type PublicKeyResult = { ok: true; publicKey: KeyObject } | { ok: false; reason: string }

export interface KeyPolicy {
  /** The algorithm the signature names. */
  algorithm: SigningAlgorithm
  /** The member of a JWK that states its purpose, and its accepted values. */
  keyUse: string
  purposes: readonly string[]
}

/**
 * The key, if it is published for exactly this kind of verification: `use`, `key_ops`, purpose and algorithm. A
 * caller that has already parsed the material passes it in.
 */
export function importVerificationKey(
  jwk: Jwk,
  policy: KeyPolicy,
  publicKey?: KeyObject,
): PublicKeyResult {
  const fault = policyFault(jwk, policy)
  if (fault) return refuse(fault)
  return publicKey ? { ok: true, publicKey } : importPublicKey(jwk)
}

function policyFault(jwk: Jwk, policy: KeyPolicy): string | undefined {
  const { algorithm, keyUse, purposes } = policy
  if (jwk.use !== 'sig') return 'has a `use` other than sig'
  if (!Array.isArray(jwk.key_ops) || !jwk.key_ops.includes('verify')) {
    return 'has no `key_ops` with verify in it'
  }
  const purpose = jwk[keyUse]
  if (typeof purpose !== 'string') return `has no string as \`${keyUse}\``
  if (!purposes.includes(purpose)) return `has a \`${keyUse}\` that is not ${purposes.join(' or ')}`
  if (algorithmOf(jwk) !== algorithm) return `has a kty, crv or alg that is not for ${algorithm}`
  return undefined
}

/** The algorithm of a JWK according to `kty` and `crv`, unless its `alg` says something else. */
export function algorithmOf({ kty, crv, alg }: Jwk): SigningAlgorithm | undefined {
  if (kty === 'OKP' && crv === 'Ed25519') {
    return alg === undefined || alg === 'EdDSA' || alg === 'Ed25519' ? 'ed25519' : undefined
  }
  if (kty === 'EC' && crv === 'P-256') {
    return alg === undefined || alg === 'ES256' ? 'ecdsa-p256-sha256' : undefined
  }
  return undefined
}

/** The public half of a JWK; private members are ignored. A point that is not on the curve is refused. */
export function importPublicKey(jwk: Jwk): PublicKeyResult {
  const algorithm = algorithmOf(jwk)
  if (!algorithm) return refuse('is of an unknown type')
  const { x, y = '' } = jwk
  if (typeof x !== 'string' || typeof y !== 'string') return refuse(COORDINATES)
  const isOkp = algorithm === 'ed25519'
  const id = isOkp ? x : `${x}.${y}`
  const known = parsed.get(id)
  if (known) return { ok: true, publicKey: known }

  if (!isCoordinate(x) || !(isOkp || isCoordinate(y))) return refuse(COORDINATES)
  try {
    const key = isOkp ? { kty: 'OKP', crv: 'Ed25519', x } : { kty: 'EC', crv: 'P-256', x, y }
    const publicKey = createPublicKey({ key, format: 'jwk' })
    parsed.set(id, publicKey)
    return { ok: true, publicKey }
  } catch {
    return refuse('holds no point of its curve')
  }
}

export interface KeyPair {
  privateJwk: Jwk
  /** As it is published: `use` sig, `key_ops` verify. */
  publicJwk: Jwk
}

export interface KeyPairOptions {
  keyUse: string
  purpose: string
  /** Default: the thumbprint. */
  kid?: string
}

/** A new key pair for one purpose; a key never has two purposes (spec 5). */
export function generateKeyPair(algorithm: SigningAlgorithm, options: KeyPairOptions): KeyPair {
  const pair =
    algorithm === 'ed25519'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y, d } = pair.privateKey.export({ format: 'jwk' })
  const material: Jwk = { kty: kty!, crv: crv!, x: x!, ...defined({ y }) }
  const privateJwk: Jwk = {
    kid: options.kid ?? thumbprint(material),
    ...material,
    alg: algorithm === 'ed25519' ? 'EdDSA' : 'ES256',
    use: 'sig',
    key_ops: ['sign'],
    [options.keyUse]: options.purpose,
    d,
  }
  return { privateJwk, publicJwk: publicJwkOf(privateJwk) }
}

/** The part of a private JWK that is published. */
export function publicJwkOf({ d: _private, ...rest }: Jwk): Jwk {
  return { ...rest, key_ops: ['verify'] }
}

/** RFC 7638: sha-256 of the required members, sorted by name. */
export function thumbprint({ kty, crv, x, y }: Jwk): string {
  const members = kty === 'EC' ? { crv, kty, x, y } : { crv, kty, x }
  return hash('sha256', JSON.stringify(members), 'base64url')
}

const COORDINATES = 'has an `x` or `y` that is not 32 bytes in base64url'
const COORDINATE_BYTES = 32
const parsed = createRecentCache<KeyObject>(4_096)

function isCoordinate(value: string): boolean {
  const decoded = decodeBase64Url(value)
  return decoded.ok && decoded.bytes.length === COORDINATE_BYTES
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}
