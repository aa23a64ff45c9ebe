import { expect, test } from 'vitest'
import { createRequestSigner, requestRulesOf } from '../../src/client/sign-request.ts'
import { localSigner } from '../../src/signing/local-signer.ts'
import { requestProfile } from '../../src/signing/profile.ts'
import { memoryReplayStore } from '../../src/signing/replay.ts'
import { verifyMessage } from '../../src/signing/verify.ts'
import { createHttpClient } from '../../src/transports/http/client.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { keyPair } from '../support/seller-site.ts'

const PAIR = keyPair('caller', 'request-signing')
const NAMES = { tag: 'proto/request-signing/v1', keyUse: 'proto_use' }
const clock = fakeClock()
const request = {
  method: 'POST',
  url: 'https://agent.example./mcp',
  headers: { 'content-type': 'application/json', accept: 'application/json' },
  body: Buffer.from('{"a":1}'),
}

const verdict = async (
  added: Record<string, string>,
  options: Parameters<typeof requestProfile>[1] = {},
  replay = memoryReplayStore({ clock }),
) => {
  const result = await verifyMessage(
    { ...request, headers: { ...request.headers, ...added } },
    {
      profile: requestProfile(NAMES, options),
      now: clock.now() / 1_000,
      replay,
      findKey: () => ({ jwk: PAIR.publicJwk, signer: 'caller' }),
      checkRevocation: () => 'current',
    },
  )
  return result.ok ? 'ok' : result.code
}

test('spec 5: a request is signed by the rules of the agent, and the strict ones read no others', async () => {
  const old = await createRequestSigner({ key: PAIR.privateJwk, profile: '3.1', clock })(request)
  const strict = await createRequestSigner({ key: PAIR.privateJwk, clock })(request)
  expect(await verdict(old)).toBe('ok')
  expect(await verdict(old, { release: '3.2' })).toBe('request_signature_header_malformed')
  expect(await verdict(strict, { release: '3.2' })).toBe('ok')
  expect(strict.Signature).toMatch(/==:$/)
  expect(old['Content-Digest']).toMatch(/^sha-256=:[\w-]{43}:$/)
})

test.each(['required', 'either', 'forbidden'] as const)(
  'spec 5: with the digest %s a request is signed so that it passes, and covers it where it may',
  async (contentDigest) => {
    const key = localSigner(PAIR.privateJwk)
    const sign = createRequestSigner({ key, profile: '3.1', contentDigest, clock })
    const added = await sign(request)
    expect(await verdict(added, { contentDigest })).toBe('ok')
    expect('Content-Digest' in added).toBe(contentDigest !== 'forbidden')
  },
)

test('spec 5: every attempt has a nonce of its own', async () => {
  const sign = createRequestSigner({ key: PAIR.privateJwk, profile: '3.1', clock })
  const replay = memoryReplayStore({ clock })
  const first = await sign(request)
  expect(await verdict(first, {}, replay)).toBe('ok')
  expect(await verdict(first, {}, replay)).toBe('request_signature_replayed')
  expect(await verdict(await sign(request), {}, replay)).toBe('ok')
})

test('spec 5: a request without a body covers neither its type nor, by 3.2, a digest', async () => {
  const get = { method: 'GET', url: 'https://agent.example/v3/tasks', headers: {} }
  const sign = (profile: '3.1' | '3.2') =>
    createRequestSigner({ key: PAIR.privateJwk, profile, clock })(get)
  expect((await sign('3.2'))['Signature-Input']).toContain('("@method" "@target-uri" "@authority")')
  expect((await sign('3.1'))['Signature-Input']).toContain('"@authority" "content-digest")')
})

test('a key that cannot sign requests, and rules that cannot be, are refused when they are given', () => {
  const of = (options: Partial<Parameters<typeof createRequestSigner>[0]>) => () =>
    createRequestSigner({ key: PAIR.privateJwk, ...options })
  expect(of({ key: PAIR.publicJwk })).toThrow(TypeError)
  expect(of({ key: keyPair('x').privateJwk })).toThrow('proto_use that is not request-signing')
  expect(of({ profile: '3.2', contentDigest: 'forbidden' })).toThrow(RangeError)
})

test('a request that cannot be signed is not sent', async () => {
  const signer = createRequestSigner({ key: PAIR.privateJwk })
  await expect(signer({ ...request, url: 'https://a..example/' })).rejects.toThrow(
    'target_uri_malformed',
  )
  let sent = 0
  const client = createHttpClient({
    url: 'https://a..example',
    signer,
    fetch: async () => {
      sent++
      throw new Error('nobody answers')
    },
  })
  expect(await client.call('list_tasks', {})).toMatchObject({
    ok: false,
    kind: 'unsupported',
    message: expect.stringContaining('could not be signed'),
  })
  expect(sent).toBe(0)
})

test('the capabilities of an agent choose its rules, once', () => {
  const of = (supported_versions: unknown, covers?: string) =>
    requestRulesOf({
      proto: { supported_versions },
      request_signing: { supported: true, covers_content_digest: covers },
    })
  const rules = (profile: string, contentDigest: string) => ({
    ok: true,
    rules: { profile, contentDigest },
  })
  expect(of(['3.0', '3.1'], 'required')).toEqual(rules('3.1', 'required'))
  expect(of(['3.0', '3.1'], 'either')).toEqual(rules('3.1', 'either'))
  expect(of(['3.1'], 'forbidden')).toEqual(rules('3.1', 'forbidden'))
  expect(of(undefined)).toEqual(rules('3.1', 'required'))
  for (const newer of ['3.2', '3.2.1', '3.3-beta.0', '3.10', '4.0']) {
    expect(of(['3.0', newer], 'either')).toEqual(rules('3.2', 'required'))
  }
  for (const odd of [['3.20x'], ['3'], [32], 'nothing', ['v3.2']]) {
    expect(of(odd)).toEqual(rules('3.1', 'required'))
  }
  expect(of(['3.2'], 'forbidden')).toEqual(rules('3.1', 'forbidden'))
  for (const none of [{}, { request_signing: { supported: false } }, { request_signing: true }]) {
    expect(requestRulesOf(none)).toMatchObject({ ok: false })
  }
})
