import { expect, test } from 'vitest'
import type { Signer } from '../../src/signing/ports.ts'
import { signMessage } from '../../src/signing/sign.ts'
import { aMessage, NOW, SIGNERS, verify, WEBHOOK } from '../support/signing.ts'

const OPTIONS = { signer: SIGNERS.ed25519, profile: WEBHOOK, now: NOW }

test('spec 5: the headers are those of the profile, in its order', async () => {
  const { keyid } = SIGNERS.ed25519
  const result = await signMessage(aMessage(), { ...OPTIONS, nonce: 'MTIzNDU2Nzg5MDEyMzQ1Ng' })
  expect(result.ok && Object.keys(result.headers)).toEqual([
    'Signature-Input',
    'Signature',
    'Content-Digest',
  ])
  expect(result.ok && result.headers['Signature-Input']).toBe(
    'sig1=("@method" "@target-uri" "@authority" "content-type" "content-digest")' +
      `;created=${NOW};expires=${NOW + 300};nonce="MTIzNDU2Nzg5MDEyMzQ1Ng"` +
      `;keyid="${keyid}";alg="ed25519";tag="test/webhook-signing/v1"`,
  )
  expect(result.ok && result.headers.Signature).toMatch(/^sig1=:[A-Za-z0-9_-]{86}:$/)
  expect(result.ok && result.headers['Content-Digest']).toMatch(/^sha-256=:[A-Za-z0-9_-]{43}:$/)
})

test('spec 5: every signature has a nonce of its own, of 16 bytes', async () => {
  const nonces = new Set<string>()
  for (let n = 0; n < 1_000; n++) {
    const result = await signMessage(aMessage(), OPTIONS)
    const input = result.ok ? result.headers['Signature-Input'] : ''
    nonces.add(/nonce="([A-Za-z0-9_-]{22})"/.exec(input)?.[1] ?? '')
  }
  expect(nonces.size).toBe(1_000)
  expect(nonces.has('')).toBe(false)
})

test('spec 5: an internationalised host is signed in A-labels', async () => {
  const message = aMessage({ url: 'https://bücher.test/p' })
  const result = await signMessage(message, OPTIONS)
  expect(result.ok && result.signatureBase).toContain('"@authority": xn--bcher-kva.test\n')
  const sent = {
    ...message,
    url: 'https://xn--bcher-kva.test/p',
    headers: { ...message.headers, ...(result.ok ? result.headers : {}) },
  }
  expect(await verify(sent)).toMatchObject({ ok: true })
})

test('a key held elsewhere signs later', async () => {
  const remote: Signer = {
    ...SIGNERS.ed25519,
    sign: async (bytes) => SIGNERS.ed25519.sign(bytes),
  }
  const message = aMessage()
  const result = await signMessage(message, { ...OPTIONS, signer: remote })
  const headers = { ...message.headers, ...(result.ok ? result.headers : {}) }
  expect(await verify({ ...message, headers })).toMatchObject({ ok: true })
})

test.each([
  [{ url: 'https:///p' }, 'target_uri_malformed'],
  [{ headers: {} }, 'header_malformed'],
  [{ headers: { 'content-type': ['a/b', 'c/d'] } }, 'header_malformed'],
  [{ headers: { 'content-type': 'a/b\r\nx: y' } }, 'header_malformed'],
  [{ method: 'POST /' }, 'header_malformed'],
])('a message with %j is not signed: %s', async (changes, code) => {
  expect(await signMessage(aMessage(changes), OPTIONS)).toMatchObject({ ok: false, code })
})

test.each([
  ['a window over the profile', { windowSeconds: 301 }],
  ['an empty window', { windowSeconds: 0 }],
  ['a short nonce', { nonce: 'MTIz' }],
  ['a key id outside ASCII', { signer: { ...SIGNERS.ed25519, keyid: 'schlüssel' } }],
])('%s is a mistake of the caller', async (_mistake, changes) => {
  await expect(signMessage(aMessage(), { ...OPTIONS, ...changes })).rejects.toThrow(RangeError)
})
