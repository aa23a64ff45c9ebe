// Messages that must be accepted, with the signature base they have.
import { header } from './changes.mjs'
import { accepted, digestOf, NOW } from './compose.mjs'

const HOOK = 'https://receiver.test/hooks/status?task=7'
const BODY = '{"status":"completed"}'
const json = (extra = {}) => ({
  'Content-Type': 'application/json',
  'Content-Digest': digestOf(BODY),
  ...extra,
})

const at = (id, about, url, target, authority = 'receiver.test') =>
  accepted(id, about, { url, target, authority })

export const ACCEPTED = [
  accepted('plain-ed25519', 'A webhook signed with ed25519.'),
  accepted('plain-p256', 'A webhook signed with ecdsa-p256-sha256 in r and s of 32 bytes.', {
    key: 'hook-ec',
  }),
  accepted('request-key', 'A key for signing requests is accepted for webhooks.', {
    key: 'call-ed',
  }),
  accepted('standard-signature', 'The signature comes in padded standard base64.', {
    encoding: 'base64',
  }),
  accepted(
    'standard-signature-unpadded',
    'The signature comes in standard base64 without padding.',
    {
      encoding: 'base64',
      ...header('Signature', (text) => text.replace(/=+:$/, ':')),
    },
  ),
  accepted(
    'standard-digest',
    'The digest comes in padded standard base64 and is signed as it came.',
    {
      body: BODY,
      headers: json({ 'Content-Digest': digestOf(BODY, 'base64') }),
    },
  ),
  accepted('two-digests', 'A digest by another algorithm stands beside sha-256.', {
    body: BODY,
    headers: json({ 'Content-Digest': `sha-512=:AAAA:, ${digestOf(BODY)}` }),
  }),
  accepted('content-type-parameter', 'The content type has a parameter.', {
    body: BODY,
    headers: json({ 'Content-Type': 'application/json; charset="utf-8, so to say"' }),
  }),
  accepted('padded-header', 'White space around a covered header is no part of its value.', {
    body: BODY,
    headers: json({ 'Content-Type': ' \tapplication/json ' }),
    values: { 'content-type': 'application/json' },
  }),
  accepted('any-order', 'The components and parameters come in another order.', {
    components: ['content-digest', '@authority', 'content-type', '@target-uri', '@method'],
    parameters: { alg: null, created: null, tag: '"test/webhook-signing/v1"' },
    list:
      '("content-digest" "@authority" "content-type" "@target-uri" "@method");alg="ed25519"' +
      `;created=${NOW}`,
  }),
  accepted('extra-header', 'One header more is covered and came once.', {
    body: BODY,
    components: [
      '@method',
      '@target-uri',
      '@authority',
      'content-type',
      'content-digest',
      'x-note',
    ],
    headers: json({ 'X-Note': 'read, then act' }),
  }),
  accepted('unknown-parameter', 'A parameter nobody knows is ignored and signed.', {
    parameters: { mood: 'calm', level: '1.5' },
  }),
  accepted('spaces-kept', 'Spaces in the list are signed as they came.', {
    list: '( "@method" "@target-uri"  "@authority" "content-type" "content-digest" )',
  }),
  accepted('escaped-keyid', 'A key id with a quote and a backslash is unescaped.', {
    key: 'odd "name" \\ 1',
  }),
  accepted('other-label', 'Another label without a signature is ignored.', {
    ...header('Signature-Input', (text) => `${text}, relay=("@method";req);created=1;tag=other`),
  }),
  accepted('other-label-first', 'Another label stands first, with a signature that is no base64.', {
    after: ({ headers }) => {
      headers['Signature-Input'] = `sig0=("@method");keyid="k",${headers['Signature-Input']}`
      headers.Signature = `sig0=:*not base64*:,\t${headers.Signature}`
    },
  }),
  accepted('several-lines', 'The signature headers come in several lines each.', {
    after: ({ headers }) => {
      headers['Signature-Input'] = ['sig2=()', headers['Signature-Input']]
      headers.Signature = [headers.Signature, 'sig2=:AA==:']
    },
  }),
  accepted('header-case', 'The names of the headers are in any case.', {
    after: (request) => {
      const entries = Object.entries(request.headers)
      request.headers = Object.fromEntries(entries.map(([k, v]) => [k.toUpperCase(), v]))
    },
  }),
  accepted('host-agrees', 'The Host header says the same authority in another spelling.', {
    ...header('Host', () => 'Receiver.TEST:443'),
  }),
  accepted('key-without-alg', 'The key does not say its alg; kty and crv do.', {
    key: 'alg-missing',
  }),
  accepted('key-with-private', 'A private member of a published key is ignored.', {
    key: 'with-private',
  }),
  accepted('oldest', 'Expired by as much as the clocks may differ.', {
    parameters: { created: `${NOW - 360}`, expires: `${NOW - 60}` },
  }),
  accepted('newest', 'Created as far in the future as the clocks may differ.', {
    parameters: { created: `${NOW + 60}`, expires: `${NOW + 360}` },
  }),
  accepted('nonce-long', 'A nonce of more than 16 bytes.', {
    parameters: { nonce: `"${'Zm9v'.repeat(12)}"` },
  }),
  accepted(
    'other-nonce-seen',
    'The same nonce was used with another key.',
    {},
    {
      state: { seen: [{ keyid: 'hook-ec', nonce: 'bm9uY2VfZm9yX3Rlc3RzIQ' }] },
    },
  ),
  accepted('other-method', 'A method other than POST.', { method: 'PUT' }),
  accepted('not-ascii-body', 'The body is UTF-8.', { body: '{"name":"Zoë ☂"}' }),
  at(
    'uri-scheme',
    'Rule 1: the scheme is in lower case.',
    'HTTPS://receiver.test/a',
    'https://receiver.test/a',
  ),
  at(
    'uri-host',
    'Rule 2: the host is in lower case.',
    'https://Receiver.TEST/a',
    'https://receiver.test/a',
  ),
  at(
    'uri-ipv6',
    'Rule 2: an IPv6 host keeps its form.',
    'https://[2001:DB8:0:0::1]:8443/a',
    'https://[2001:db8:0:0::1]:8443/a',
    '[2001:db8:0:0::1]:8443',
  ),
  at(
    'uri-root-dot',
    'Rule 2: one root dot is dropped.',
    'https://receiver.test./a',
    'https://receiver.test/a',
  ),
  at(
    'uri-userinfo',
    'Rule 3: user name and password are dropped.',
    'https://me:pw@receiver.test/a',
    'https://receiver.test/a',
  ),
  at(
    'uri-port-443',
    'Rule 4: 443 is dropped from https.',
    'https://receiver.test:443/a',
    'https://receiver.test/a',
  ),
  at(
    'uri-port-80',
    'Rule 4: 80 is dropped from http.',
    'http://receiver.test:80/a',
    'http://receiver.test/a',
  ),
  at(
    'uri-port-kept',
    'Rule 4: 80 stays on https.',
    'https://receiver.test:80/a',
    'https://receiver.test:80/a',
    'receiver.test:80',
  ),
  at(
    'uri-dots',
    'Rule 5: dot segments are removed.',
    'https://receiver.test/a/./b/../c/..',
    'https://receiver.test/a/',
  ),
  at(
    'uri-slashes',
    'Rule 5: empty segments stay.',
    'https://receiver.test/a//b/.//c',
    'https://receiver.test/a//b//c',
  ),
  at(
    'uri-empty-path',
    'Rule 5: an empty path is a slash.',
    'https://receiver.test?x=1',
    'https://receiver.test/?x=1',
  ),
  at(
    'uri-hex',
    'Rule 6: hex digits are in upper case.',
    'https://receiver.test/a%2fb%c3%a9',
    'https://receiver.test/a%2Fb%C3%A9',
  ),
  at(
    'uri-unreserved',
    'Rule 6: unreserved characters are decoded.',
    'https://receiver.test/%7e%41%2D%5f',
    'https://receiver.test/~A-_',
  ),
  at(
    'uri-query',
    'Rule 7: the query stays as it is.',
    'https://receiver.test/a?b=%7e&a=+&&/../',
    'https://receiver.test/a?b=%7e&a=+&&/../',
  ),
  at(
    'uri-empty-query',
    'Rule 7: an empty query keeps its mark.',
    'https://receiver.test/a?',
    'https://receiver.test/a?',
  ),
  at('uri-fragment', 'Rule 8: the fragment is dropped.', `${HOOK}#part?x`, HOOK),
  accepted('request-ed25519', 'A request signed with ed25519.', { profile: 'request' }),
  accepted('request-p256', 'A request signed with ecdsa-p256-sha256.', {
    profile: 'request',
    key: 'call-ec',
  }),
  accepted('request-without-body', 'A request without a body needs no content type.', {
    profile: 'request',
    method: 'GET',
    body: '',
    components: ['@method', '@target-uri', '@authority', 'content-digest'],
    headers: { 'Content-Digest': digestOf('') },
  }),
]
