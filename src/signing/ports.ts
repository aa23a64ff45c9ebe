// What signing and verifying need from elsewhere, and what they work on.

import type { KeyObject } from 'node:crypto'
import type { DiscoveryFailure, SigningAlgorithm } from './profile.ts'

/** What a port may answer at once or later. */
export type Maybe<Value> = Value | Promise<Value>

/** A message as it was received or is about to be sent. */
export interface HttpMessage {
  method: string
  /** The absolute URL, as it was written; never passed through a URL parser. */
  url: string
  /** Names in any case; a header that came several times has several values, or one joined by ", ". */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The raw bytes. */
  body: Uint8Array
}

/** A private key, here or elsewhere: a KMS signs asynchronously and never hands the key out. */
export interface Signer {
  keyid: string
  algorithm: SigningAlgorithm
  /** Signs the bytes; ecdsa answers in IEEE P1363 form, 64 bytes. */
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

/** A key that a verifier found, with whose it is. */
export interface FoundKey {
  jwk: Jwk
  /** Parsed once by the code that caches the key. Default: the verifier parses the JWK. */
  publicKey?: KeyObject
  /** Who signs with it: the URL of the signer's agents[] entry (spec 5). */
  signer: string
  /** A pin says from when on signatures are refused, in seconds. */
  revokedAt?: number
}

/** Why a key cannot be found, where that is known; `detail` is for the operator's log. */
export interface KeyNotFound {
  failure: DiscoveryFailure | 'signature_key_unknown'
  detail: string
}

/**
 * Finds a key by its id; undefined when there is none, even after a second lookup. If several signers have a key of
 * that id, returns all of them, and the signature determines whose it is: no two of the same key.
 */
export type FindKey = (
  keyid: string,
) => Maybe<FoundKey | readonly FoundKey[] | KeyNotFound | undefined>

/** Whether a key may still be trusted, by the newest revocation list. */
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

/** Whether a signature is right; one of the wrong length is not. */
export type CheckSignature = (input: SignatureToCheck) => Maybe<boolean>

/** Whether a body is JSON in which no object, at any depth, has one key twice (spec 5). */
export type CheckBody = (body: Uint8Array) => boolean

/** Whose key: a keyid is its signer's own choice, and two signers may have made the same one. */
export interface SignersKey {
  /** The URL of the signer's agents[] entry. */
  signer: string
  keyid: string
}

/** Nonces that were seen, shared by every instance of a verifier (spec 8). */
export interface ReplayStore {
  /** Whether a key, its signer or all together hold as many live nonces as they may. Reads only. */
  isFull(key: SignersKey): Maybe<boolean>
  has(key: SignersKey, nonce: string): Maybe<boolean>
  /** Adds a nonce if it is new and there is room, in one atomic step. */
  insert(
    entry: SignersKey & {
      nonce: string
      /** From which second on the nonce may be forgotten. */
      expiresAt: number
    },
  ): Maybe<'added' | 'seen' | 'full'>
}
