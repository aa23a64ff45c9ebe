// Who signed a request (spec 5), for authentication: by its headers alone, before a byte of its body is read, and
// then by the body. The owner of the key is taken from the registered keys, never from the request's own claims.

import type { Clock } from '../lib/clock.ts'
import type { CheckRevocation, FoundKey, KeyNotFound, ReplayStore } from '../signing/ports.ts'
import type { SigningProfile } from '../signing/profile.ts'
import { type Refused, type VerifiedHead, verifyHead } from '../signing/verify.ts'
import type { MessageHead } from '../signing/verify-steps.ts'
import type { Principal } from './principals.ts'
import type { RequestKeyStore } from './request-keys.ts'

/** A key that a request may have been signed with; `signer` is the principal. */
interface CallerKey extends FoundKey {
  key_id: string
}

/** Where the keys of callers are found. */
interface CallerKeySource {
  /** On file themselves. */
  onFile(keyid: string, only?: string): Promise<readonly CallerKey[]>
  /** Published where the file says. */
  published(keyid: string, only?: string): Promise<readonly CallerKey[] | KeyNotFound>
  checkRevocation(keyid: string, key: Pick<CallerKey, 'key_id'>): ReturnType<CheckRevocation>
}

export interface SignatureVerifierPorts {
  profile: SigningProfile
  clock: Clock
  keys: CallerKeySource
  requestKeys: Pick<RequestKeyStore, 'principalOf'>
  replay: ReplayStore
}

/** The signer is this principal, according to the headers. */
export interface SignedBy {
  ok: true
  principal: Principal
  keyid: string
  /** Verifies the body, and uses up the nonce. Nothing in the request may be acted on before. */
  verifySignedBody(body: Uint8Array): Promise<Refused | undefined>
}

/** With `only`, keys of any other principal are ignored. */
export type VerifySignature = (
  head: MessageHead,
  only?: Principal | undefined,
) => Promise<SignedBy | Refused>

export function createSignatureVerifier(ports: SignatureVerifierPorts): VerifySignature {
  return async (head, only) => {
    const from = only?.principal_id
    let isOnFile = false
    const first = await attempt(ports, head, async (keyid) => {
      const keys = await ports.keys.onFile(keyid, from)
      isOnFile = keys.length > 0
      return isOnFile ? keys : ports.keys.published(keyid, from)
    })
    // Another caller may publish a key with the same id: the signature identifies its owner.
    if (first.ok || !isOnFile || !OF_KEY.includes(first.step)) return first
    const second = await attempt(ports, head, (keyid) => ports.keys.published(keyid, from))
    return second.ok ? second : first
  }
}

/** The steps that check one key, and might pass with another. */
const OF_KEY: readonly unknown[] = [8, 9, '9a', 10]

type Find = (keyid: string) => Promise<readonly CallerKey[] | KeyNotFound>

async function attempt(
  ports: SignatureVerifierPorts,
  head: MessageHead,
  find: Find,
): Promise<SignedBy | Refused> {
  const { profile, clock, keys, replay } = ports
  let found: readonly CallerKey[] = []
  const verdict = await verifyHead(head, {
    profile,
    now: clock.now() / 1_000,
    replay,
    findKey: async (keyid) => {
      const answer = await find(keyid)
      if (!('failure' in answer)) found = answer
      return answer
    },
    checkRevocation: async (keyid, signer) => {
      for (const key of found.filter((one) => one.signer === signer)) {
        const state = await keys.checkRevocation(keyid, key)
        if (state !== 'current') return state
      }
      return 'current'
    },
  })
  return verdict.ok ? asPrincipal(ports, verdict, found) : verdict
}

/** Looked up again, so that a revocation or removal takes effect immediately. */
async function asPrincipal(
  { requestKeys, clock }: SignatureVerifierPorts,
  { keyid, signer, verifyBody }: VerifiedHead,
  found: readonly CallerKey[],
): Promise<SignedBy | Refused> {
  for (const { key_id } of found.filter((one) => one.signer === signer)) {
    const principal = await requestKeys.principalOf(key_id)
    if (!principal) continue
    const verifySignedBody = async (body: Uint8Array) => {
      const verified = await verifyBody(body, clock.now() / 1_000)
      return verified.ok ? undefined : verified
    }
    return { ok: true, principal, keyid, verifySignedBody }
  }
  const detail = 'the key is no longer on file, or its principal was revoked'
  return { ok: false, code: 'request_signature_key_unknown', step: 7, detail }
}
