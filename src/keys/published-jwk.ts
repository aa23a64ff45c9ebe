// The form of a public key in this operator's key set (spec 5): the key, its allowed use, and no private members.

import { defined } from '../lib/defined.ts'
import type { Jwk } from '../signing/ports.ts'
import type { SigningAlgorithm } from '../signing/profile.ts'
import type { SigningKeyRecord } from './store.ts'

/** The JOSE names of the algorithms in the signing profile. */
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

/** The members that make up the key itself; private ones are removed. */
export function keyMembers({ kty, crv, x, y }: Jwk): Jwk {
  return {
    ...defined({ kty, crv, x, y }),
  }
}
