import { expect, test } from 'vitest'
import { identifiersFor } from '../../../src/protocol/identifiers.ts'
import { checkMode, type WebhookMode } from '../../../src/webhooks/schemes/mode.ts'

const names = identifiersFor('proto')
const SIGNED = { 'signature-input': 'sig1=()', signature: 'sig1=:AA:' }
const HMAC = { 'x-proto-signature': 'sha256=00', 'x-proto-timestamp': '1' }
const BEARER = { authorization: 'Bearer token' }

test.each<[WebhookMode, string, Record<string, string>, boolean]>([
  ['rfc9421', 'a signature', SIGNED, true],
  ['rfc9421', 'half a signature', { signature: 'sig1=:AA:' }, true],
  ['rfc9421', 'nothing', {}, true],
  [
    'rfc9421',
    'a signature and what legacy receivers need',
    { ...SIGNED, ...HMAC, ...BEARER },
    true,
  ],
  ['rfc9421', 'an HMAC', HMAC, false],
  ['rfc9421', 'a token', BEARER, false],
  ['HMAC-SHA256', 'an HMAC', HMAC, true],
  ['HMAC-SHA256', 'an HMAC and a token', { ...HMAC, ...BEARER }, true],
  ['HMAC-SHA256', 'nothing', {}, true],
  ['HMAC-SHA256', 'a signature', SIGNED, false],
  ['HMAC-SHA256', 'an HMAC and a signature', { ...HMAC, ...SIGNED }, false],
  ['HMAC-SHA256', 'a token', BEARER, false],
  ['HMAC-SHA256', "another protocol's HMAC", { 'x-other-signature': 'sha256=00' }, true],
  ['Bearer', 'a token', BEARER, true],
  ['Bearer', 'another authorization', { authorization: 'Basic eA==' }, true],
  ['Bearer', 'a token and an HMAC', { ...BEARER, ...HMAC }, false],
  ['Bearer', 'a token and a signature', { ...BEARER, ...SIGNED }, false],
])('spec 5: a webhook registered for %s that comes with %s', (mode, _what, headers, fits) => {
  const verdict = checkMode(mode, headers, names)
  expect(verdict.ok).toBe(fits)
  if (!verdict.ok) expect(verdict.code).toBe('webhook_mode_mismatch')
})
