// What an operator can change about keys (spec 5): create, rotate and revoke them. Each change locks out others and
// wakes the instances that hold keys in memory.

import { defined } from '../lib/defined.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { algorithmOf, generateKeyPair, importPublicKey, thumbprint } from '../signing/keys.ts'
import type { Jwk } from '../signing/ports.ts'
import type { SigningAlgorithm } from '../signing/profile.ts'
import { planRevocation, planRotation, signingKeyAt, stateAt, waitingKeysAt } from './lifecycle.ts'
import { custodyOf, keepPrivateKey, openPrivateKey, secretFault } from './private-key.ts'
import { keyMembers } from './published-jwk.ts'
import {
  KEYS_TOPIC,
  type KeyPurpose,
  type SigningKeyRecord,
  type SigningKeyStore,
} from './store.ts'

export interface KeyPorts {
  transact: Transact
  signingKeys: SigningKeyStore
  /** The JWK member that contains the key's purpose. */
  keyUse: string
  /** Encrypts private keys. Default: they are stored in plain text. */
  box?: SecretBox | undefined
}

export interface NewKey {
  /** Default ed25519. */
  algorithm?: SigningAlgorithm
  /** Default webhook-signing. */
  purpose?: KeyPurpose
}

type KeyRefusal = { ok: false; message: string }
export type AddedKey = { ok: true; key: SigningKeyRecord } | KeyRefusal

/** Creates a key and publishes it. It signs immediately if no other key does, else after a rotation. */
export async function generateKey(ports: KeyPorts, wanted: NewKey = {}): Promise<AddedKey> {
  const message = secretFault(await ports.signingKeys.list(), ports.box)
  if (message !== undefined) return { ok: false, message }
  const fresh = freshKey(ports, wanted)
  return changeKeys(ports, async (change) => ({
    ok: true,
    key: await publish(ports, change, fresh(change.now)),
  }))
}

/**
 * Publishes a key whose private half is held elsewhere, under its kid or else its thumbprint. Every instance must be
 * given a signer for it before it signs.
 */
export async function addExternalKey(
  ports: KeyPorts,
  jwk: Jwk,
  { purpose = 'webhook-signing' }: Pick<NewKey, 'purpose'> = {},
): Promise<AddedKey> {
  const imported = importPublicKey(jwk)
  const algorithm = algorithmOf(jwk)
  if (!imported.ok) return { ok: false, message: `the key ${imported.reason}` }
  if (!algorithm) return { ok: false, message: 'the key is of an unknown type' }
  if (jwk.d !== undefined) {
    return { ok: false, message: 'the key holds its private half: leave `d` out' }
  }
  const kid = jwk.kid ?? thumbprint(jwk)
  const unplanned = { ...UNPLANNED, kid, algorithm, purpose, private_key: null }
  return changeKeys(ports, async (change) => {
    if (change.keys.some((key) => key.kid === kid)) {
      return { ok: false, message: `there is a key ${kid} already` }
    }
    const record = { ...unplanned, public_jwk: keyMembers(jwk), published_at: change.now }
    return { ok: true, key: await publish(ports, change, record) }
  })
}

export interface Rotation extends NewKey {
  /** How long the next key is published before it signs; see `SHORTEST_LEAD_SECONDS`. */
  leadSeconds: number
  /** The existing keys can no longer be decrypted, and the next one need not be decryptable either. Default false. */
  newSecret?: boolean
}

export type Rotated =
  /** `retired` are the keys that end because of this. */
  { ok: true; key: SigningKeyRecord; retired: SigningKeyRecord[] } | KeyRefusal

/**
 * Makes the next key take over: one that is already scheduled, so that a rotation can be repeated or brought forward,
 * else the oldest one without a date, else a new one with the most recently used algorithm.
 */
export async function rotateKey(
  ports: KeyPorts,
  { algorithm, purpose = 'webhook-signing', leadSeconds, newSecret = false }: Rotation,
): Promise<Rotated> {
  const known = await ports.signingKeys.list()
  const message = newSecret ? undefined : secretFault(known, ports.box)
  if (message !== undefined) return { ok: false, message }
  const like = algorithm ?? known.filter((key) => key.purpose === purpose).at(-1)?.algorithm
  const fresh = freshKey(ports, { purpose, ...defined({ algorithm: like ? like : undefined }) })
  return changeKeys(ports, async ({ tx, keys, now }) => {
    const waiting = nextKey(ports, keys, { now, purpose, algorithm })
    const next = waiting ?? fresh(now)
    if (!waiting) await ports.signingKeys.add(tx, next)
    const changed = planRotation(keys, next, { now, leadMs: leadSeconds * 1_000 })
    for (const key of changed) await ports.signingKeys.update(tx, key)
    const key = changed.find(({ kid }) => kid === next.kid) ?? next
    const retired = changed.filter((one) => one !== key && one.retired_at !== null)
    return { ok: true, key, retired }
  })
}

/** The key that a rotation uses; undefined: it creates one. */
export function nextKey(
  { box }: Pick<KeyPorts, 'box'>,
  keys: readonly SigningKeyRecord[],
  wanted: { now: number; purpose: KeyPurpose; algorithm?: SigningAlgorithm | undefined },
): SigningKeyRecord | undefined {
  const { now, purpose, algorithm } = wanted
  return waitingKeysAt(keys, now, purpose).find(
    (key) =>
      (algorithm === undefined || key.algorithm === algorithm) &&
      (key.private_key === null || openPrivateKey(key, box).ok),
  )
}

export type Revoked = { ok: true; key: SigningKeyRecord; signsNow: SigningKeyRecord } | KeyRefusal

/** Permanently revokes a key in any state; if it was the last one for its purpose, creates a new one. */
export async function revokeKey(ports: KeyPorts, kid: string): Promise<Revoked> {
  const before = await ports.signingKeys.list()
  const fresh = freshKey(ports, before.find((key) => key.kid === kid) ?? {})
  const fault = secretFault(before, ports.box)
  return changeKeys(ports, async ({ tx, keys, now }) => {
    const known = keys.find((key) => key.kid === kid)
    if (!known) return { ok: false, message: noSuchKey(kid) }
    let after = keys
    if (known.revoked_at === null) {
      const { changed, needsSuccessor } = planRevocation(keys, known, now)
      if (needsSuccessor && fault !== undefined) return { ok: false, message: fault }
      for (const key of changed) await ports.signingKeys.update(tx, key)
      if (needsSuccessor) await ports.signingKeys.add(tx, { ...fresh(now), active_from: now })
      after = await ports.signingKeys.lockAll(tx)
    }
    const key = after.find((one) => one.kid === kid) ?? known
    const signsNow = signingKeyAt(after, now, known.purpose)
    if (!signsNow) throw new Error(`no key signs after ${kid} was revoked`)
    return { ok: true, key, signsNow }
  })
}

export function noSuchKey(kid: string): string {
  return `no key ${kid}: list the keys with "adwire keys list"`
}

/**
 * Creates the first webhook key if there is none, and encrypts keys that were stored in plain text. Throws if the
 * secret does not match the keys.
 */
export async function ensureSigningKey(ports: KeyPorts): Promise<void> {
  const message = secretFault(await ports.signingKeys.list(), ports.box)
  if (message !== undefined) throw new Error(message)
  const fresh = freshKey(ports, {})
  await changeKeys(ports, async (change) => {
    const { tx, keys, now } = change
    if (!signingKeyAt(keys, now)) await publish(ports, change, fresh(now))
    const { box } = ports
    if (!box) return
    for (const key of keys.filter((one) => custodyOf(one) === 'plain')) {
      const private_key = box.seal(key.private_key as string, key.kid)
      await ports.signingKeys.update(tx, { ...key, private_key })
    }
  })
}

/** Deletes expired keys; true if there were any. */
export async function deleteRemovedKeys(ports: KeyPorts, now: number): Promise<boolean> {
  const keys = await ports.signingKeys.list()
  if (!keys.some((key) => stateAt(key, now) === 'removed')) return false
  await changeKeys(ports, async () => {})
  return true
}

const UNPLANNED = { active_from: null, retired_at: null, remove_at: null, revoked_at: null }

/** Created before the transaction, which may be retried; the time is only known inside it. */
function freshKey(
  { keyUse, box }: KeyPorts,
  { algorithm = 'ed25519', purpose = 'webhook-signing' }: NewKey,
): (now: number) => SigningKeyRecord {
  let pair = generateKeyPair(algorithm, { keyUse, purpose })
  // A command would parse a kid that begins with a dash as a flag.
  while (thumbprint(pair.publicJwk).startsWith('-')) {
    pair = generateKeyPair(algorithm, { keyUse, purpose })
  }
  const { privateJwk, publicJwk } = pair
  const kid = thumbprint(publicJwk)
  const key = {
    ...UNPLANNED,
    kid,
    algorithm,
    purpose,
    public_jwk: keyMembers(publicJwk),
    private_key: keepPrivateKey(kid, privateJwk, box),
  }
  return (now) => ({ ...key, published_at: now })
}

interface Change {
  tx: Transaction
  keys: SigningKeyRecord[]
  now: number
}

async function changeKeys<T>(
  { transact, signingKeys }: KeyPorts,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  return transact(async (tx) => {
    const all = await signingKeys.lockAll(tx)
    const now = await tx.now()
    const removed = all.filter((key) => stateAt(key, now) === 'removed')
    for (const { kid } of removed) await signingKeys.delete(tx, kid)
    const result = await work({ tx, keys: all.filter((key) => !removed.includes(key)), now })
    await tx.wake(KEYS_TOPIC)
    return result
  })
}

async function publish(
  { signingKeys }: KeyPorts,
  { tx, keys, now }: Change,
  key: SigningKeyRecord,
): Promise<SigningKeyRecord> {
  const isFirst = signingKeyAt(keys, now, key.purpose) === undefined
  const added = { ...key, active_from: isFirst ? now : null }
  await signingKeys.add(tx, added)
  return added
}
