// The keys that principals sign their requests with, as registered by the operator (spec 5): a key itself, the
// address of a key set, or the agent through which the key set is found. Each key and each address can be registered
// only once: the owner of a signature must never be ambiguous.

import { defined } from '../lib/defined.ts'
import { isUrl } from '../lib/is-url.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { uuid7 } from '../lib/uuid7.ts'
import { algorithmOf, importVerificationKey, thumbprint } from '../signing/keys.ts'
import type { Jwk } from '../signing/ports.ts'
import { canonicalTargetUri } from '../signing/target-uri.ts'
import { REQUEST_KEY_LIMITS } from './limits.ts'
import type { Principal, PrincipalStore } from './principals.ts'

export type RequestKeyKind = 'jwk' | 'jwks_url' | 'agent_url'

export interface RequestKeyRecord {
  key_id: string
  principal_id: string
  kind: RequestKeyKind
  /** The key, if it is registered directly; signatures identify it by its `kid`. */
  jwk?: Jwk
  /** Of the key set or the agent. */
  url?: string
  /** Keys that an address is pinned to: other keys that it publishes are not accepted. */
  pin?: readonly Jwk[]
  /** Milliseconds. */
  created_at: number
}

/** Notifies the instances that cache the addresses in memory. */
export const REQUEST_KEYS_TOPIC = 'request-keys'

export interface RequestKeyStore {
  /** Adds nothing when a principal already has the key that `identity` identifies; returns that principal. */
  add(
    tx: Transaction,
    record: Omit<RequestKeyRecord, 'created_at'> & { identity: string },
  ): Promise<RequestKeyRecord | { takenBy: string }>
  /** The keys of a principal, oldest first. */
  list(principalId: string): Promise<RequestKeyRecord[]>
  /** False when no key has this id. */
  remove(tx: Transaction, keyId: string): Promise<boolean>
  /** Directly registered keys with this `kid`, of principals that have not been revoked. */
  byKid(kid: string): Promise<RequestKeyRecord[]>
  /** The addresses of all principals that have not been revoked, the oldest first. */
  addresses(): Promise<RequestKeyRecord[]>
  /** How many there are of those. */
  countAddresses(tx: Transaction): Promise<number>
  /** The owner of the key, unless the key was removed or the principal was revoked. */
  principalOf(keyId: string): Promise<Principal | undefined>
  /** Whether a principal has any. */
  hasAny(principalId: string): Promise<boolean>
}

export interface RequestKeyPorts {
  transact: Transact
  principals: Pick<PrincipalStore, 'lock'>
  requestKeys: RequestKeyStore
  /** The member of a JWK that states its purpose. */
  keyUse: string
}

/** What to register: one of the three. */
export type NewRequestKey =
  | { jwk: Jwk }
  | { jwksUrl: string; pin?: readonly Jwk[] | undefined }
  | { agentUrl: string; pin?: readonly Jwk[] | undefined }

const { keysOfOne, addresses } = REQUEST_KEY_LIMITS

type Added = { ok: true; record: RequestKeyRecord } | { ok: false; message: string }

/** A new key takes effect immediately on PostgreSQL, and within seconds on SQLite. */
export async function addRequestKey(
  { transact, principals, requestKeys, keyUse }: RequestKeyPorts,
  principalId: string,
  given: NewRequestKey,
): Promise<Added> {
  const read = 'jwk' in given ? readKey(given.jwk, keyUse) : readAddress(given, keyUse)
  if (!read.ok) return read
  const before = await requestKeys.list(principalId)
  if (before.length >= keysOfOne.value) {
    return refuse(`a principal has at most ${keysOfOne.value} keys for requests: remove one first`)
  }
  return transact(async (tx): Promise<Added> => {
    const principal = await principals.lock(tx, principalId)
    if (!principal)
      return refuse(`no principal ${principalId}: list the principals with adwire principals list`)
    if (principal.revoked_at !== null) {
      return refuse(`the principal ${principalId} was revoked: create a new one`)
    }
    if (read.key.url !== undefined && (await requestKeys.countAddresses(tx)) >= addresses.value) {
      return refuse(
        `at most ${addresses.value} addresses of keys are on file, of all principals: remove one, or add the key itself`,
      )
    }
    const key_id = `rqk_${uuid7(await tx.now()).replaceAll('-', '')}`
    const added = await requestKeys.add(tx, { key_id, principal_id: principalId, ...read.key })
    if ('takenBy' in added) {
      return refuse(`${read.what} is on file already, for ${added.takenBy}: it names one principal`)
    }
    await tx.wake(REQUEST_KEYS_TOPIC)
    return { ok: true, record: added }
  })
}

/**
 * Once this returns, nothing signed with the key is accepted (on SQLite, if run next to a server: within seconds).
 */
export function removeRequestKey(
  { transact, requestKeys }: Pick<RequestKeyPorts, 'transact' | 'requestKeys'>,
  keyId: string,
): Promise<boolean> {
  return transact(async (tx) => {
    const isRemoved = await requestKeys.remove(tx, keyId)
    if (isRemoved) await tx.wake(REQUEST_KEYS_TOPIC)
    return isRemoved
  })
}

type Described = Pick<RequestKeyRecord, 'kind' | 'jwk' | 'url' | 'pin'> & { identity: string }
type Read = { ok: true; key: Described; what: string } | { ok: false; message: string }

function readKey(given: Jwk, keyUse: string): Read {
  if ('d' in given) return refuse('this is a private key: send only the public key')
  const jwk = { ...given, kid: given.kid ?? thumbprint(given) }
  const fault = keyFault(jwk, keyUse)
  if (fault) return refuse(fault)
  const identity = `key ${thumbprint(jwk)}`
  return { ok: true, key: { kind: 'jwk', jwk, identity }, what: `the key ${jwk.kid}` }
}

const KID = /^[\x20-\x7e]{1,256}$/

function keyFault(jwk: Jwk, keyUse: string): string | undefined {
  if (typeof jwk.kid !== 'string' || !KID.test(jwk.kid)) {
    return 'the key’s kid must be a text of 1 to 256 printable ASCII characters'
  }
  const algorithm = algorithmOf(jwk)
  if (!algorithm) return 'the key is neither Ed25519 nor P-256, or its alg is for another type'
  const policy = { algorithm, keyUse, purposes: ['request-signing'] }
  const key = importVerificationKey(jwk, policy)
  return key.ok ? undefined : `the key ${key.reason}`
}

function readAddress(given: Exclude<NewRequestKey, { jwk: Jwk }>, keyUse: string): Read {
  const [kind, url] =
    'agentUrl' in given
      ? (['agent_url', given.agentUrl] as const)
      : (['jwks_url', given.jwksUrl] as const)
  const canonical = canonicalTargetUri(url, { allowUnicodeHost: true })
  if (!isUrl(url) || !canonical.ok) return refuse(`${url} must be an http or https URL`)
  const { pin } = given
  const fault = pin?.map((jwk) => keyFault(jwk, keyUse)).find((one) => one !== undefined)
  if (fault) return refuse(`the pin cannot be used: ${fault}`)
  const identity = `${kind} ${canonical.targetUri}`
  return { ok: true, key: { kind, url, identity, ...defined({ pin }) }, what: url }
}

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message }
}
