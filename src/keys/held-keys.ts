// Keys whose private halves are held elsewhere, such as in a KMS, and the signers that reach them.

import { algorithmOf } from '../signing/keys.ts'
import type { Jwk, Signer } from '../signing/ports.ts'
import { addExternalKey, type KeyPorts } from './manage-keys.ts'
import { keyMembers } from './published-jwk.ts'

/** A signer whose private key stays where it is, and the public key that others verify with. */
export interface HeldKey extends Signer {
  /**
   * The public key. It is published under `keyid` unless it already is. It signs immediately if no other key does,
   * else after a rotation. Default: it was published by `adwire keys generate --held-elsewhere`.
   */
  publicJwk?: PublicKeyMembers
}

/** The members of a public JWK that make up the key itself; others are ignored. */
export interface PublicKeyMembers {
  kty?: string | undefined
  crv?: string | undefined
  x?: string | undefined
  y?: string | undefined
}

/** By their key ids. Throws if two are the same. */
export function signersByKeyid(held: readonly HeldKey[]): Readonly<Record<string, Signer>> {
  const byKeyid = new Map<string, Signer>()
  for (const signer of held) {
    if (byKeyid.has(signer.keyid)) throw new Error(`two signers are for the key ${signer.keyid}`)
    byKeyid.set(signer.keyid, signer)
  }
  return Object.fromEntries(byKeyid)
}

/**
 * Publishes the keys that are not published yet, and returns them. Throws if a key differs from what its signer
 * reports.
 */
export async function publishHeldKeys(
  ports: KeyPorts,
  held: readonly HeldKey[],
): Promise<string[]> {
  const published: string[] = []
  for (const { keyid, algorithm, ...rest } of held) {
    if (rest.publicJwk === undefined) continue
    const publicJwk = rest.publicJwk as Jwk
    const actual = algorithmOf(publicJwk)
    if (actual !== algorithm) {
      throw new Error(`the signer of ${keyid} is for ${algorithm}, its public key for ${actual}`)
    }
    if (await isPublished(ports, keyid, publicJwk)) continue
    const added = await addExternalKey(ports, { ...publicJwk, kid: keyid })
    if (added.ok) published.push(keyid)
    // Another instance may have been faster.
    else if (!(await isPublished(ports, keyid, publicJwk))) {
      throw new Error(`the key ${keyid} cannot be published: ${added.message}`)
    }
  }
  return published
}

async function isPublished(
  { signingKeys }: KeyPorts,
  keyid: string,
  publicJwk: Jwk,
): Promise<boolean> {
  const known = (await signingKeys.list()).find(({ kid }) => kid === keyid)
  if (!known) return false
  const [ours, theirs] = [known.public_jwk, publicJwk].map((jwk) => keyMembers(jwk))
  const isSame = (['kty', 'crv', 'x', 'y'] as const).every(
    (name) => ours?.[name] === theirs?.[name],
  )
  if (isSame) return true
  throw new Error(
    `the key ${keyid} is published with another public key: give this one its own keyid`,
  )
}
