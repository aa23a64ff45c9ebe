// Puts a signing vector together from what it is about. Written from RFC 9421 and spec 5 alone: it
// shares no code with the signer and the verifier, so agreement means something.
import { createHash } from 'node:crypto'
import { KEYS } from './keys.mjs'

export const NOW = 1_790_000_000
const BODY = '{"task_id":"t-7","status":"completed","result":{"ok":true}}'
const FIVE = ['@method', '@target-uri', '@authority', 'content-type', 'content-digest']
const TAGS = { webhook: 'test/webhook-signing/v1', request: 'test/request-signing/v1' }

export const digestOf = (body, encoding = 'base64url') =>
  `sha-256=:${createHash('sha256').update(body).digest(encoding)}:`

/** A message that is valid unless specified otherwise; `after` changes it once it is signed. */
function message({
  profile = 'webhook',
  key = profile === 'webhook' ? 'hook-ed' : 'call-ed',
  method = 'POST',
  url = 'https://receiver.test/hooks/status?task=7',
  target = url,
  authority = 'receiver.test',
  body = BODY,
  components = FIVE,
  headers = { 'Content-Type': 'application/json', 'Content-Digest': digestOf(body) },
  values = {},
  parameters = {},
  list = `(${components.map((name) => `"${name}"`).join(' ')})`,
  text = list + parametersText(profile, key, parameters),
  encoding = 'base64url',
  after = () => {},
} = {}) {
  const lower = Object.fromEntries(Object.entries(headers).map(([k, v]) => [k.toLowerCase(), v]))
  const all = {
    ...lower,
    '@method': method,
    '@target-uri': target,
    '@authority': authority,
    ...values,
  }
  const lines = components.map((name) => `"${name}": ${all[name]}\n`)
  const base = `${lines.join('')}"@signature-params": ${text}`
  const signature = KEYS[key].sign(Buffer.from(base)).toString(encoding)
  const request = {
    method,
    url,
    headers: { ...headers, 'Signature-Input': `sig1=${text}`, Signature: `sig1=:${signature}:` },
    body,
  }
  after(request)
  return { profile, request, base, keyid: KEYS[key].kid }
}

/** The parameters in the order signers write them; null leaves one out, a string is taken as is. */
function parametersText(profile, key, changes) {
  const all = {
    created: `${NOW}`,
    expires: `${NOW + 300}`,
    nonce: '"bm9uY2VfZm9yX3Rlc3RzIQ"',
    keyid: `"${KEYS[key].kid.replace(/["\\]/g, '\\$&')}"`,
    alg: `"${KEYS[key].alg}"`,
    tag: `"${TAGS[profile]}"`,
    ...changes,
  }
  return Object.entries(all)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `;${name}=${value}`)
    .join('')
}

export function accepted(id, about, options = {}, { state, profileOptions } = {}) {
  const { profile, request, base, keyid } = message(options)
  return vector({
    id,
    about,
    profile,
    profile_options: profileOptions,
    state,
    request,
    expected: { ok: true, keyid, signature_base: base },
  })
}

export function refused(id, about, { code, step, ...options }, { state, profileOptions } = {}) {
  const { profile, request } = message(options)
  const expected = { ok: false, code: `${profile}_${code}`, step }
  return vector({ id, about, profile, profile_options: profileOptions, state, request, expected })
}

function vector(fields) {
  return { now: NOW, ...fields }
}
