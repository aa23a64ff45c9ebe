import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generateKeyPair } from '../../src/signing/keys.ts'
import { localSigner, threadPoolSigner } from '../../src/signing/local-signer.ts'
import type { HttpMessage } from '../../src/signing/ports.ts'
import { canonicalTargetUri } from '../../src/signing/target-uri.ts'
import {
  ALGORITHMS,
  aMessage,
  findAmong,
  PAIRS,
  SIGNERS,
  signed,
  verify,
} from '../support/signing.ts'

const algorithms = fc.constantFrom(...ALGORITHMS)
const methods = fc.stringMatching(/^[A-Z]{1,10}$/)
const hosts = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
)
const urls = fc
  .tuple(
    fc.constantFrom('http', 'https', 'HTTPS'),
    hosts,
    fc.option(fc.integer({ min: 1, max: 65_535 })),
    fc.stringMatching(/^(?:\/(?:[a-zA-Z0-9._~!$&'()*+,;=:@{}|^-]|%[2-7][0-9a-fA-F]){0,8}){0,4}$/),
    fc.option(fc.stringMatching(/^[\x21\x22\x24-\x7e]{0,20}$/)),
  )
  .map(([scheme, host, port, path, query]) => {
    return `${scheme}://${host}${port === null ? '' : `:${port}`}${path}${query === null ? '' : `?${query}`}`
  })
  .filter((url) => canonicalTargetUri(url, { allowUnicodeHost: false }).ok)
const bodies = fc.json().map((text) => Buffer.from(text))
const contentTypes = fc.constantFrom('application/json', 'application/json; charset=utf-8')

const messages: fc.Arbitrary<Partial<HttpMessage>> = fc
  .tuple(methods, urls, bodies, contentTypes)
  .map(([method, url, body, contentType]) => ({
    method,
    url,
    body,
    headers: { 'content-type': contentType },
  }))

test('spec 5: what is signed is verified, whatever the method, URL, body and algorithm', async () => {
  await fc.assert(
    fc.asyncProperty(messages, algorithms, async (changes, algorithm) => {
      const message = await signed(changes, { signer: SIGNERS[algorithm] })
      // Bodies with one key twice are genuine all the same.
      const verified = await verify(message, { checkBody: () => true })
      expect(verified).toMatchObject({ ok: true, keyid: SIGNERS[algorithm].keyid })
    }),
    { numRuns: 300 },
  )
})

test('spec 5: a message of any key is verified by its own public key alone', async () => {
  await fc.assert(
    fc.asyncProperty(algorithms, fc.boolean(), async (algorithm, onThreadPool) => {
      const pair = generateKeyPair(algorithm, { keyUse: 'test_use', purpose: 'webhook-signing' })
      const signer = (onThreadPool ? threadPoolSigner : localSigner)(pair.privateJwk)
      const message = await signed({}, { signer })
      expect(await verify(message, { findKey: findAmong([pair.publicJwk]) })).toMatchObject({
        ok: true,
      })
      const other = { ...PAIRS[algorithm].publicJwk, kid: signer.keyid }
      expect(await verify(message, { findKey: findAmong([other]) })).toMatchObject({
        code: 'webhook_signature_invalid',
      })
    }),
    { numRuns: 40 },
  )
})

describe('spec 5: one changed byte is never verified', () => {
  const changed = (text: string, at: number, bit: number): string => {
    const bytes = Buffer.from(text, 'latin1')
    const index = at % bytes.length
    bytes[index] = (bytes[index] ?? 0) ^ (1 << bit)
    return bytes.toString('latin1')
  }
  const places = [fc.nat(), fc.integer({ min: 0, max: 7 })] as const

  test('in the body', async () => {
    await fc.assert(
      fc.asyncProperty(messages, algorithms, ...places, async (changes, algorithm, at, bit) => {
        const message = await signed(changes, { signer: SIGNERS[algorithm] })
        const body = Buffer.from(
          changed(Buffer.from(message.body).toString('latin1'), at, bit),
          'latin1',
        )
        expect(await verify({ ...message, body })).toMatchObject({
          code: 'webhook_signature_digest_mismatch',
        })
      }),
    )
  })

  test('in the URL, unless it is another spelling of the same one', async () => {
    await fc.assert(
      fc.asyncProperty(messages, algorithms, ...places, async (changes, algorithm, at, bit) => {
        const message = await signed(changes, { signer: SIGNERS[algorithm] })
        const url = changed(message.url, at, bit)
        const isSame =
          canonicalOf(url) !== undefined && canonicalOf(url) === canonicalOf(message.url)
        const verified = await verify({ ...message, url }, { checkBody: () => true })
        expect(verified.ok).toBe(isSame)
      }),
      { numRuns: 300 },
    )
  })

  test.each(['content-type', 'Content-Digest', 'Signature-Input', 'Signature', 'method'])(
    'in %s',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(messages, algorithms, ...places, async (changes, algorithm, at, bit) => {
          const message = await signed(changes, { signer: SIGNERS[algorithm] })
          const spoilt =
            name === 'method'
              ? { ...message, method: changed(message.method, at, bit) }
              : {
                  ...message,
                  headers: {
                    ...message.headers,
                    [name]: changed(String(message.headers[name]), at, bit),
                  },
                }
          expect((await verify(spoilt, { checkBody: () => true })).ok).toBe(false)
        }),
        { numRuns: 200 },
      )
    },
  )
})

describe('garbage is refused and never thrown at', () => {
  const pieces = fc.constantFrom(
    'sig1',
    'sig2',
    '=',
    '(',
    ')',
    '"',
    ';',
    ',',
    ':',
    ' ',
    '\t',
    '\\',
    '\n',
    '\0',
    'é',
    '☂',
    '?1',
    '"@method"',
    'created',
    'keyid',
    '1',
    '-',
    '.',
    'AAAA',
    '=="',
    'sha-256',
    '*',
    '%',
    '[',
    ']',
  )
  const garbage = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  )

  test.each([
    'Signature-Input',
    'Signature',
    'Content-Digest',
    'content-type',
    'host',
    'url',
    'method',
  ])('in %s', async (place) => {
    const message = await signed()
    await fc.assert(
      fc.asyncProperty(garbage, async (text) => {
        const spoilt =
          place === 'url' || place === 'method'
            ? { ...message, [place]: text }
            : { ...message, headers: { ...message.headers, [place]: text } }
        expect((await verify(spoilt)).ok).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  test('in all headers at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(garbage, fc.oneof(garbage, fc.array(garbage))),
        async (headers) => {
          expect((await verify(aMessage({ headers }))).ok).toBe(false)
        },
      ),
    )
  })

  test('within an otherwise right parameter list', async () => {
    const message = await signed()
    const input = String(message.headers['Signature-Input'])
    await fc.assert(
      fc.asyncProperty(garbage, fc.nat(input.length), async (text, at) => {
        fc.pre(text !== '')
        const headers = {
          ...message.headers,
          'Signature-Input': input.slice(0, at) + text + input.slice(at),
        }
        const verified = await verify({ ...message, headers })
        // Only what stands beside sig1 may be there unsigned: another label, or white space.
        const isBeside = at === 0 || at === input.length
        expect(verified.ok && !isBeside).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})

function canonicalOf(url: string): string | undefined {
  const target = canonicalTargetUri(url, { allowUnicodeHost: false })
  return target.ok ? target.targetUri : undefined
}
