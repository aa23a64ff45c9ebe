// Requests by the rules of 3.2: padded standard base64, and the digest whenever there is a body.
import { header, input } from './changes.mjs'
import { accepted, digestOf, refused } from './compose.mjs'

const BODY = '{"brief":"sports"}'
const THREE = ['@method', '@target-uri', '@authority']
const FOUR = [...THREE, 'content-type']
const TYPE = { 'Content-Type': 'application/json' }

const strict = { profileOptions: { release: '3.2' } }
const plain = {
  profile: 'request',
  body: BODY,
  encoding: 'base64',
  headers: { ...TYPE, 'Content-Digest': digestOf(BODY, 'base64') },
}
const bodyless = { ...plain, method: 'GET', body: '', components: THREE, headers: {} }
const malformed = { code: 'signature_header_malformed', step: 1 }
const url = (text) => ({
  url: text,
  target: 'https://receiver.test/mcp',
  authority: 'receiver.test',
})

const ok = (id, about, options) => accepted(`strict-${id}`, about, { ...plain, ...options }, strict)
const no = (id, about, options, more) =>
  refused(`strict-${id}`, about, { ...plain, ...options }, { ...strict, ...more })

export const STRICT_REQUESTS = [
  ok('ed25519', 'A request signed with ed25519.', {}),
  ok('p256', 'A request signed with ecdsa-p256-sha256.', { key: 'call-ec' }),
  ok('bodyless', 'Without a body there is no digest.', bodyless),
  ok('bodyless-digest', 'The digest of no body is covered.', {
    ...bodyless,
    components: [...THREE, 'content-digest'],
    headers: { 'Content-Digest': digestOf('', 'base64') },
  }),
  ok('two-digests', 'A digest by another algorithm stands beside sha-256.', {
    headers: { ...TYPE, 'Content-Digest': `sha-512=:AAAA:, ${digestOf(BODY, 'base64')}` },
  }),
  ok('root-dot', 'One dot of the DNS root is dropped.', url('https://receiver.test./mcp')),
  ok('root-dot-port', 'Also before a default port.', url('https://receiver.test.:443/mcp')),
  no('signature-base64url', 'The signature is in base64url.', {
    ...malformed,
    encoding: 'base64url',
  }),
  no('signature-unpadded', 'The signature lacks its padding.', {
    ...malformed,
    ...header('Signature', (text) => text.replace(/=+:$/, ':')),
  }),
  no('signature-mixed', 'The signature mixes two alphabets.', {
    ...malformed,
    ...header('Signature', (text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  }),
  no('digest-base64url', 'The digest is in base64url.', {
    ...malformed,
    headers: { ...TYPE, 'Content-Digest': digestOf(BODY) },
  }),
  no('digest-unpadded', 'The digest lacks its padding.', {
    ...malformed,
    headers: { ...TYPE, 'Content-Digest': digestOf(BODY, 'base64').replace(/=+:$/, ':') },
  }),
  no('digest-left-out', 'There is a body, and its digest is not covered.', {
    code: 'signature_components_incomplete',
    step: 6,
    components: FOUR,
  }),
  no('body-added', 'A body was added to a request that had none.', {
    ...bodyless,
    code: 'signature_components_incomplete',
    step: 6,
    method: 'POST',
    after: (request) => {
      request.body = BODY
    },
  }),
  no('nonce-padded', 'The nonce stays base64url without padding.', {
    ...malformed,
    parameters: { nonce: '"bm9uY2VfZm9yX3Rlc3RzIQ=="' },
  }),
  no('half', 'One header of the two came.', {
    ...malformed,
    ...header('Signature-Input', () => undefined),
  }),
  no('params', 'A parameter is missing.', {
    code: 'signature_params_incomplete',
    step: 2,
    parameters: { expires: null },
  }),
  no('tag', 'A webhook is no request.', {
    code: 'signature_tag_invalid',
    step: 3,
    parameters: { tag: '"test/webhook-signing/v1"' },
  }),
  no('purpose', 'A key for webhooks signs no requests.', {
    code: 'signature_key_purpose_invalid',
    step: 8,
    key: 'hook-ed',
  }),
  no('two-root-dots', 'Two dots at the end are an empty label.', {
    code: 'target_uri_malformed',
    step: 10,
    ...url('https://receiver.test../mcp'),
  }),
  no('empty-label', 'A name has no empty label.', {
    code: 'target_uri_malformed',
    step: 10,
    ...url('https://receiver..test/mcp'),
  }),
  no('created-changed', 'A parameter was changed after signing.', {
    code: 'signature_invalid',
    step: 10,
    ...input(/expires=(\d+)/, (_all, at) => `expires=${Number(at) - 1}`),
  }),
  no('digest-swapped', 'The body is another one than was signed.', {
    code: 'signature_digest_mismatch',
    step: 11,
    after: (request) => {
      request.body = '{"brief":"crypto"}'
    },
  }),
  no(
    'replayed',
    'The nonce was used before.',
    { code: 'signature_replayed', step: 12 },
    { state: { seen: [{ keyid: 'call-ed', nonce: 'bm9uY2VfZm9yX3Rlc3RzIQ' }] } },
  ),
  no('body', 'An object has one key twice.', {
    code: 'body_malformed',
    step: 14,
    body: '{"a":1,"a":1}',
    headers: { ...TYPE, 'Content-Digest': digestOf('{"a":1,"a":1}', 'base64') },
  }),
]
