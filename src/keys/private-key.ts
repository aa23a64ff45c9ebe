// Decides how a private key is stored: encrypted with the server's secret, or in plain text without one (spec 5). An
// encrypted key can only be decrypted with that secret and under its own kid.

import { isSealed, type SecretBox } from '../lib/secret-box.ts'
import type { Jwk } from '../signing/ports.ts'
import { keyMembers } from './published-jwk.ts'
import type { SigningKeyRecord } from './store.ts'

export type OpenedKey = { ok: true; jwk: Jwk } | { ok: false; message: string }

/** Stores only the key itself; its purpose is in its record. */
export function keepPrivateKey(kid: string, jwk: Jwk, box: SecretBox | undefined): string {
  const text = JSON.stringify({ ...keyMembers(jwk), d: jwk.d })
  return box ? box.seal(text, kid) : text
}

export function openPrivateKey(
  { kid, private_key }: Pick<SigningKeyRecord, 'kid' | 'private_key'>,
  box: SecretBox | undefined,
): OpenedKey {
  if (private_key === null) return { ok: false, message: `the private key of ${kid} is not here` }
  if (!isSealed(private_key)) return { ok: true, jwk: JSON.parse(private_key) as Jwk }
  if (!box) {
    const message = `the private key of ${kid} is sealed: set ADWIRE_KEY_SECRET to the secret it was sealed with`
    return { ok: false, message }
  }
  const opened = box.open(private_key, kid)
  if (opened.ok) return { ok: true, jwk: JSON.parse(opened.text) as Jwk }
  const message = `the private key of ${kid} does not open with this ADWIRE_KEY_SECRET: set the secret it was sealed with or, when that is lost, let a new key sign with "adwire keys rotate --now --new-secret"`
  return { ok: false, message }
}

/**
 * Why no key may be stored with this secret: the servers use a different one, and could not use the key. The newest
 * key shows this; undefined when it can be decrypted, or there is none.
 */
export function secretFault(
  keys: readonly SigningKeyRecord[],
  box: SecretBox | undefined,
): string | undefined {
  const newest = keys.filter(({ private_key }) => private_key !== null).at(-1)
  const opened = newest && openPrivateKey(newest, box)
  return opened && !opened.ok ? opened.message : undefined
}

export type Custody = 'sealed' | 'plain' | 'elsewhere' | 'erased'

/** Human-readable description of where and how a private key is stored. */
export function custodyOf({
  private_key,
  revoked_at,
}: Pick<SigningKeyRecord, 'private_key' | 'revoked_at'>): Custody {
  if (private_key !== null) return isSealed(private_key) ? 'sealed' : 'plain'
  return revoked_at === null ? 'elsewhere' : 'erased'
}
