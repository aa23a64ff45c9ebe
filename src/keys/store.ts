// The signing keys of this operator as they are stored (spec 5), and the port of their store.

import type { Transaction } from '../lib/transaction.ts'
import type { Jwk } from '../signing/ports.ts'
import type { SigningAlgorithm } from '../signing/profile.ts'

/** The purposes of keys: each key has exactly one (spec 5). */
export const KEY_PURPOSES = ['webhook-signing', 'request-signing'] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]

/** Wakes every process that holds keys in memory. */
export const KEYS_TOPIC = 'keys'

/**
 * One key. Its state is derived from its times, so a planned change takes effect on all instances at the same moment
 * without any action:
 *
 *   published → active → retiring → removed          revoked, from any of them
 *
 * - published: in the key set so that verifiers can fetch it, but not used. `active_from` is null
 *   (until a rotation selects the key) or in the future.
 * - active: signs, from `active_from` to `retired_at`. Each purpose has one active key.
 * - retiring: no longer signs, and stays in the key set until `remove_at`, when every signature it
 *   made has expired.
 * - removed: in no key set; the row is deleted soon.
 * - revoked: in no key set, permanently in the revocation list, its private key erased. Everything it
 *   ever signed is void.
 */
export interface SigningKeyRecord {
  kid: string
  algorithm: SigningAlgorithm
  purpose: KeyPurpose
  /** Only the public key: kty, crv, x and y. */
  public_jwk: Jwk
  /** The private JWK as JSON, encrypted or plain; null if it is held elsewhere or was erased. */
  private_key: string | null
  /** Times are milliseconds, by the database's clock. */
  published_at: number
  active_from: number | null
  retired_at: number | null
  remove_at: number | null
  revoked_at: number | null
}

export interface SigningKeyStore {
  /** All of them, the oldest first. */
  list(): Promise<SigningKeyRecord[]>
  /** Locks out every other change of keys until the transaction ends, and reads all keys. */
  lockAll(tx: Transaction): Promise<SigningKeyRecord[]>
  /** Adds a key; false if one with this kid exists. */
  add(tx: Transaction, key: SigningKeyRecord): Promise<boolean>
  /** Replaces the private key and the times of the key with this kid. */
  update(tx: Transaction, key: SigningKeyRecord): Promise<void>
  delete(tx: Transaction, kid: string): Promise<void>
}
