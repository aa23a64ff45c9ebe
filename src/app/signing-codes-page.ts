// Generates /docs/signing-codes.md from the lists of codes (spec 5). A code without a row does not compile.

import type { Failure } from '../signing/profile.ts'
import type { BearerFailure } from '../webhooks/schemes/bearer.ts'
import type { HmacFailure } from '../webhooks/schemes/hmac.ts'

interface Row {
  /** The steps of the checklist that return this code. */
  steps: string
  when: string
  /** What the sender, or the operator of the receiver, should check first. */
  look: string
  /** Default: both profiles. */
  only?: 'webhook' | 'request'
}

const SIGNATURE_CODES: Record<Failure, Row> = {
  signature_required: {
    steps: '1',
    when: 'there is no signature, and one is needed',
    look: 'sign the request; a webhook without one is `webhook_signature_header_malformed`',
    only: 'request',
  },
  mode_mismatch: {
    steps: 'pre',
    when: 'the message came with another scheme than the one it was registered for',
    look: 'register again; a receiver never falls back to another scheme',
    only: 'webhook',
  },
  signature_header_malformed: {
    steps: '1',
    when: 'Signature-Input, Signature, Content-Digest or a covered header cannot be read in one way only',
    look: 'quotes around strings, one `sig1`, no header twice, one base64 alphabet, a nonce of 16 bytes or more, an ASCII host',
  },
  signature_params_incomplete: {
    steps: '2',
    when: 'created, expires, nonce, keyid, alg or tag is missing',
    look: 'all six are needed',
  },
  signature_tag_invalid: {
    steps: '3',
    when: 'the tag is not the one of the profile',
    look: 'the protocol name, and webhook or request profile',
  },
  signature_alg_not_allowed: {
    steps: '4',
    when: 'the alg is neither `ed25519` nor `ecdsa-p256-sha256`',
    look: 'the names are those of RFC 9421, not EdDSA or ES256',
  },
  signature_window_invalid: {
    steps: '5',
    when: 'it expires before it begins, is valid for over 300 s, begins over 60 s from now or has ended over 60 s ago',
    look: 'the clocks of both machines; sign each attempt afresh',
  },
  signature_components_incomplete: {
    steps: '6',
    when: 'one of the five components is not covered, or a covered header did not come',
    look: 'proxies that drop Content-Digest',
  },
  signature_components_unexpected: {
    steps: '6',
    when: 'a component is covered that may not be',
    look: '`covers_content_digest` of the agent',
    only: 'request',
  },
  signature_key_unknown: {
    steps: '7',
    when: 'no trusted signer publishes a key with this keyid, or a pin leaves it out',
    look: 'the `agents[]` entry with the known URL (slashes at its end aside), its `jwks_uri`, and the pin in adagents.json; the receiver fetches it again after 30 s',
  },
  signature_key_purpose_invalid: {
    steps: '8',
    when: '`use`, `key_ops`, the purpose, or `kty`, `crv` and `alg` of the key do not fit',
    look: 'the published JWK',
  },
  signature_key_revoked: {
    steps: '9',
    when: 'the key is on the operator’s revocation list, or a pin marks it as revoked before',
    look: 'rotate to another key',
  },
  signature_revocation_stale: {
    steps: '9',
    when: 'the operator’s revocation list is too old, or cannot be trusted',
    look: '`/.well-known/governance-revocations.json` of the signer: reachable, renewed, signed by a published key',
  },
  signature_rate_abuse: {
    steps: '9a, 13',
    when: 'the key, or all keys together, hold as many live nonces as they may',
    look: 'a sender that repeats; room comes back as signatures expire',
  },
  signature_invalid: {
    steps: '10',
    when: 'the signature is not of this message by this key',
    look: 'compare the signature bases; raw r‖s and not DER for ECDSA',
  },
  signature_digest_mismatch: {
    steps: '11',
    when: 'Content-Digest is not the sha-256 of the body',
    look: 'something between signer and receiver rewrote the body',
  },
  signature_replayed: {
    steps: '12, 13',
    when: 'the nonce was used before with this key',
    look: 'sign each attempt afresh',
  },
  target_uri_malformed: {
    steps: '10',
    when: 'the URL cannot be brought into its one form, or Host is not its authority',
    look: 'the public URL the receiver is configured with; proxies that rewrite Host',
  },
  body_malformed: {
    steps: '14',
    when: 'the body is not JSON in UTF-8, or an object in it has one key twice',
    look: 'the sender’s serializer; the nonce is used up',
  },
  signature_jwks_unavailable: {
    steps: '7',
    when: 'the caller’s key set cannot be fetched or read now',
    look: 'the `jwks_uri`: reachable, 200, at most 64 KiB; repeat after 5 s',
    only: 'request',
  },
  signature_jwks_untrusted: {
    steps: '7',
    when: 'the `jwks_uri` is no address that keys may be fetched from',
    look: 'an https URL in the `agents[]` entry',
    only: 'request',
  },
  signature_capabilities_unreachable: {
    steps: '7',
    when: 'the caller’s agent does not answer what it can do',
    look: '`get_proto_capabilities` of that agent, without a key; repeat after 5 s',
    only: 'request',
  },
  signature_brand_json_url_missing: {
    steps: '7',
    when: 'the capabilities of the caller’s agent have no `identity.brand_json_url`',
    look: 'it must be an https URL',
    only: 'request',
  },
  signature_brand_json_unreachable: {
    steps: '7',
    when: 'the caller’s brand.json cannot be fetched now',
    look: 'reachable, 200, no redirects, at most 256 KiB; repeat after 5 s',
    only: 'request',
  },
  signature_brand_json_malformed: {
    steps: '7',
    when: 'the caller’s brand.json is no JSON object, or an object in it has one key twice',
    look: 'the document',
    only: 'request',
  },
  signature_brand_json_ambiguous: {
    steps: '7',
    when: 'several entries of `agents[]` have the agent’s URL',
    look: 'leave one',
    only: 'request',
  },
  signature_brand_origin_mismatch: {
    steps: '7',
    when: 'the brand.json is on another registrable domain than the agent, and its `authorized_operators` do not list the agent’s',
    look: 'both domains',
    only: 'request',
  },
  signature_agent_not_in_brand_json: {
    steps: '7',
    when: 'no entry of `agents[]` has the agent’s URL in its canonical form; a slash at its end counts',
    look: 'the URL on file, and the entry',
    only: 'request',
  },
  signature_key_origin_missing: {
    steps: '7',
    when: 'the capabilities of the caller’s agent have no `identity.key_origins.request_signing`',
    look: 'it names the host of the `jwks_uri`',
    only: 'request',
  },
  signature_key_origin_mismatch: {
    steps: '7',
    when: 'the `jwks_uri` is on another host than `identity.key_origins.request_signing`',
    look: 'both hosts',
    only: 'request',
  },
}

const LEGACY_CODES: Record<HmacFailure | BearerFailure, Omit<Row, 'steps' | 'only'>> = {
  webhook_hmac_header_malformed: {
    when: 'one of the two headers is missing, or came twice',
    look: 'both, once each',
  },
  webhook_hmac_timestamp_malformed: {
    when: 'the timestamp is not plain digits',
    look: 'Unix seconds, no fraction',
  },
  webhook_hmac_window_invalid: {
    when: 'the timestamp is over 300 s from now',
    look: 'the clocks of both machines',
  },
  webhook_hmac_invalid: {
    when: 'the signature does not fit',
    look: 'the raw bytes were signed, the secret is used as its literal text, the hex is in lower case',
  },
  webhook_hmac_secret_unusable: {
    when: 'the secret on file is shorter than 32 bytes or one character repeated',
    look: 'register another',
  },
  webhook_body_malformed: {
    when: 'an object of the body has one key twice',
    look: 'the sender’s serializer',
  },
  webhook_bearer_missing: {
    when: 'there is no `Authorization: Bearer`, or more than one',
    look: 'the header',
  },
  webhook_bearer_invalid: { when: 'the token is another one', look: 'the registered credentials' },
}

export function signingCodesPage(): string {
  const failures = Object.entries(SIGNATURE_CODES) as [Failure, Row][]
  const signatures = failures.map(([failure, { steps, when, look, only }]) => {
    const prefixes = only ? [only] : ['webhook', 'request']
    const codes = prefixes.map((prefix) => `\`${prefix}_${failure}\``).join('<br>')
    return `| ${codes} | ${steps} | ${when} | ${look} |`
  })
  const legacy = Object.entries(LEGACY_CODES).map(
    ([code, { when, look }]) => `| \`${code}\` | ${when} | ${look} |`,
  )
  return `# Codes of refused signatures

A receiver answers 401 with \`WWW-Authenticate: Signature error="<code>"\` and nothing else; the detail
is in its log. [signing.md](signing.md) has the steps. This page is generated: \`npm run docs\`.

| code | step | when | what to look at |
|---|---|---|---|
${signatures.join('\n')}

## The legacy schemes

| code | when | what to look at |
|---|---|---|
${legacy.join('\n')}

A sender's own refusals: \`duplicate_key_input\` (the body it was given has one key twice),
\`secret_unusable\`, \`credentials_unusable\`.
`
}
