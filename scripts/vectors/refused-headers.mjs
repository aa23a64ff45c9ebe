// Messages whose headers cannot be read (step 1).
import { bare, header, input, signature, unsigned } from './changes.mjs'
import { NOW, refused } from './compose.mjs'

const malformed = (id, about, options) =>
  refused(id, about, { code: 'signature_header_malformed', step: 1, ...options })

export const HEADERS = [
  malformed('no-signature', 'There is no signature at all.', unsigned),
  malformed('no-signature-header', 'Signature is missing.', bare),
  malformed(
    'no-input-header',
    'Signature-Input is missing.',
    header('Signature-Input', () => undefined),
  ),
  malformed(
    'input-token',
    'The label has a token for a value.',
    header('Signature-Input', () => 'sig1=token'),
  ),
  malformed(
    'input-empty',
    'Signature-Input is empty.',
    header('Signature-Input', () => ''),
  ),
  malformed('input-other-label', 'Only another label is there.', {
    after: ({ headers }) => {
      headers['Signature-Input'] = headers['Signature-Input'].replace('sig1', 'sig2')
      headers.Signature = headers.Signature.replace('sig1', 'sig2')
    },
  }),
  malformed(
    'input-label-twice',
    'The label comes twice.',
    header('Signature-Input', (t) => `${t}, ${t}`),
  ),
  malformed(
    'input-label-twice-in-lines',
    'The label comes in two lines.',
    header('Signature-Input', (t) => [t, t]),
  ),
  malformed(
    'signature-label-twice',
    'The label comes twice in Signature.',
    header('Signature', (t) => `${t},${t}`),
  ),
  malformed(
    'input-trailing-comma',
    'A comma ends the field.',
    header('Signature-Input', (t) => `${t},`),
  ),
  malformed(
    'input-cut',
    'The field ends within a string.',
    header('Signature-Input', (t) => t.slice(0, -1)),
  ),
  malformed(
    'input-upper-label',
    'A label in upper case.',
    header('Signature-Input', (t) => `${t}, Sig2=1`),
  ),
  malformed('input-not-ascii', 'A byte outside ASCII.', input('hook-ed', 'hook-é')),
  malformed('input-control', 'A control character in a string.', input('hook-ed', 'hook\u0001ed')),
  malformed('input-bad-escape', 'An escape of what needs none.', input('hook-ed', 'hook\\-ed')),
  malformed('keyid-unquoted', 'The keyid is a token.', input('"hook-ed"', 'hook-ed')),
  malformed('alg-unquoted', 'The alg is a token.', input('"ed25519"', 'ed25519')),
  malformed(
    'tag-unquoted',
    'The tag is a token.',
    input('"test/webhook-signing/v1"', 'test/webhook-signing/v1'),
  ),
  malformed(
    'nonce-bytes',
    'The nonce is a byte sequence.',
    input(/nonce="[^"]*"/, 'nonce=:bm9uY2VfZm9yX3Rlc3RzIQ==:'),
  ),
  malformed('created-string', 'created is a string.', input(`created=${NOW}`, `created="${NOW}"`)),
  malformed(
    'created-decimal',
    'created is a decimal.',
    input(`created=${NOW}`, `created=${NOW}.0`),
  ),
  malformed('expires-flag', 'expires stands without a value.', input(/expires=\d+/, 'expires')),
  malformed(
    'expires-long',
    'expires has 16 digits.',
    input(/expires=\d+/, 'expires=1234567890123456'),
  ),
  malformed(
    'parameter-twice',
    'The tag comes twice.',
    header('Signature-Input', (t) => `${t};tag="test/webhook-signing/v1"`),
  ),
  malformed(
    'component-parameter',
    'A component has a parameter.',
    input('"@method"', '"@method";req'),
  ),
  malformed('component-token', 'A component is a token.', input('"@method"', 'method')),
  malformed(
    'component-twice',
    'A component comes twice.',
    input('"@method"', '"@method" "@method"'),
  ),
  malformed(
    'component-upper',
    'A component is in upper case.',
    input('"content-type"', '"Content-Type"'),
  ),
  malformed('components-unspaced', 'No space between two components.', input('" "', '""')),
  malformed('nonce-short', 'A nonce of 15 bytes.', {
    parameters: { nonce: '"MTIzNDU2Nzg5MDEyMzQ1"' },
  }),
  malformed('nonce-padded', 'A padded nonce.', {
    parameters: { nonce: '"bm9uY2VfZm9yX3Rlc3RzIQ=="' },
  }),
  malformed('nonce-standard', 'A nonce in the other alphabet.', {
    parameters: { nonce: '"bm9uY2/fZm9yX3Rlc3RzIQ"' },
  }),
  malformed(
    'signature-mixed',
    'Both alphabets in one signature.',
    signature((t) => `+-${t.slice(2)}`),
  ),
  malformed(
    'signature-url-padded',
    'Padding with the url-safe alphabet.',
    signature((t) => `-${t.slice(1)}==`),
  ),
  malformed(
    'signature-space',
    'White space in the signature.',
    signature((t) => `${t.slice(0, 8)} ${t.slice(8)}`),
  ),
  malformed(
    'signature-trailing-bits',
    'Bits are set after the last byte.',
    signature((t) => `${t.slice(0, -1)}B`),
  ),
  malformed(
    'signature-string',
    'The signature is a string.',
    header('Signature', (t) => t.replaceAll(':', '"')),
  ),
  malformed(
    'digest-mixed',
    'Both alphabets in the digest.',
    header('Content-Digest', (t) => `sha-256=:+_${t.slice(11)}`),
  ),
  malformed(
    'digest-twice',
    'sha-256 comes twice.',
    header('Content-Digest', (t) => `${t}, ${t}`),
  ),
  malformed(
    'digest-two-lines',
    'Content-Digest comes in two lines.',
    header('Content-Digest', (t) => [t, 'sha-512=:AA==:']),
  ),
  malformed(
    'digest-string',
    'The digest is a string.',
    header('Content-Digest', (t) => t.replaceAll(':', '"')),
  ),
  malformed(
    'digest-upper',
    'The algorithm is in upper case.',
    header('Content-Digest', (t) => t.replace('sha', 'SHA')),
  ),
  malformed(
    'content-type-twice',
    'Two content types in one line.',
    header('Content-Type', (t) => `${t}, text/plain`),
  ),
  malformed(
    'content-type-two-lines',
    'Two content types in two lines.',
    header('Content-Type', (t) => [t, t]),
  ),
  malformed(
    'content-type-not-ascii',
    'A content type outside ASCII.',
    header('Content-Type', (t) => `${t};a=é`),
  ),
  malformed(
    'content-type-line-break',
    'A line break in a covered header.',
    header('Content-Type', (t) => `${t}\n"x": y`),
  ),
  malformed('host-not-ascii', 'A host that is not in A-labels.', {
    url: 'https://bücher.test/a',
    authority: 'xn--bcher-kva.test',
    target: 'https://xn--bcher-kva.test/a',
  }),
  malformed('method-line-break', 'A line break in the method.', {
    after: (r) => {
      r.method = 'POST\nX'
    },
  }),
]
