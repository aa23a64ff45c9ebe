import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import { generateKeyPair } from '../../src/signing/keys.ts'
import { adwire, type Env, folder } from '../support/cli.ts'

const NOW = 1_767_225_600
const NONCE = 'AAECAwQFBgcICQoLDA0ODw'
const REQUEST = {
  method: 'POST',
  url: 'https://buyer.example/hooks/1?x=1',
  headers: { 'Content-Type': 'application/json' } as Record<string, string | string[]>,
  body: '{"task_id":"t1","status":"completed"}',
}

/** A folder with a request and a key pair, and the commands on them. */
function desk({ protocol = 'proto', purpose = 'webhook-signing', env = {} as Env } = {}) {
  const dir = folder()
  const { keyUse } = identifiersFor(protocol)
  const pair = generateKeyPair('ed25519', { keyUse, purpose, kid: 'k1' })
  const write = (name: string, value: unknown) => {
    const path = join(dir, name)
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
    return path
  }
  const key = write('key.json', pair.privateJwk)
  const jwks = write('jwks.json', { keys: [pair.publicJwk] })
  const common = (request: unknown) => [
    '--request',
    write('request.json', request),
    '--now',
    `${NOW}`,
  ]
  const sign = async (request: unknown = REQUEST, ...args: string[]) => {
    const done = await adwire(['webhook', 'sign', ...common(request), '--key', key, ...args], env)
    expect(done.stderr).toBe('')
    return JSON.parse(done.stdout) as Record<string, string>
  }
  const verify = async (request: unknown, ...args: string[]) => {
    const done = await adwire(
      ['webhook', 'verify', ...common(request), '--jwks', jwks, ...args],
      env,
    )
    const isOneLine = /^[^\n]+\n$/.test(done.stdout)
    return { ...done, verdict: isOneLine ? JSON.parse(done.stdout) : undefined }
  }
  const signed = async (...args: string[]) => ({
    ...REQUEST,
    headers: { ...REQUEST.headers, ...(await sign(REQUEST, ...args)) },
  })
  return { write, sign, verify, signed, pair, key, jwks }
}

describe('spec 5: adwire webhook', () => {
  test('what sign prints, verify accepts: one line with key and signature base, exit 0', async () => {
    const { signed, verify } = desk()
    const { code, verdict } = await verify(await signed('--nonce', NONCE))
    expect(code).toBe(0)
    expect(verdict).toEqual({
      ok: true,
      keyid: 'k1',
      signature_base: expect.stringContaining(
        `;created=${NOW};expires=${NOW + 300};nonce="${NONCE}";keyid="k1";alg="ed25519";tag="proto/webhook-signing/v1"`,
      ),
    })
    expect(verdict.signature_base).toMatch(
      /^"@method": POST\n"@target-uri": https:\/\/buyer\.example\/hooks\/1\?x=1\n/,
    )
  })

  test('a refused message is one line with code, step and detail, exit 1', async () => {
    const { signed, verify } = desk()
    const request = { ...(await signed()), body: '{"task_id":"t2","status":"completed"}' }
    const { code, verdict, stderr } = await verify(request)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(verdict).toMatchObject({
      ok: false,
      code: 'webhook_signature_digest_mismatch',
      step: 11,
      detail: expect.any(String),
      signature_base: expect.stringContaining('"content-digest": sha-256=:'),
    })
  })

  test('used nonces and revoked keys come from flags', async () => {
    const { signed, verify, write } = desk()
    const request = await signed('--nonce', NONCE)
    const seen = write('seen.json', [{ keyid: 'k1', nonce: NONCE }])
    const replayed = await verify(request, '--seen', seen)
    expect(replayed.verdict).toMatchObject({ code: 'webhook_signature_replayed', step: 12 })
    const revoked = await verify(request, '--revoked', 'k0', '--revoked', 'k1')
    expect(revoked.verdict).toMatchObject({ code: 'webhook_signature_key_revoked', step: 9 })
  })

  test('the body may be given as base64, for bytes that are no text', async () => {
    const { sign, verify } = desk()
    const { body, ...rest } = REQUEST
    const request = { ...rest, body_base64: Buffer.from(body).toString('base64') }
    const headers = { ...rest.headers, ...(await sign(request)) }
    expect((await verify({ ...request, headers })).verdict).toMatchObject({ ok: true })
    expect((await verify({ ...REQUEST, headers })).verdict).toMatchObject({ ok: true })
  })

  test('--profile request has its own tag, codes and purposes', async () => {
    const { signed, verify } = desk({ purpose: 'request-signing' })
    const request = await signed('--profile', 'request')
    expect((await verify(request, '--profile', 'request')).verdict).toMatchObject({ ok: true })
    const asWebhook = await verify(request)
    expect(asWebhook.verdict).toMatchObject({ code: 'webhook_signature_tag_invalid' })
    const unsigned = await verify(REQUEST, '--profile', 'request')
    expect(unsigned.verdict).toMatchObject({ code: 'request_signature_required' })
  })

  test('--content-digest says whether a request covers it, and --profile request-3.2 is the strict one', async () => {
    const { signed, verify } = desk({ purpose: 'request-signing' })
    const by = (policy: string) => ['--profile', 'request', '--content-digest', policy]
    const bare = await signed(...by('forbidden'))
    const covered = await signed(...by('either'))
    const strict = await signed('--profile', 'request-3.2')
    expect(bare.headers).not.toHaveProperty('Content-Digest')
    expect(covered.headers).toHaveProperty('Content-Digest')
    const verdicts: [unknown, string[], string][] = [
      [bare, by('forbidden'), 'ok'],
      [bare, by('either'), 'ok'],
      [bare, by('required'), 'request_signature_components_incomplete'],
      [covered, by('either'), 'ok'],
      [covered, by('forbidden'), 'request_signature_components_unexpected'],
      [covered, ['--profile', 'request-3.2'], 'request_signature_header_malformed'],
      [strict, ['--profile', 'request-3.2'], 'ok'],
    ]
    for (const [request, args, expected] of verdicts) {
      const { verdict } = await verify(request, ...args)
      expect(verdict.ok ? 'ok' : verdict.code).toBe(expected)
    }
    for (const profile of ['webhook', 'request-3.2']) {
      const { code, stderr } = await verify(bare, ...by('either').with(1, profile))
      expect([code, stderr]).toEqual([2, expect.stringContaining('requires --profile request')])
    }
  })

  test('a legacy signature instead of this one is a mode mismatch', async () => {
    const { verify } = desk()
    const headers = { ...REQUEST.headers, 'X-PROTO-Signature': 'sha256=00' }
    const { verdict } = await verify({ ...REQUEST, headers })
    expect(verdict).toMatchObject({ code: 'webhook_mode_mismatch', step: 'pre' })
  })
})

describe('another protocol name', () => {
  test.each([
    ['as a flag', [['--protocol-name', 'adcp'], {}]],
    ['as a setting', [[], { ADWIRE_PROTOCOL_NAME: 'adcp' }]],
  ] as [string, [string[], Env]][])(
    '%s changes tag, key member and header names, and nothing else',
    async (_how, [args, env]) => {
      const adcp = desk({ protocol: 'adcp', env })
      const request = await adcp.signed('--nonce', NONCE, ...args)
      const { verdict } = await adcp.verify(request, ...args)
      expect(verdict).toMatchObject({ ok: true })

      const proto = desk()
      const inProto = await proto.verify(await proto.signed('--nonce', NONCE))
      expect(verdict.signature_base.replace('adcp/', 'proto/')).toBe(inProto.verdict.signature_base)

      const legacy = { ...REQUEST, headers: { ...REQUEST.headers, 'X-ADCP-Signature': 'x' } }
      expect((await adcp.verify(legacy, ...args)).verdict.code).toBe('webhook_mode_mismatch')
      const strange = { ...REQUEST, headers: { ...REQUEST.headers, 'X-PROTO-Signature': 'x' } }
      const { code } = (await adcp.verify(strange, ...args)).verdict
      expect(code).toBe('webhook_signature_header_malformed')
    },
  )

  test('a key whose purpose stands under the other name is not for this', async () => {
    const { signed, verify } = desk({ protocol: 'proto' })
    const request = await signed('--protocol-name', 'adcp')
    const { verdict } = await verify(request, '--protocol-name', 'adcp')
    expect(verdict).toMatchObject({ code: 'webhook_signature_key_purpose_invalid', step: 8 })
  })
})

describe('unusable input ends with 2 and one line that says what would be right', () => {
  test.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /request\.json is not usable as JSON: it does not parse/],
    ['a key twice', '{"method":"POST","method":"GET"}', /not usable as JSON: it has method twice/],
    ['no object', '[]', /JSON object/],
    ['no url', { method: 'POST' }, /"method" and "url"/],
    ['a header that is a number', { ...REQUEST, headers: { 'x-a': 1 } }, /"headers"/],
    ['a body that is an object', { ...REQUEST, body: {} }, /"body" as a string/],
    ['a body that is no base64', { ...REQUEST, body: undefined, body_base64: '*' }, /base64/],
    ['two bodies', { ...REQUEST, body_base64: 'e30=' }, /not both/],
  ])('a request with %s', async (_what, request, message) => {
    const { code, stdout, stderr } = await desk().verify(request)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })

  test('files that are missing or of another kind, and flags that are wrong', async () => {
    const { verify, write, key } = desk()
    const bad = write('bad.json', { keys: 7 })
    for (const args of [
      ['--jwks', '/nowhere.json'],
      ['--jwks', bad],
      ['--seen', bad],
      ['--now', 'soon'],
      ['--profile', 'other'],
      ['--protocol-name', 'NOT OK'],
      ['--unknown'],
    ]) {
      const { code, stdout, stderr } = await verify(REQUEST, ...args)
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
      expect(stderr).toMatch(/error: /)
    }
    expect((await adwire(['webhook', 'verify'])).code).toBe(2)
    expect((await adwire(['webhook', 'sign', '--request', key, '--key', key])).code).toBe(2)
  })

  test('what cannot be signed', async () => {
    const { write, key, jwks } = desk()
    const signing = (request: unknown, ...args: string[]) =>
      adwire(['webhook', 'sign', '--request', write('r.json', request), '--key', key, ...args])
    const untyped = await signing({ ...REQUEST, headers: {} })
    expect(untyped).toMatchObject({ code: 2, stderr: expect.stringContaining('header_malformed') })
    const twice = await signing({ ...REQUEST, body: '{"a":1,"a":2}' })
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('duplicate_key_input') })
    expect((await signing(REQUEST, '--nonce', 'short')).code).toBe(2)
    expect(await signing(REQUEST, '--key', jwks)).toMatchObject({ code: 2, stdout: '' })
  })
})
