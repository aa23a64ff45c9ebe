// Messages whose URL, signature, digest, nonce or body is wrong (steps 10 to 14).
import { header, input, signature } from './changes.mjs'
import { digestOf, NOW, refused } from './compose.mjs'

const BODY = '{"status":"completed"}'

const FOUR = ['@method', '@target-uri', '@authority', 'content-type']

const SIX = [...FOUR, 'content-digest', 'x-note']

const json = (extra = {}) => ({
  'Content-Type': 'application/json',
  'Content-Digest': digestOf(BODY),
  ...extra,
})

const uri = (id, about, url) => refused(id, about, { code: 'target_uri_malformed', step: 10, url })

const invalid = (id, about, options) =>
  refused(id, about, { code: 'signature_invalid', step: 10, ...options })

export const CRYPTO = [
  uri('uri-no-host', 'There is no host.', 'https:///a'),
  uri('uri-port-only', 'There is a port but no host.', 'https://:443/a'),
  uri('uri-user-only', 'There is a user but no host.', 'https://me@/a'),
  uri('uri-two-users', 'Two @ before the host.', 'https://me@other.test@receiver.test/a'),
  uri('uri-open-bracket', 'A bracket stays open.', 'https://[::1/a'),
  uri('uri-bare-ipv6', 'An IPv6 address without brackets.', 'https://fe80::1/a'),
  uri('uri-zone', 'An IPv6 address with a zone.', 'https://[fe80::1%25eth0]/a'),
  uri('uri-empty-label', 'A host with an empty label.', 'https://receiver..test/a'),
  uri('uri-escaped-host', 'An escape in the host.', 'https://receiver%2etest/a'),
  uri('uri-port-range', 'A port over 65535.', 'https://receiver.test:65536/a'),
  uri('uri-port-zeros', 'A port with a leading zero.', 'https://receiver.test:0443/a'),
  uri('uri-other-scheme', 'Neither http nor https.', 'ftp://receiver.test/a'),
  uri('uri-relative', 'A URL without a host.', '/hooks/status'),
  uri('uri-broken-escape', 'A % without two hex digits.', 'https://receiver.test/%4'),
  uri('uri-escaped-dots', 'Dots that show only when decoded.', 'https://receiver.test/a/%2E%2e/b'),
  uri('uri-backslash', 'A backslash in the path.', 'https://receiver.test/a\\b'),
  uri('uri-space', 'A space in the path.', 'https://receiver.test/a b'),
  refused('host-differs', 'The Host header names another host.', {
    code: 'target_uri_malformed',
    step: 10,
    ...header('Host', () => 'other.test'),
  }),
  refused('host-port-differs', 'The Host header names another port.', {
    code: 'target_uri_malformed',
    step: 10,
    ...header('Host', () => 'receiver.test:8443'),
  }),
  refused('host-twice', 'The Host header comes twice.', {
    code: 'target_uri_malformed',
    step: 10,
    ...header('Host', () => ['receiver.test', 'receiver.test']),
  }),
  refused('authority-differs', ':authority and Host differ.', {
    code: 'target_uri_malformed',
    step: 10,
    after: ({ headers }) => {
      Object.assign(headers, { ':authority': 'receiver.test', host: 'other.test' })
    },
  }),
  invalid('other-key', 'Signed with another key.', { parameters: { keyid: '"hook-withdrawn"' } }),
  invalid('other-method', 'The method was changed.', {
    after: (r) => {
      r.method = 'PUT'
    },
  }),
  invalid('other-path', 'The path was changed.', {
    after: (r) => {
      r.url = r.url.replace('status', 'states')
    },
  }),
  invalid('other-query', 'The query was changed.', {
    after: (r) => {
      r.url = r.url.replace('7', '8')
    },
  }),
  invalid('other-scheme', 'http is not https.', {
    after: (r) => {
      r.url = r.url.replace('https', 'http')
    },
  }),
  invalid(
    'other-content-type',
    'The content type was changed.',
    header('Content-Type', (t) => `${t};v=2`),
  ),
  invalid('other-digest', 'Digest and body were changed together.', {
    after: (r) => {
      r.body = BODY
      r.headers['Content-Digest'] = digestOf(BODY)
    },
  }),
  invalid('digest-respelt', 'The digest is in the other alphabet than was signed.', {
    body: BODY,
    headers: json(),
    ...header('Content-Digest', () => digestOf(BODY, 'base64')),
  }),
  invalid(
    'other-expires',
    'The window was moved.',
    input(`expires=${NOW + 300}`, `expires=${NOW + 299}`),
  ),
  invalid(
    'parameters-reordered',
    'The parameters were put in another order.',
    input(/(;created=\d+)(;expires=\d+)/, '$2$1'),
  ),
  invalid('parameter-dropped', 'A parameter more was signed.', {
    parameters: { mood: 'calm' },
    ...input(';mood=calm', ''),
  }),
  invalid('extra-changed', 'Another covered header was changed.', {
    body: BODY,
    components: SIX,
    headers: json({ 'X-Note': 'a' }),
    ...header('X-Note', () => 'b'),
  }),
  invalid(
    'signature-short',
    'A signature of 63 bytes.',
    signature(() => 'A'.repeat(84)),
  ),
  invalid(
    'signature-empty',
    'An empty signature.',
    signature(() => ''),
  ),
  invalid('signature-der', 'An ecdsa signature in DER.', {
    key: 'hook-ec',
    ...signature((t) => der(t)),
  }),
  invalid('signature-zero', 'An ecdsa signature of zeros.', {
    key: 'hook-ec',
    ...signature(() => 'A'.repeat(86)),
  }),
]

export const AFTER = [
  refused('digest-mismatch', 'The body is another one than was signed.', {
    code: 'signature_digest_mismatch',
    step: 11,
    after: (r) => {
      r.body = `${r.body} `
    },
  }),
  refused('digest-other-algorithm', 'Only a sha-512 was signed.', {
    code: 'signature_digest_mismatch',
    step: 11,
    headers: json({ 'Content-Digest': 'sha-512=:AAAA:' }),
  }),
  refused('digest-short', 'The digest has too few bytes.', {
    code: 'signature_digest_mismatch',
    step: 11,
    headers: json({ 'Content-Digest': 'sha-256=:AAAA:' }),
  }),
  refused(
    'replayed',
    'The nonce was used before.',
    { code: 'signature_replayed', step: 12 },
    { state: { seen: [{ keyid: 'hook-ed', nonce: 'bm9uY2VfZm9yX3Rlc3RzIQ' }] } },
  ),
  refused(
    'full-at-insert',
    'The last room went to another message meanwhile.',
    { code: 'signature_rate_abuse', step: 13 },
    { state: { full_at_insert: true } },
  ),
  refused('body-duplicate-key', 'An object has one key twice.', {
    code: 'body_malformed',
    step: 14,
    body: '{"a":[{"b":1,"\\u0062":2}]}',
  }),
  refused('body-not-json', 'The body is not JSON.', {
    code: 'body_malformed',
    step: 14,
    body: 'status=completed',
  }),
  refused('body-empty', 'A webhook without a body.', {
    code: 'body_malformed',
    step: 14,
    body: '',
  }),
]

function der(text) {
  const bytes = Buffer.from(text, 'base64url')
  const integer = (part) => {
    const value = part[0] > 127 ? Buffer.concat([Buffer.alloc(1), part]) : part
    return Buffer.concat([Buffer.from([2, value.length]), value])
  }
  const both = Buffer.concat([integer(bytes.subarray(0, 32)), integer(bytes.subarray(32))])
  return Buffer.concat([Buffer.from([48, both.length]), both]).toString('base64url')
}
