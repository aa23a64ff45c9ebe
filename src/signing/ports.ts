// What signing and verifying need from elsewhere, and the data they work on.

import type { KeyObject } from 'node:crypto'
import type { DiscoveryFailure, SigningAlgorithm } from './profile.ts'

/** A value that a port may return immediately or asynchronously. */
export type Maybe<Value> = Value | Promise<Value>

/** A message as received, or as it is about to be sent. */
export interface HttpMessage {
  method: string
  /** The absolute URL exactly as written; never passed through a URL parser. */
  url: string
  /** Names in any case; a repeated header has several values, or one joined by ", ". */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The raw bytes. */
  body: Uint8Array
}

/** A private key, held here or elsewhere: a KMS signs asynchronously and never exposes the key. */
export interface Signer {
  keyid: string
  algorithm: SigningAlgorithm
  /** Signs the bytes; ecdsa returns IEEE P1363 form, 64 bytes. */
  sign(bytes: Uint8Array): Maybe<Uint8Array>
}

/** A JSON Web Key as it is published; unknown members are kept. */
export interface Jwk {
  kid?: string
  kty?: string
  crv?: string
  alg?: string
  use?: string
  key_ops?: readonly string[]
  x?: string
  y?: string
  [member: string]: unknown
}

/** A key that a verifier found, with its owner. */
export interface FoundKey {
  jwk: Jwk
  /** Parsed once by the code that caches the key. Default: the verifier parses the JWK. */
  publicKey?: KeyObject
  /** The signer that uses it: the URL of the signer's agents[] entry (spec 5). */
  signer: string
  /** For a pinned key: from when on signatures are refused, in seconds. */
  revokedAt?: number
}

/** Why a key cannot be found, if known; `detail` is for the operator's log. */
export interface KeyNotFound {
  failure: DiscoveryFailure | 'signature_key_unknown'
  detail: string
}

/**
 * Finds a key by its id; undefined if there is none, even after a second lookup. If several signers have a key with
 * that id, returns all of them, and the signature determines the owner: no two entries have the same key.
 */
export type FindKey = (
  keyid: string,
) => Maybe<FoundKey | readonly FoundKey[] | KeyNotFound | undefined>

/** Whether a key may still be trusted, according to the latest revocation list. */
export type CheckRevocation = (
  keyid: string,
  signer: string,
) => Maybe<'current' | 'revoked' | 'stale'>

export interface SignatureToCheck {
  algorithm: SigningAlgorithm
  publicKey: KeyObject
  /** The signature base. */
  base: Uint8Array
  signature: Uint8Array
}

/** Whether a signature is valid; one of the wrong length is not. */
export type CheckSignature = (input: SignatureToCheck) => Maybe<boolean>

/** Whether a body is JSON without duplicate keys in any object, at any depth (spec 5). */
export type CheckBody = (body: Uint8Array) => boolean

/** Identifies a key by its owner too: a signer chooses its keyids, and two signers may have chosen the same one. */
export interface SignersKey {
  /** The URL of the signer's agents[] entry. */
  signer: string
  keyid: string
}

/** Used nonces, shared by every instance of a verifier (spec 8). */
export interface ReplayStore {
  /** Whether a key, its signer or all together have reached the maximum number of live nonces. Reads only. */
  isFull(key: SignersKey): Maybe<boolean>
  has(key: SignersKey, nonce: string): Maybe<boolean>
  /** Adds a nonce if it is new and there is room, in one atomic step. */
  insert(
    entry: SignersKey & {
      nonce: string
      /** The second from which on the nonce may be deleted. */
      expiresAt: number
    },
  ): Maybe<'added' | 'seen' | 'full'>
}
