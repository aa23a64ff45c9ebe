// How keys are displayed to an operator (spec 5): as a list without secrets, and individually as a JWK, with the
// private half only on request.

import type { Jwk } from '../signing/ports.ts'
import { type KeyState, stateAt } from './lifecycle.ts'
import { type KeyPorts, noSuchKey } from './manage-keys.ts'
import { type Custody, custodyOf, openPrivateKey } from './private-key.ts'
import { publishedJwk } from './published-jwk.ts'
import type { SigningKeyRecord } from './store.ts'

export interface ListedKey extends Pick<SigningKeyRecord, 'kid' | 'purpose' | 'algorithm'> {
  state: KeyState
  private_key: Custody
  published_at: string
  active_from: string | null
  retired_at: string | null
  remove_at: string | null
  revoked_at: string | null
}

/** All keys with their states, the oldest first. */
export async function listKeys(
  { signingKeys }: Pick<KeyPorts, 'signingKeys'>,
  now: number,
): Promise<ListedKey[]> {
  return (await signingKeys.list()).map((key) => describeKey(key, now))
}

export function describeKey(key: SigningKeyRecord, now: number): ListedKey {
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  return {
    kid: key.kid,
    purpose: key.purpose,
    algorithm: key.algorithm,
    state: stateAt(key, now),
    private_key: custodyOf(key),
    published_at: new Date(key.published_at).toISOString(),
    active_from: iso(key.active_from),
    retired_at: iso(key.retired_at),
    remove_at: iso(key.remove_at),
    revoked_at: iso(key.revoked_at),
  }
}

export interface KeyExport {
  /** Whether the private half is included. Default false. */
  withPrivate?: boolean
}

/** A key as a JWK: as it is published, or for signing when the private half is requested. */
export async function exportKey(
  { signingKeys, keyUse, box }: Omit<KeyPorts, 'transact'>,
  kid: string,
  { withPrivate = false }: KeyExport = {},
): Promise<{ ok: true; jwk: Jwk } | { ok: false; message: string }> {
  const key = (await signingKeys.list()).find((one) => one.kid === kid)
  if (!key) return { ok: false, message: noSuchKey(kid) }
  const published = publishedJwk(key, keyUse)
  if (!withPrivate) return { ok: true, jwk: published }
  const opened = openPrivateKey(key, box)
  if (!opened.ok) return opened
  return { ok: true, jwk: { ...published, key_ops: ['sign'], d: opened.jwk.d } }
}
