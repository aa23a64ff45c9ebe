// Messages refused for what they say about themselves (steps 2 to 6) or for their key (7 to 9a).
import { header, signature } from './changes.mjs'
import { NOW, refused } from './compose.mjs'

const FOUR = ['@method', '@target-uri', '@authority', 'content-type']

const SIX = [...FOUR, 'content-digest', 'x-note']

const window = (id, about, created, expires) =>
  refused(id, about, {
    code: 'signature_window_invalid',
    step: 5,
    parameters: { created: `${NOW + created}`, expires: `${NOW + expires}` },
  })

const purpose = (id, about, key) =>
  refused(id, about, { code: 'signature_key_purpose_invalid', step: 8, key })

export const PARAMETERS = [
  ...['created', 'expires', 'nonce', 'keyid', 'alg', 'tag'].map((name) =>
    refused(`no-${name}`, `The parameter ${name} is missing.`, {
      code: 'signature_params_incomplete',
      step: 2,
      parameters: { [name]: null },
    }),
  ),
  refused('tag-of-requests', 'The tag of the other profile.', {
    code: 'signature_tag_invalid',
    step: 3,
    parameters: { tag: '"test/request-signing/v1"' },
  }),
  refused('tag-case', 'The tag in another case.', {
    code: 'signature_tag_invalid',
    step: 3,
    parameters: { tag: '"Test/webhook-signing/v1"' },
  }),
  refused('alg-rsa', 'An algorithm that is not allowed.', {
    code: 'signature_alg_not_allowed',
    step: 4,
    parameters: { alg: '"rsa-pss-sha512"' },
  }),
  refused('alg-case', 'The algorithm in another case.', {
    code: 'signature_alg_not_allowed',
    step: 4,
    parameters: { alg: '"Ed25519"' },
  }),
  window('window-empty', 'It expires when it begins.', 0, 0),
  window('window-backwards', 'It expires before it begins.', 10, 5),
  window('window-long', 'One second too long.', 0, 301),
  window('window-future', 'One second too far in the future.', 61, 200),
  window('window-past', 'Expired one second too long ago.', -361, -61),
  refused('not-covered-digest', 'The digest is not covered.', {
    code: 'signature_components_incomplete',
    step: 6,
    components: FOUR,
  }),
  refused('not-covered-authority', 'The authority is not covered.', {
    code: 'signature_components_incomplete',
    step: 6,
    components: ['@method', '@target-uri', 'content-type', 'content-digest'],
  }),
  refused('nothing-covered', 'Nothing is covered.', {
    code: 'signature_components_incomplete',
    step: 6,
    components: [],
  }),
  refused('digest-missing', 'The digest is covered but not there.', {
    code: 'signature_components_incomplete',
    step: 6,
    ...header('Content-Digest', () => undefined),
  }),
  refused('extra-missing', 'Another covered header is not there.', {
    code: 'signature_components_incomplete',
    step: 6,
    components: SIX,
    values: { 'x-note': '' },
  }),
  refused('derived-unknown', 'A derived component nobody asked for.', {
    code: 'signature_header_malformed',
    step: 6,
    components: [...FOUR, 'content-digest', '@path'],
    values: { '@path': '/hooks/status' },
  }),
]

export const BY_KEY = [
  refused('key-unknown', 'Nobody published this key.', {
    code: 'signature_key_unknown',
    step: 7,
    parameters: { keyid: '"nobody"' },
  }),
  purpose('key-for-answers', 'A key for another purpose.', 'answer-ed'),
  purpose('key-use', 'A key whose use is not sig.', 'use-enc'),
  purpose('key-use-missing', 'A key without use.', 'use-missing'),
  purpose('key-ops', 'A key that is not for verifying.', 'ops-sign'),
  purpose('key-ops-missing', 'A key without key_ops.', 'ops-missing'),
  purpose('key-purpose-list', 'A key with a list of purposes.', 'purpose-list'),
  purpose('key-purpose-missing', 'A key without a purpose.', 'purpose-missing'),
  purpose('key-alg', 'A key whose alg is not of its type.', 'alg-other'),
  purpose('key-short', 'A key with too few bytes.', 'short-x'),
  purpose('key-off-curve', 'A key that is no point of its curve.', 'off-curve'),
  purpose('key-other-curve', 'A key on another curve.', 'other-curve'),
  refused('key-of-other-alg', 'The signature names the algorithm of another type.', {
    code: 'signature_key_purpose_invalid',
    step: 8,
    parameters: { alg: '"ecdsa-p256-sha256"' },
  }),
  refused(
    'key-revoked',
    'The key is on the revocation list; the signature is not looked at.',
    {
      code: 'signature_key_revoked',
      step: 9,
      key: 'hook-withdrawn',
      ...signature(() => 'A'.repeat(86)),
    },
    { state: { revoked: ['hook-withdrawn'] } },
  ),
  refused(
    'key-pin-revoked',
    'The pin revoked the key when it signed.',
    { code: 'signature_key_revoked', step: 9 },
    { state: { revoked_at: NOW } },
  ),
  refused(
    'revocation-stale',
    'The revocation list is too old.',
    { code: 'signature_revocation_stale', step: 9, ...signature(() => 'A'.repeat(86)) },
    { state: { stale: true } },
  ),
  refused(
    'flood',
    'The key holds as many nonces as it may; the signature is not looked at.',
    { code: 'signature_rate_abuse', step: '9a', ...signature(() => 'A'.repeat(86)) },
    { state: { full: true } },
  ),
]
