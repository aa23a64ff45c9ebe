import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { localSigner } from '../../src/signing/local-signer.ts'
import type { Jwk, ReplayStore } from '../../src/signing/ports.ts'
import {
  type DiscoveryFailure,
  FAILURES,
  requestProfile,
  webhookProfile,
} from '../../src/signing/profile.ts'
import { memoryReplayStore } from '../../src/signing/replay.ts'
import { signMessage } from '../../src/signing/sign.ts'
import { type VerifyOptions, verifyHead, verifyMessage } from '../../src/signing/verify.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { findAmong, SIGNER_URL } from '../support/signing.ts'

interface Vector {
  id: string
  about: string
  profile: 'webhook' | 'request'
  profile_options?: {
    contentDigest?: 'required' | 'either' | 'forbidden'
    release?: '3.1' | '3.2'
    acceptRequestKeys?: boolean
  }
  now: number
  state?: {
    seen?: { keyid: string; nonce: string }[]
    revoked?: string[]
    revoked_at?: number
    stale?: boolean
    full?: boolean
    full_at_insert?: boolean
    key_fault?: DiscoveryFailure
  }
  request: { method: string; url: string; headers: Record<string, string>; body: string }
  expected:
    | { ok: true; keyid: string; signature_base: string }
    | { ok: false; code: string; step: number | string }
}

const FOLDER = fileURLToPath(new URL('../vectors/signing/', import.meta.url))
const read = (file: string) => JSON.parse(readFileSync(FOLDER + file, 'utf8')) as unknown
const KEYS = read('keys.json') as { jwk: Jwk; private_d_for_tests_only: string }[]
const FILES = readdirSync(FOLDER).filter((file) => file !== 'keys.json')
const VECTORS = FILES.flatMap((file) => read(file) as Vector[])

describe.each(FILES)('%s', (file) => {
  test.each(read(file) as Vector[])('$id: $about', async (vector) => {
    const result = await verifyMessage(messageOf(vector), await optionsOf(vector))
    expect(result).toMatchObject(expectedOf(vector))
  })

  test.each(read(file) as Vector[])(
    '$id: the same with the head before the body',
    async (vector) => {
      const { body, ...head } = messageOf(vector)
      const hasBody = body.byteLength > 0
      const checked = await verifyHead({ ...head, hasBody }, await optionsOf(vector))
      expect(checked.ok ? await checked.verifyBody(body) : checked).toMatchObject(
        expectedOf(vector),
      )
      const { expected } = vector
      expect(checked.ok).toBe(expected.ok || [11, 12, 13, 14].includes(expected.step as number))
    },
  )
})

async function optionsOf(vector: Vector): Promise<VerifyOptions> {
  const { state = {} } = vector
  const find = findAmong(
    KEYS.map(({ jwk }) => jwk),
    state.revoked_at === undefined ? {} : { revokedAt: state.revoked_at },
  )
  const { key_fault: failure } = state
  return {
    profile: profileOf(vector),
    now: vector.now,
    findKey: failure === undefined ? find : () => ({ failure, detail: 'as the vector says' }),
    checkRevocation: async (keyid) => {
      if (state.stale) return 'stale'
      return state.revoked?.includes(keyid) ? 'revoked' : 'current'
    },
    replay: await replayStore(vector),
    legacyHeaders: ['x-test-signature'],
  }
}

function expectedOf({ expected }: Vector) {
  if (!expected.ok) return expected
  const { keyid, signature_base: signatureBase } = expected
  return { ok: true, keyid, signatureBase }
}

test('there are vectors for every failure in both profiles', () => {
  const codes = new Set(VECTORS.map(({ expected }) => (expected.ok ? '' : expected.code)))
  const of = (prefix: string) => FAILURES.filter((failure) => !codes.has(`${prefix}_${failure}`))
  expect(of('request')).toEqual([])
  const ofRequests = FAILURES.slice(FAILURES.indexOf('signature_jwks_unavailable'))
  expect(ofRequests).toHaveLength(11)
  expect(of('webhook')).toEqual([
    'signature_required',
    'signature_components_unexpected',
    ...ofRequests,
  ])
  expect(VECTORS.length).toBeGreaterThan(210)
})

const PLAIN = [
  'plain-ed25519',
  'request-ed25519',
  'not-ascii-body',
  'other-method',
  'nonce-long',
  'strict-ed25519',
  'strict-bodyless',
  'strict-root-dot',
  'strict-root-dot-port',
  'digest-required-covered',
  'digest-either-left-out',
  'digest-forbidden-left-out',
  'bodyless-digest-required',
  'bodyless-either',
  'bodyless-forbidden',
]
const signable = VECTORS.filter(
  ({ id, expected }) => expected.ok && (PLAIN.includes(id) || id.startsWith('uri-')),
)

test.each(signable)('the signer makes the very headers of $id', async (vector) => {
  const { 'Signature-Input': input = '', ...headers } = vector.request.headers
  const keyid = /keyid="([^"]*)"/.exec(input)?.[1]
  const { jwk, private_d_for_tests_only: d } = KEYS.find((key) => key.jwk.kid === keyid)!
  const nonce = /nonce="([^"]*)"/.exec(input)?.[1] ?? ''
  const type = headers['Content-Type']
  const message = { ...messageOf(vector), headers: type ? { 'content-type': type } : {} }
  const signer = localSigner({ ...jwk, d })
  const result = await signMessage(message, {
    signer,
    profile: profileOf(vector),
    now: vector.now,
    nonce,
  })
  const digest = headers['Content-Digest']
  expect(result).toMatchObject({ ok: true })
  expect(result.ok && result.headers).toEqual({
    'Signature-Input': input,
    Signature: headers.Signature,
    ...(digest === undefined ? {} : { 'Content-Digest': digest }),
  })
})

function messageOf({ request }: Vector) {
  return { ...request, body: Buffer.from(request.body) }
}

function profileOf({ profile, profile_options }: Vector) {
  const names = { tag: `test/${profile}-signing/v1`, keyUse: 'test_use' }
  return profile === 'webhook'
    ? webhookProfile(names, profile_options)
    : requestProfile(names, profile_options)
}

async function replayStore({ now, state = {} }: Vector): Promise<ReplayStore> {
  const store = memoryReplayStore({
    clock: fakeClock(now * 1_000),
    totalCap: state.full ? 0 : 100,
  })
  for (const entry of state.seen ?? []) {
    await store.insert({ ...entry, signer: SIGNER_URL, expiresAt: now + 300 })
  }
  return state.full_at_insert ? { ...store, insert: () => 'full' } : store
}
