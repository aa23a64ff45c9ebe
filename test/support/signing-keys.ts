// Signing keys to try rules and stores with.

import type { SigningKeyRecord } from '../../src/keys/store.ts'

let made = 0

/** A key that nothing has been planned for; overrides say what the test is about. */
export function keyRecord(overrides: Partial<SigningKeyRecord> = {}): SigningKeyRecord {
  made += 1
  return {
    kid: `kid-${made}`,
    algorithm: 'ed25519',
    purpose: 'webhook-signing',
    public_jwk: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    private_key: null,
    published_at: 0,
    active_from: null,
    retired_at: null,
    remove_at: null,
    revoked_at: null,
    ...overrides,
  }
}

/** What a rule answered, which must not be a refusal. */
export function accepted<T extends { ok: true }>(result: T | { ok: false; message: string }): T {
  if (!result.ok) throw new Error(result.message)
  return result
}
