import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { identifiersFor } from '../../../src/protocol/identifiers.ts'
import { faultOfSecret, signHmac, verifyHmac } from '../../../src/webhooks/schemes/hmac.ts'

const names = identifiersFor('proto')
const NOW = 1_767_225_600
const SECRET = 'c0ffee00c0ffee00c0ffee00c0ffee01'
const OLD = 'an-older-secret-that-was-replaced'
const options = { names, now: NOW }
const body = (text = '{"event":"test"}') => Buffer.from(text)

function sent(raw = body(), secret = SECRET, now = NOW): Record<string, string> {
  const signed = signHmac(raw, secret, { names, now })
  if (!signed.ok) throw new Error(signed.detail)
  return signed.headers
}

const verdictOf = (headers: Record<string, string | string[]>, raw = body(), now = NOW) =>
  verifyHmac({ headers, body: raw }, { current: SECRET }, { names, now })
const codeOf = (headers: Record<string, string | string[]>, raw = body(), now = NOW) => {
  const verdict = verdictOf(headers, raw, now)
  return verdict.ok ? 'ok' : verdict.code
}

describe('spec 5: the message is the timestamp, a dot and the raw bytes', () => {
  test('the header is sha256= and lower-case hex of it, under the literal text of the secret', () => {
    const hex = createHmac('sha256', SECRET).update(`${NOW}.{"event":"test"}`).digest('hex')
    expect(sent()).toEqual({
      'x-proto-signature': `sha256=${hex}`,
      'x-proto-timestamp': String(NOW),
    })
  })

  test('what one end signs the other accepts, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(4_000_000_000), (bytes, now) => {
        const raw = Buffer.from(bytes)
        expect(codeOf(sent(raw, SECRET, now), raw, now)).toBe('ok')
      }),
    )
  })

  test('spaced and pretty bodies verify as they were sent, and only so', () => {
    const pretty = body('{\n  "event": "test"\n}')
    expect(codeOf(sent(pretty), pretty)).toBe('ok')
    expect(codeOf(sent(pretty), body())).toBe('webhook_hmac_invalid')
  })

  test('names of headers may come in any case', () => {
    const headers = sent()
    const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])
    expect(codeOf(Object.fromEntries(upper))).toBe('ok')
  })
})

describe('spec 5: what is refused', () => {
  test.each([
    ['without a signature', { 'x-proto-signature': [] as string[] }],
    ['without a timestamp', { 'x-proto-timestamp': [] as string[] }],
    ['with two timestamps', { 'x-proto-timestamp': [String(NOW), String(NOW)] }],
    ['with two signatures', { 'x-proto-signature': ['sha256=00', 'sha256=11'] }],
  ])('a delivery %s', (_what, change) => {
    expect(codeOf({ ...sent(), ...change })).toBe('webhook_hmac_header_malformed')
  })

  test.each([
    '',
    ' 1767225600',
    '1767225600 ',
    '+1767225600',
    '-1767225600',
    '1767225600.0',
    '1.7672256e9',
    '0x6955b900',
    '01767225600',
    '１７６７２２５６００',
    '1767225600, 1767225600',
    '9'.repeat(400),
    'not-a-number',
    'NaN',
  ])('the timestamp %j', (timestamp) => {
    const headers = { ...sent(), 'x-proto-timestamp': timestamp }
    expect(codeOf(headers)).toBe('webhook_hmac_timestamp_malformed')
  })

  test('a timestamp 301 seconds away, but not one 300 seconds away', () => {
    expect(codeOf(sent(), body(), NOW + 300)).toBe('ok')
    expect(codeOf(sent(), body(), NOW - 300)).toBe('ok')
    expect(codeOf(sent(), body(), NOW + 301)).toBe('webhook_hmac_window_invalid')
    expect(codeOf(sent(), body(), NOW - 301)).toBe('webhook_hmac_window_invalid')
  })

  test.each([
    ['empty', () => ''],
    ['cut short', (good: string) => good.slice(0, 20)],
    ['without its prefix', (good: string) => good.slice(7)],
    ['with its prefix twice', (good: string) => `sha256=${good}`],
    ['in upper case', (good: string) => `sha256=${good.slice(7).toUpperCase()}`],
    ['with a character more', (good: string) => `${good}0`],
    ['with another algorithm named', (good: string) => `sha512=${good.slice(7)}`],
  ])('a signature %s', (_what, change) => {
    const headers = sent()
    const signature = change(headers['x-proto-signature'] ?? '')
    expect(codeOf({ ...headers, 'x-proto-signature': signature })).toBe('webhook_hmac_invalid')
  })

  test('a body, timestamp or secret other than the signed one', () => {
    expect(codeOf(sent(), body('{"event":"tesT"}'))).toBe('webhook_hmac_invalid')
    const later = { ...sent(), 'x-proto-timestamp': String(NOW + 1) }
    expect(codeOf(later)).toBe('webhook_hmac_invalid')
    expect(codeOf(sent(body(), OLD))).toBe('webhook_hmac_invalid')
  })

  test('a body with a key twice, after its signature was found right', () => {
    const raw = body('{"status":"approved","result":[{"id":1,"id":2}]}')
    const hex = createHmac('sha256', SECRET).update(`${NOW}.`).update(raw).digest('hex')
    const headers = { 'x-proto-signature': `sha256=${hex}`, 'x-proto-timestamp': String(NOW) }
    expect(verdictOf(headers, raw)).toMatchObject({
      ok: false,
      code: 'webhook_body_malformed',
      repeatedKeys: ['id'],
    })
    const forged = { ...headers, 'x-proto-signature': `sha256=${'0'.repeat(64)}` }
    expect(codeOf(forged, raw)).toBe('webhook_hmac_invalid')
  })

  test('the signer refuses a body with a key twice as duplicate_key_input', () => {
    for (const text of ['{"a":1,"a":2}', '{"a":{"b":1,"b":2}}', '{"a":[{"b":1,"\\u0062":2}]}']) {
      expect(signHmac(body(text), SECRET, options)).toMatchObject({ error: 'duplicate_key_input' })
    }
  })
})

describe('spec 5: secrets', () => {
  test.each(['', 'x', '1234567890abcdef1234567890abcde', '0'.repeat(32), 'a'.repeat(64)])(
    'the secret %j is unusable at both ends',
    (secret) => {
      expect(faultOfSecret(secret)).toBeDefined()
      expect(signHmac(body(), secret, options)).toMatchObject({ error: 'secret_unusable' })
      const verdict = verifyHmac({ headers: sent(), body: body() }, { current: secret }, options)
      expect(verdict).toMatchObject({ code: 'webhook_hmac_secret_unusable' })
    },
  )

  test('bytes count, not characters', () => {
    expect(faultOfSecret('äöüß'.repeat(4))).toBeUndefined()
  })

  test('the previous secret is accepted for 300 seconds after the change, the current one always', () => {
    const secrets = { current: SECRET, previous: { secret: OLD, changedAt: NOW - 300 } }
    const under = (secret: string, now: number) =>
      verifyHmac({ headers: sent(body(), secret, now), body: body() }, secrets, { names, now }).ok
    expect(under(OLD, NOW)).toBe(true)
    expect(under(SECRET, NOW)).toBe(true)
    expect(under(OLD, NOW + 1)).toBe(false)
    expect(under(SECRET, NOW + 1)).toBe(true)
  })
})

test('spec 5: another protocol name changes the names of both headers and nothing else', () => {
  const adcp = identifiersFor('adcp')
  const signed = signHmac(body(), SECRET, { names: adcp, now: NOW })
  const values = Object.values(sent())
  expect(signed).toEqual({
    ok: true,
    headers: { 'x-adcp-signature': values[0], 'x-adcp-timestamp': values[1] },
  })
})
