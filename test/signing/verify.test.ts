import { describe, expect, test } from 'vitest'
import { checkSignatureOnThreadPool } from '../../src/signing/check-signature.ts'
import { generateKeyPair, importPublicKey } from '../../src/signing/keys.ts'
import type { ReplayStore } from '../../src/signing/ports.ts'
import { requestProfile } from '../../src/signing/profile.ts'
import { memoryReplayStore } from '../../src/signing/replay.ts'
import { verifyHead } from '../../src/signing/verify.ts'
import { STEPS } from '../../src/signing/verify-steps.ts'
import { fakeClock } from '../support/fake-clock.ts'
import {
  ALGORITHMS,
  findAmong,
  NOW,
  PAIRS,
  REQUEST,
  SIGNERS,
  signed,
  verify,
  WEBHOOK,
} from '../support/signing.ts'

/** A store that is never full, and records what it is queried for. */
function spyStore(): ReplayStore & { requested: string[] } {
  const requested: string[] = []
  const seen = new Set<string>()
  return {
    requested,
    isFull: async () => {
      requested.push('isFull')
      return false
    },
    has: async () => {
      requested.push('has')
      return false
    },
    insert: async ({ nonce, expiresAt }) => {
      requested.push(`insert until ${expiresAt - NOW}`)
      if (seen.has(nonce)) return 'seen'
      seen.add(nonce)
      return 'added'
    },
  }
}

test('spec 5: the checklist has 14 steps, and 9a before the cryptography', () => {
  expect(STEPS.map(({ step }) => step)).toEqual([
    'pre',
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    '9a',
    10,
    11,
    12,
    13,
    14,
  ])
})

describe('spec 5: a nonce', () => {
  test('is used once', async () => {
    const message = await signed()
    const replay = spyStore()
    expect(await verify(message, { replay })).toMatchObject({ ok: true })
    expect(replay.requested).toEqual(['isFull', 'has', 'insert until 361'])
  })

  test('is used up by a genuine message with a malformed body', async () => {
    const message = await signed({ body: Buffer.from('{"a":1,"a":2}') })
    const replay = spyStore()
    const code = 'webhook_body_malformed'
    expect(await verify(message, { replay })).toMatchObject({ code, step: 14 })
    expect(replay.requested).toContain('insert until 361')
  })

  test('is kept for the replay window even when the signature ends sooner', async () => {
    const message = await signed({}, { windowSeconds: 5 })
    const replay = spyStore()
    await verify(message, { replay })
    expect(replay.requested).toContain('insert until 360')
  })

  test('is not stored for a message that fails before', async () => {
    const message = await signed()
    const replay = spyStore()
    await verify({ ...message, body: Buffer.from('{}') }, { replay })
    await verify({ ...message, method: 'PUT' }, { replay })
    await verify(message, { replay, now: NOW + 1_000 })
    expect(replay.requested).toEqual(['isFull', 'isFull'])
  })

  test('of two messages verified at once is accepted once', async () => {
    const message = await signed()
    const replay = spyStore()
    const results = await Promise.all([verify(message, { replay }), verify(message, { replay })])
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(results.find(({ ok }) => !ok)).toMatchObject({
      code: 'webhook_signature_replayed',
      step: 13,
    })
  })
})

test('spec 5: a pin refuses signatures made at or after its revocation only', async () => {
  const message = await signed()
  const jwks = [PAIRS.ed25519.publicJwk]
  const at = (revokedAt: number) => verify(message, { findKey: findAmong(jwks, { revokedAt }) })
  expect(await at(NOW + 1)).toMatchObject({ ok: true })
  expect(await at(NOW)).toMatchObject({ code: 'webhook_signature_key_revoked' })
})

test('spec 5: the signer is the one that the key was found for, not the one that the body names', async () => {
  const message = await signed({ body: Buffer.from('{"signer":"https://other.test"}') })
  expect(await verify(message)).toMatchObject({ signer: 'https://seller.test/agent' })
})

test.each(ALGORITHMS)('the thread pool gives the same verdicts for %s', async (algorithm) => {
  const message = await signed({}, { signer: SIGNERS[algorithm] })
  const changes = { checkSignature: checkSignatureOnThreadPool }
  expect(await verify(message, changes)).toMatchObject({ ok: true })
  expect(await verify({ ...message, method: 'PUT' }, changes)).toMatchObject({
    code: 'webhook_signature_invalid',
  })
})

test('a key handed in parsed is used, but not for another algorithm', async () => {
  const message = await signed()
  const jwks = [PAIRS.ed25519.publicJwk]
  const parsed = (algorithm: (typeof ALGORITHMS)[number]) => {
    const key = importPublicKey(PAIRS[algorithm].publicJwk)
    return key.ok ? { publicKey: key.publicKey } : {}
  }
  const found = (algorithm: (typeof ALGORITHMS)[number]) => findAmong(jwks, parsed(algorithm))
  expect(await verify(message, { findKey: found('ed25519') })).toMatchObject({ ok: true })
  expect(await verify(message, { findKey: found('ecdsa-p256-sha256') })).toMatchObject({
    code: 'webhook_signature_invalid',
  })
})

test('a port that fails makes the verifier fail, and there is no verdict', async () => {
  const broken = async () => {
    throw new Error('no connection')
  }
  await expect(verify(await signed(), { findKey: broken })).rejects.toThrow('no connection')
})

test('spec 5: a request may leave its digest uncovered where the profile says so', async () => {
  const names = { tag: REQUEST.tag, keyUse: REQUEST.keyUse }
  const jwk = { ...PAIRS.ed25519.publicJwk, test_use: 'request-signing' }
  const findKey = findAmong([jwk])
  const forbidden = requestProfile(names, { contentDigest: 'forbidden' })
  const bare = await signed({}, { profile: forbidden })
  expect(bare.headers['Content-Digest']).toBeUndefined()
  const either = requestProfile(names, { contentDigest: 'either' })
  expect(await verify(bare, { findKey, profile: forbidden })).toMatchObject({ ok: true })
  expect(await verify(bare, { findKey, profile: either })).toMatchObject({ ok: true })
  expect(await verify(bare, { findKey, profile: REQUEST })).toMatchObject({
    code: 'request_signature_components_incomplete',
  })
  const covered = await signed({}, { profile: REQUEST })
  const body = Buffer.from('{}')
  expect(await verify({ ...covered, body }, { findKey, profile: either })).toMatchObject({
    code: 'request_signature_digest_mismatch',
  })
})

describe('a keyid that several signers chose', () => {
  const [ed, other] = [
    PAIRS.ed25519.publicJwk,
    generateKeyPair('ed25519', {
      keyUse: 'test_use',
      purpose: 'webhook-signing',
    }).publicJwk,
  ]
  const a = { jwk: { ...other, kid: ed.kid ?? '' }, signer: 'https://a.test/agent' }
  const b = { jwk: ed, signer: 'https://b.test/agent' }

  test('spec 5: the signer is whose key the signature fits, in whatever order they come', async () => {
    for (const candidates of [
      [a, b],
      [b, a],
    ]) {
      const verdict = await verify(await signed(), { findKey: () => candidates })
      expect(verdict).toMatchObject({ ok: true, signer: b.signer })
    }
  })

  test('what speaks against another’s key says nothing of this one', async () => {
    const findKey = () => [a, b]
    const full = memoryReplayStore({ clock: fakeClock(NOW * 1_000), perSignerCap: 1 })
    await full.insert({ signer: a.signer, keyid: ed.kid ?? '', nonce: 'n', expiresAt: NOW + 99 })
    for (const changes of [
      {
        checkRevocation: (_: string, signer: string) =>
          signer === a.signer ? 'revoked' : 'current',
      },
      { replay: full },
      { findKey: () => [{ ...a, jwk: { ...a.jwk, use: 'enc' } }, b] },
    ] as const) {
      const verdict = await verify(await signed(), { findKey, ...changes })
      expect(verdict).toMatchObject({ ok: true, signer: b.signer })
    }
    const revoked = await verify(await signed(), {
      findKey,
      checkRevocation: (_, signer) => (signer === b.signer ? 'revoked' : 'current'),
    })
    expect(revoked).toMatchObject({ ok: false })
  })

  test('the nonce is used up for the one who signed, and for no other', async () => {
    const replay = memoryReplayStore({ clock: fakeClock(NOW * 1_000) })
    const message = await signed()
    const verdict = await verify(message, { findKey: () => [a, b], replay })
    if (!verdict.ok) throw new Error(verdict.detail)
    const { keyid, nonce } = verdict
    expect(await replay.has({ signer: b.signer, keyid }, nonce)).toBe(true)
    expect(await replay.has({ signer: a.signer, keyid }, nonce)).toBe(false)
    expect(await verify(message, { findKey: () => [a, b], replay })).toMatchObject({
      ok: false,
      step: 12,
    })
  })

  test('a message of none of them is refused for its signature, and a crowd of them is not tried', async () => {
    const message = await signed()
    const wrong = { ...message, url: `${message.url}&more=1` }
    expect(await verify(wrong, { findKey: () => [a, b] })).toMatchObject({ ok: false, step: 10 })
    const crowd = Array.from({ length: 33 }, (_, n) => ({ ...b, signer: `https://${n}.test/` }))
    expect(await verify(message, { findKey: () => crowd })).toMatchObject({ ok: false, step: 7 })
    expect(await verify(message, { findKey: () => [] })).toMatchObject({ ok: false, step: 7 })
  })
})

test('spec 8: a body that comes when its signature has expired is refused, so that no nonce is forgotten too soon', async () => {
  const { body, ...head } = await signed()
  const options = {
    profile: WEBHOOK,
    now: NOW,
    replay: memoryReplayStore({ clock: fakeClock(NOW * 1_000) }),
    findKey: findAmong([PAIRS.ed25519.publicJwk]),
    checkRevocation: () => 'current' as const,
  }
  const checked = await verifyHead({ ...head, hasBody: true }, options)
  if (!checked.ok) throw new Error(checked.detail)
  expect(await checked.verifyBody(body, NOW + 361)).toMatchObject({
    code: 'webhook_signature_window_invalid',
  })
  expect(await checked.verifyBody(body, NOW + 359)).toMatchObject({ ok: true })
  expect(await checked.verifyBody(body, NOW + 359)).toMatchObject({
    code: 'webhook_signature_replayed',
  })
})
