// The signed list of revoked keys (spec 5): a JWS in JSON form, so that a verifier can be sure it is this operator's
// list. It is signed again before it expires and when it changes.

import type { Clock } from '../lib/clock.ts'
import type { Signer } from '../signing/ports.ts'
import type { KeyRing, RevokedKey } from './key-ring.ts'
import { JOSE_ALGORITHM } from './published-jwk.ts'

/** RFC 7515 §7.2.1, the general serialization. */
export interface RevocationList {
  payload: string
  signatures: [{ protected: string; signature: string }]
}

export interface RevocationPorts {
  clock: Clock
  ring: Pick<KeyRing, 'signer' | 'revoked'>
  /** The issuer of the list: the origin that identifies the webhook signer. */
  issuer(): string
  /** The `typ` of the list. */
  type: string
}

/** How long a verifier waits before it fetches the list again. */
const UPDATE_MS = 15 * 60_000
/** Renewal interval of the list, so that a list just fetched is valid for most of its lifetime. */
const RENEWAL_MS = UPDATE_MS / 3

/** Answers with the current list. */
export function createRevocationList(ports: RevocationPorts): () => Promise<RevocationList> {
  let held: { list: Promise<RevocationList>; madeFrom: string } | undefined
  return async () => {
    const [revoked, signer] = await Promise.all([ports.ring.revoked(), ports.ring.signer()])
    const payload = payloadOf(ports, revoked)
    const madeFrom = `${signer.keyid} ${payload}`
    if (held?.madeFrom === madeFrom) return held.list
    const made = { list: signedList(ports.type, payload, signer), madeFrom }
    held = made
    made.list.catch(() => {
      if (held === made) held = undefined
    })
    return made.list
  }
}

/**
 * The same on every instance at the same time; otherwise a verifier that is routed from one instance to another would
 * see its list become older.
 */
function payloadOf({ clock, issuer }: RevocationPorts, revoked: readonly RevokedKey[]): string {
  const renewed = Math.floor(clock.now() / RENEWAL_MS) * RENEWAL_MS
  const updated = Math.max(renewed, ...revoked.map(({ revoked_at }) => revoked_at))
  return encode({
    version: 1,
    issuer: issuer(),
    updated: new Date(updated).toISOString(),
    next_update: new Date(updated + UPDATE_MS).toISOString(),
    revoked_jtis: [],
    revoked_kids: revoked.map(({ kid }) => kid),
  })
}

async function signedList(type: string, payload: string, signer: Signer): Promise<RevocationList> {
  const header = encode({ typ: type, alg: JOSE_ALGORITHM[signer.algorithm], kid: signer.keyid })
  const signature = await signer.sign(Buffer.from(`${header}.${payload}`, 'ascii'))
  return {
    payload,
    signatures: [{ protected: header, signature: Buffer.from(signature).toString('base64url') }],
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url')
}
