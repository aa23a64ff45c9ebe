// A published key set, parsed for a verifier (spec 5): keys by their kid. A kid that appears twice matches no key.

import { isObject } from '../protocol/schemas/checks.ts'
import type { Jwk } from '../signing/ports.ts'
import type { Loaded } from './document-cache.ts'
import { type Fetch, fetchDocument, MAX_JWKS_BYTES } from './fetch-document.ts'

export type KeySet = ReadonlyMap<string, Jwk>

export async function loadKeySet(fetch: Fetch, url: string): Promise<Loaded<KeySet>> {
  const fetched = await fetchDocument(fetch, url, MAX_JWKS_BYTES)
  if (!fetched.ok) {
    const { fault, reason } = fetched
    return { ok: false, reason, failure: fault === 'refused' ? UNTRUSTED : UNAVAILABLE }
  }
  const { document } = fetched
  if (!isObject(document) || !Array.isArray(document.keys)) {
    const reason = 'the answer is no key set: {"keys": […]} is expected'
    return { ok: false, reason, failure: UNAVAILABLE }
  }
  return { ok: true, value: keysById(document.keys) }
}

const UNAVAILABLE = 'signature_jwks_unavailable'
const UNTRUSTED = 'signature_jwks_untrusted'

export function keysById(list: readonly unknown[]): KeySet {
  const keys = new Map<string, Jwk>()
  const repeated = new Set<string>()
  for (const jwk of list) {
    if (!isObject(jwk) || typeof jwk.kid !== 'string') continue
    if (keys.has(jwk.kid)) repeated.add(jwk.kid)
    keys.set(jwk.kid, jwk as Jwk)
  }
  for (const kid of repeated) keys.delete(kid)
  return keys
}

const PUBLIC_MEMBERS = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const

/** Whether they verify the same signatures, whatever their other members say. */
export function isSameKey(one: Jwk, other: Jwk): boolean {
  return PUBLIC_MEMBERS.every((member) => one[member] === other[member])
}

/** Equal only for keys that verify the same signatures. */
export function thumbprint(jwk: Jwk): string {
  return JSON.stringify(PUBLIC_MEMBERS.map((member) => jwk[member] ?? null))
}
