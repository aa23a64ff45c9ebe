// Reads an operator's list of revoked keys (spec 5): a JWS, in JSON or compact form, signed by a key
// of the same operator's key set, and issued for the origin it was fetched from.

import type { FlattenedJWSInput, GeneralJWSInput, JWSHeaderParameters } from 'jose'
import { parseStrictJson } from '../lib/strict-json.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { importPublicKey } from '../signing/keys.ts'
import type { KeySet } from './key-set.ts'

export interface RevocationList {
  revokedKids: ReadonlySet<string>
  /** Milliseconds. */
  updated: number
  nextUpdate: number
}

export type RevocationRead =
  | { ok: true; list: RevocationList }
  /** `isKeyUnknown`: a newer copy of the key set might hold the key. */
  | { ok: false; reason: string; isKeyUnknown?: boolean }

export interface RevocationRules {
  /** Scheme, host and port the list was fetched from. */
  origin: string
  /** The `typ` a list must have. */
  type: string
  keys: KeySet
}

const MAX_VALIDITY_MS = 7 * 24 * 60 * 60_000

export async function readRevocationList(
  body: Uint8Array,
  rules: RevocationRules,
): Promise<RevocationRead> {
  const opened = await openJws(body, rules.keys)
  if (!opened.ok) return opened
  if (opened.typ !== rules.type) return refuse(`its typ is not ${rules.type}`)
  const payload = parseStrictJson(opened.payload)
  if (!payload.ok || !isObject(payload.value)) return refuse('its payload is no strict JSON object')

  const { version, issuer, revoked_kids: kids } = payload.value
  if (version !== 1) return refuse('its version is not 1')
  if (issuer !== rules.origin && issuer !== `${rules.origin}/`) {
    return refuse(`its issuer is not ${rules.origin}`)
  }
  if (!isTextList(kids)) return refuse('its revoked_kids is no list of strings')
  const updated = timeOf(payload.value.updated)
  const nextUpdate = timeOf(payload.value.next_update)
  if (updated === undefined || nextUpdate === undefined || nextUpdate <= updated) {
    return refuse('its updated and next_update are no two times in order')
  }
  // A list valid for a year would never be too old, however long an attacker withholds the next one.
  const bounded = Math.min(nextUpdate, updated + MAX_VALIDITY_MS)
  return { ok: true, list: { revokedKids: new Set(kids), updated, nextUpdate: bounded } }
}

type Opened = { ok: true; payload: Uint8Array; typ: unknown } | (RevocationRead & { ok: false })

class KeyUnknown extends Error {}

async function openJws(body: Uint8Array, keys: KeySet): Promise<Opened> {
  // Few servers ever read such a list.
  const { compactVerify, errors, flattenedVerify, generalVerify } = await import('jose')
  const keyFor = (header: JWSHeaderParameters | undefined) => {
    const jwk = keys.get(header?.kid ?? '')
    if (!jwk) throw new KeyUnknown()
    const key = jwk.use === 'sig' ? importPublicKey(jwk) : undefined
    if (!key?.ok) throw new errors.JWSInvalid('the key is not for signatures')
    return key.publicKey
  }
  const options = { algorithms: ['EdDSA', 'Ed25519', 'ES256'] }
  const text = Buffer.from(body).toString('utf8').trim()
  try {
    if (!text.startsWith('{')) {
      const { payload, protectedHeader } = await compactVerify(text, keyFor, options)
      return { ok: true, payload, typ: protectedHeader.typ }
    }
    const read = parseStrictJson(text)
    if (!read.ok) return refuse('it is no strict JSON')
    const jws = read.value as GeneralJWSInput
    const isGeneral = isObject(jws) && Array.isArray(jws.signatures)
    // The general form hides why a signature failed, so its only signature is checked separately.
    const one = isGeneral && jws.signatures.length === 1 ? jws.signatures[0] : undefined
    const flat = one ? { payload: jws.payload, ...one } : jws
    const { payload, protectedHeader } =
      isGeneral && !one
        ? await generalVerify(jws, keyFor, options)
        : await flattenedVerify(flat as FlattenedJWSInput, keyFor, options)
    return { ok: true, payload, typ: protectedHeader?.typ }
  } catch (error) {
    if (error instanceof KeyUnknown)
      return { ...refuse('its key is not published'), isKeyUnknown: true }
    return refuse('it is no JWS signed by a key of the operator')
  }
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number(value) * 1_000
  return Number.isFinite(time) ? time : undefined
}

function refuse(reason: string): RevocationRead & { ok: false } {
  return { ok: false, reason }
}
