// Every code once in the request profile, and what depends on the options of a profile.
import { bare, unsigned } from './changes.mjs'
import { NOW, refused } from './compose.mjs'

const BODY = '{"status":"completed"}'

const FOUR = ['@method', '@target-uri', '@authority', 'content-type']

const request = { profile: 'request' }

export const REQUESTS = [
  refused('request-unsigned', 'A request without a signature.', {
    ...request,
    code: 'signature_required',
    step: 1,
    ...unsigned,
  }),
  refused('request-half-signed', 'A request with half a signature.', {
    ...request,
    code: 'signature_header_malformed',
    step: 1,
    ...bare,
  }),
  refused('request-params', 'A parameter is missing.', {
    ...request,
    code: 'signature_params_incomplete',
    step: 2,
    parameters: { nonce: null },
  }),
  refused('request-tag', 'A webhook is no request.', {
    ...request,
    code: 'signature_tag_invalid',
    step: 3,
    parameters: { tag: '"test/webhook-signing/v1"' },
  }),
  refused('request-alg', 'An algorithm that is not allowed.', {
    ...request,
    code: 'signature_alg_not_allowed',
    step: 4,
    parameters: { alg: '"hmac-sha256"' },
  }),
  refused('request-window', 'A window too long.', {
    ...request,
    code: 'signature_window_invalid',
    step: 5,
    parameters: { expires: `${NOW + 301}` },
  }),
  refused('request-components', 'A body without a covered content type.', {
    ...request,
    code: 'signature_components_incomplete',
    step: 6,
    components: ['@method', '@target-uri', '@authority', 'content-digest'],
  }),
  refused('request-derived', 'A derived component nobody asked for.', {
    ...request,
    code: 'signature_components_unexpected',
    step: 6,
    components: [...FOUR, 'content-digest', '@scheme'],
    values: { '@scheme': 'https' },
  }),
  refused(
    'request-digest-forbidden',
    'The digest is covered where that is forbidden.',
    { ...request, code: 'signature_components_unexpected', step: 6 },
    { profileOptions: { contentDigest: 'forbidden' } },
  ),
  refused('request-key', 'Nobody published this key.', {
    ...request,
    code: 'signature_key_unknown',
    step: 7,
    parameters: { keyid: '"nobody"' },
  }),
  refused('request-purpose', 'A key for webhooks signs no requests.', {
    ...request,
    code: 'signature_key_purpose_invalid',
    step: 8,
    key: 'hook-ed',
  }),
  refused(
    'request-revoked',
    'The key is on the revocation list.',
    { ...request, code: 'signature_key_revoked', step: 9 },
    { state: { revoked: ['call-ed'] } },
  ),
  refused(
    'request-stale',
    'The revocation list is too old.',
    { ...request, code: 'signature_revocation_stale', step: 9 },
    { state: { stale: true } },
  ),
  refused(
    'request-flood',
    'The key holds as many nonces as it may.',
    { ...request, code: 'signature_rate_abuse', step: '9a' },
    { state: { full: true } },
  ),
  refused('request-uri', 'There is no host.', {
    ...request,
    code: 'target_uri_malformed',
    step: 10,
    url: 'https:///a',
  }),
  refused('request-signature', 'The method was changed.', {
    ...request,
    code: 'signature_invalid',
    step: 10,
    after: (r) => {
      r.method = 'PUT'
    },
  }),
  refused('request-digest', 'The body is another one than was signed.', {
    ...request,
    code: 'signature_digest_mismatch',
    step: 11,
    after: (r) => {
      r.body = BODY
    },
  }),
  refused(
    'request-replayed',
    'The nonce was used before.',
    { ...request, code: 'signature_replayed', step: 12 },
    { state: { seen: [{ keyid: 'call-ed', nonce: 'bm9uY2VfZm9yX3Rlc3RzIQ' }] } },
  ),
  refused('request-body', 'An object has one key twice.', {
    ...request,
    code: 'body_malformed',
    step: 14,
    body: '{"a":1,"a":1}',
  }),
  refused(
    'webhook-only-key',
    'A key for requests, where only those for webhooks are accepted.',
    { code: 'signature_key_purpose_invalid', step: 8, key: 'call-ed' },
    { profileOptions: { acceptRequestKeys: false } },
  ),
  refused('request-mode', 'A legacy header instead of a signature.', {
    ...request,
    ...legacy(),
    code: 'mode_mismatch',
    step: 'pre',
  }),
  refused('webhook-mode', 'A legacy header instead of a signature.', {
    ...legacy(),
    code: 'mode_mismatch',
    step: 'pre',
  }),
]

function legacy() {
  return {
    after: (message) => {
      message.headers = { 'Content-Type': 'application/json', 'X-Test-Signature': 'sha256=00' }
    },
  }
}
