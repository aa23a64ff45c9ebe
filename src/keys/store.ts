// The signing keys of this operator, as they are kept (spec 5), and the port to where.

import type { Transaction } from '../lib/transaction.ts'
import type { Jwk } from '../signing/ports.ts'
import type { SigningAlgorithm } from '../signing/profile.ts'

/** A key is for one of these and for nothing else (spec 5). */
export const KEY_PURPOSES = ['webhook-signing', 'request-signing'] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]

/** Wakes every process that holds keys in memory. */
export const KEYS_TOPIC = 'keys'

/**
 * One key. Its state follows from its times, so a change that was planned happens on every instance
 * at the same moment without anybody doing it:
 *
 *   published → active → retiring → removed          revoked, from any of them
 *
 * - published: in the key set so that verifiers can learn it, and not used. `active_from` is null
 *   (until a rotation takes it up) or still to come.
 * - active: signs, from `active_from` to `retired_at`. Of each purpose there is one.
 * - retiring: signs no more, and stays in the key set until `remove_at`, when every signature it
 *   made has expired.
 * - removed: in no key set; the row is deleted soon.
 * - revoked: in no key set, in the revocation list for good, its private key erased. Everything it
 *   ever signed is void.
 */
export interface SigningKeyRecord {
  kid: string
  algorithm: SigningAlgorithm
  purpose: KeyPurpose
  /** The public key alone: kty, crv, x and y. */
  public_jwk: Jwk
  /** The private JWK as JSON, sealed or plain; null when it is held elsewhere or was erased. */
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
  /** Holds off every other change of keys until the transaction ends, and reads them all. */
  lockAll(tx: Transaction): Promise<SigningKeyRecord[]>
  /** Adds a key; false when there is one with this kid. */
  add(tx: Transaction, key: SigningKeyRecord): Promise<boolean>
  /** Replaces the private key and the times of the key with this kid. */
  update(tx: Transaction, key: SigningKeyRecord): Promise<void>
  delete(tx: Transaction, kid: string): Promise<void>
}
