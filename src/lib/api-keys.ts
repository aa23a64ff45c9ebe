// The keys of one kind of owner: several at a time, so that one can be replaced while it is still in use. Ownership
// is looked up on every call, so changes made here take effect immediately, everywhere.

import { createApiKey, type NewApiKey } from './api-key.ts'
import type { Transact, Transaction } from './transaction.ts'

/** A key as it is stored and returned: never the key itself. Times are in milliseconds. */
export interface ApiKeyRecord {
  key_id: string
  /** The first characters, to identify the key. */
  hint: string
  created_at: number
  /** Accurate to the minute; undefined if the key was never used, or not recently recorded. */
  last_used_at: number | undefined
  /** From then on it is refused. */
  expires_at: number | undefined
  revoked_at: number | undefined
}

export interface KeyOwner {
  /** The kind of owner: keys of different kinds are independent. */
  kind: string
  owner_id: string
}

export interface ApiKeyStore {
  /** The owner of the key, even if the key has expired. */
  find(kind: string, keyHash: string): Promise<{ key_id: string; owner_id: string } | undefined>
  /** The keys of an owner, the oldest first. */
  list(owner: KeyOwner): Promise<ApiKeyRecord[]>
  /** The same, locked against changes by others until the transaction has ended. */
  lock(tx: Transaction, owner: KeyOwner): Promise<ApiKeyRecord[]>
  /** Adds a key, or makes one of the owner's own keys valid again. Undefined if it belongs to another owner. */
  add(
    tx: Transaction,
    owner: KeyOwner,
    key: Omit<NewApiKey, 'key'> & { expiresAt?: number | undefined },
  ): Promise<ApiKeyRecord | undefined>
  /** Makes keys expire at that time, unless they expire sooner. */
  expire(tx: Transaction, keyIds: readonly string[], at: number): Promise<void>
  /** False if there is none of this kind; if it was already set, the first time is kept. */
  revoke(tx: Transaction, kind: string, keyId: string): Promise<boolean>
  /** Forgets keys. */
  forget(tx: Transaction, keyIds: readonly string[]): Promise<void>
  /** Notes that keys were used, now. */
  noteUse(tx: Transaction, keyHashes: readonly string[]): Promise<void>
}

export interface OwnerKeysPorts {
  transact: Transact
  apiKeys: ApiKeyStore
  kind: string
  /** How a key begins. */
  prefix: string
  /** Why this owner cannot be given a key; undefined if it can. */
  faultOf: (ownerId: string) => Promise<string | undefined>
}

type MadeKey = { ok: true; key: string; record: ApiKeyRecord } | KeyRefusal
interface KeyRefusal {
  ok: false
  message: string
}

export interface OwnerKeys {
  list(ownerId: string): Promise<{ ok: true; keys: ApiKeyRecord[] } | KeyRefusal>
  /** The key is returned only here and is not stored. */
  add(ownerId: string, options?: { expiresInMs?: number | undefined }): Promise<MadeKey>
  /** Creates a new key, and makes the existing ones, or one of them, expire after the overlap. */
  rotate(
    ownerId: string,
    options: { overlapMs: number; keyId?: string | undefined },
  ): Promise<(MadeKey & { ok: true; replaced: ApiKeyRecord[] }) | KeyRefusal>
  /** Once this returns, the key is refused. False if there is no such key. */
  revoke(keyId: string): Promise<boolean>
}

/** Maximum number of valid keys of an owner. @internal */
export const MAX_GOOD_KEYS = 20
/** Number of expired keys that are kept per owner for display. */
const KEPT_ENDED_KEYS = 50

export function ownerKeys({ transact, apiKeys, kind, prefix, faultOf }: OwnerKeysPorts): OwnerKeys {
  async function make(
    tx: Transaction,
    owner: KeyOwner,
    expiresInMs: number | undefined,
  ): Promise<MadeKey> {
    const now = await tx.now()
    const all = await apiKeys.lock(tx, owner)
    const ended = all.filter((key) => !isGood(key, now))
    if (all.length - ended.length >= MAX_GOOD_KEYS) {
      return refuse(`it has ${MAX_GOOD_KEYS} keys, which is the most: revoke one it does not need`)
    }
    const forgotten = ended.slice(0, Math.max(0, ended.length - KEPT_ENDED_KEYS + 1))
    await apiKeys.forget(
      tx,
      forgotten.map(({ key_id }) => key_id),
    )
    const { key, ...stored } = createApiKey(prefix)
    const expiresAt = expiresInMs === undefined ? undefined : now + expiresInMs
    const record = await apiKeys.add(tx, owner, { ...stored, expiresAt })
    if (!record) throw new Error('a random key belonged to somebody')
    return { ok: true, key, record }
  }

  return {
    list: async (owner_id) => {
      const keys = await apiKeys.list({ kind, owner_id })
      const fault = keys.length === 0 ? await faultOf(owner_id) : undefined
      return fault === undefined ? { ok: true, keys } : refuse(fault)
    },
    add: async (owner_id, { expiresInMs } = {}) => {
      const fault = await faultOf(owner_id)
      if (fault !== undefined) return refuse(fault)
      return transact((tx) => make(tx, { kind, owner_id }, expiresInMs))
    },
    rotate: async (owner_id, { overlapMs, keyId }) => {
      const fault = await faultOf(owner_id)
      if (fault !== undefined) return refuse(fault)
      return transact(async (tx) => {
        const owner = { kind, owner_id }
        const now = await tx.now()
        const good = (await apiKeys.lock(tx, owner)).filter((key) => isGood(key, now))
        const replaced = good.filter(({ key_id }) => keyId === undefined || key_id === keyId)
        if (keyId !== undefined && replaced.length === 0) {
          return refuse(`it has no good key ${keyId}: list its keys to see which it has`)
        }
        const made = await make(tx, owner, undefined)
        if (!made.ok) return made
        const ids = replaced.map(({ key_id }) => key_id)
        await apiKeys.expire(tx, ids, now + overlapMs)
        const after = await apiKeys.lock(tx, owner)
        return { ...made, replaced: after.filter(({ key_id }) => ids.includes(key_id)) }
      })
    },
    revoke: (keyId) => transact((tx) => apiKeys.revoke(tx, kind, keyId)),
  }
}

/** Whether it would be accepted. */
export function isGood({ revoked_at, expires_at }: ApiKeyRecord, now: number): boolean {
  return revoked_at === undefined && (expires_at === undefined || expires_at > now)
}

function refuse(message: string): KeyRefusal {
  return { ok: false, message }
}
