// What a rotation and a revocation would do now: computed by the same plans that perform them, so that what is
// displayed before the click is what happens.

import {
  planRevocation,
  planRotation,
  SHORTEST_LEAD_SECONDS,
  signingKeyAt,
} from '../keys/lifecycle.ts'
import { type KeyPorts, nextKey } from '../keys/manage-keys.ts'
import type { KeyPurpose, SigningKeyRecord } from '../keys/store.ts'
import { defined } from '../lib/defined.ts'
import type { Rotation, SigningKey } from './api/keys.ts'

export function rotationOf(
  ports: Pick<KeyPorts, 'box'>,
  keys: readonly SigningKeyRecord[],
  { purpose, now, leadSeconds }: { purpose: KeyPurpose; now: number; leadSeconds: number },
): Rotation {
  const waiting = nextKey(ports, keys, { now, purpose })
  const next = waiting ?? newKey(purpose, now)
  const startsIn = (seconds: number) => {
    const planned = planRotation(keys, next, { now, leadMs: seconds * 1_000 })
    const from = planned.find(({ kid }) => kid === next.kid)?.active_from ?? now
    return Math.max(0, Math.ceil((from - now) / 1_000))
  }
  return {
    purpose,
    signs_in_seconds: startsIn(leadSeconds),
    hurried_in_seconds: startsIn(SHORTEST_LEAD_SECONDS),
    ...defined({ current: signingKeyAt(keys, now, purpose)?.kid, next: waiting?.kid }),
  }
}

/** A placeholder for a key that is not generated yet. */
function newKey(purpose: KeyPurpose, now: number): SigningKeyRecord {
  return {
    kid: '',
    algorithm: 'ed25519',
    purpose,
    public_jwk: {},
    private_key: null,
    published_at: now,
    active_from: null,
    retired_at: null,
    remove_at: null,
    revoked_at: null,
  }
}

export function revocationOf(
  keys: readonly SigningKeyRecord[],
  key: SigningKeyRecord,
  now: number,
): NonNullable<SigningKey['revocation']> {
  const { changed } = planRevocation(keys, key, now)
  const after = keys.map((one) => changed.find(({ kid }) => kid === one.kid) ?? one)
  return {
    is_signing: signingKeyAt(keys, now, key.purpose)?.kid === key.kid,
    ...defined({ signs_next: signingKeyAt(after, now, key.purpose)?.kid }),
  }
}
