// What a public key looks like in the key set of this operator (spec 5): the key, what it may be
// used for, and nothing of the private one.

import { defined } from '../lib/defined.ts'
import type { Jwk } from '../signing/ports.ts'
import type { SigningAlgorithm } from '../signing/profile.ts'
import type { SigningKeyRecord } from './store.ts'

/** The names that JOSE has for the algorithms of the signing profile. */
export const JOSE_ALGORITHM: Readonly<Record<SigningAlgorithm, 'EdDSA' | 'ES256'>> = {
  ed25519: 'EdDSA',
  'ecdsa-p256-sha256': 'ES256',
}

/** `keyUse` is the member that holds the purpose, as a string. */
export function publishedJwk(
  { kid, algorithm, purpose, public_jwk }: SigningKeyRecord,
  keyUse: string,
): Jwk {
  return {
    ...keyMembers(public_jwk),
    kid,
    alg: JOSE_ALGORITHM[algorithm],
    use: 'sig',
    key_ops: ['verify'],
    [keyUse]: purpose,
  }
}

/** The members that are the key itself; a private one among them is left out. */
export function keyMembers({ kty, crv, x, y }: Jwk): Jwk {
  return {
    ...defined({ kty, crv, x, y }),
  }
}
