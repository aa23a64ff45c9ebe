// Deliveries that a receiver must refuse before it trusts their content (spec 5, 7.3): unsigned, forged, stale,
// replayed, or signed for something else. Each has exactly one fault.

import { randomBytes } from 'node:crypto'
import { NO_KEYS } from './accepts.ts'
import type { Changes, ReceiverContext } from './context.ts'
import type { Craft } from './craft.ts'
import type { Delivered } from './rows.ts'

const group = 'refuses'
const right = [401] as const

const HOUR_S = 3_600
const nowS = () => Math.floor(Date.now() / 1_000)

export const REFUSES: readonly Delivered[] = [
  headers('refuses-unsigned', 'a webhook without a signature is refused', () => ({
    'signature-input': undefined,
    signature: undefined,
  })),
  headers('refuses-no-input', 'a signature without Signature-Input is refused', () => ({
    'signature-input': undefined,
  })),
  headers('refuses-forged', 'a signature of other bytes is refused', () => ({
    signature: `sig1=:${randomBytes(64).toString('base64url')}:`,
  })),
  craft('refuses-tag', 'a signature for something else than webhooks is refused', ({ names }) => ({
    tag: names.requestTag,
  })),
  craft('refuses-expired', 'a signature that has expired is refused', () => ({
    created: nowS() - HOUR_S,
  })),
  craft('refuses-future', 'a signature from the future is refused', () => ({
    created: nowS() + HOUR_S,
  })),
  craft(
    'refuses-long-window',
    'a signature that is valid for more than five minutes is refused',
    () => ({ windowSeconds: HOUR_S }),
  ),
  craft('refuses-no-window', 'a signature that expires before it begins is refused', () => ({
    windowSeconds: -1,
  })),
  craft('refuses-no-nonce', 'a signature without a nonce is refused', () => ({ nonce: null })),
  craft('refuses-short-nonce', 'a nonce of less than 16 bytes is refused', () => ({
    nonce: 'AAAAAAAA',
  })),
  craft('refuses-algorithm', 'an algorithm that is not of the profile is refused', () => ({
    alg: 'hmac-sha256',
  })),
  craft(
    'refuses-uncovered-digest',
    'a signature that does not cover the digest is refused',
    () => ({ uncovered: ['content-digest'] }),
  ),
  craft(
    'refuses-uncovered-target',
    'a signature that does not cover the address is refused',
    () => ({ uncovered: ['@target-uri'] }),
  ),
  {
    // A receiver that does not verify at all accepts this, too.
    ...craft('refuses-other-address', 'a signature for another address is refused', () => ({
      url: 'https://elsewhere.example/hook',
    })),
    needs: ['refuses-forged'],
  },
  craft('refuses-mixed-base64', 'binary headers that mix two alphabets are refused', () => ({
    alphabet: 'mixed',
  })),
  key('refuses-unknown-key', 'a key that no agent publishes is refused', 'stranger'),
  key(
    'refuses-other-purpose',
    'a key that is published for something else is refused',
    'otherPurpose',
  ),
  key('refuses-revoked-key', 'a key on the operator’s list of revoked keys is refused', 'revoked'),
  {
    ...refusal('refuses-digest', 'a body that does not fit its digest is refused'),
    send: ({ deliver, envelope }) => {
      const body = envelope({ result: { amount: 1 } })
      const sentBody = Buffer.from(JSON.stringify({ ...body, result: { amount: 9 } }))
      return deliver(body, { sentBody })
    },
  },
  {
    ...refusal('refuses-reserialised', 'a body that was re-serialized in transit is refused'),
    why: 'a receiver that verifies what it parsed, and not the bytes that came, verifies nothing',
    fix: 'keep the raw body: verify its bytes before any parser touches them',
    send: ({ deliver, envelope }) => {
      const body = envelope()
      return deliver(body, { sentBody: Buffer.from(JSON.stringify(body, null, 2)) })
    },
  },
  {
    ...refusal('refuses-replayed', 'the same signed bytes a second time are refused'),
    why: 'anyone who has seen a webhook could replay it while it is valid',
    fix: 'keep (keyid, nonce) for 360 s, for all instances together, and refuse the second',
    send: async ({ prepare, envelope }) => {
      const send = await prepare(envelope())
      const first = await send()
      return first.status < 300 ? send() : 'the first of the two was not acknowledged'
    },
  },
  {
    ...refusal(
      'refuses-two-signatures',
      'a label that appears twice in Signature-Input is refused',
    ),
    send: ({ deliver, envelope, scheme, names }) => {
      if (scheme.mode !== 'rfc9421') return Promise.resolve('it is about signatures')
      // A dictionary with a duplicate label: implementations disagree about which member counts.
      const { keyid } = scheme.keys.main
      const other = `sig1=("@method");created=${nowS()};keyid="${keyid}";tag="${names.webhookTag}"`
      return deliver(envelope(), { inputBefore: other })
    },
  },
  headers(
    'refuses-hmac-headers',
    'the legacy scheme is no way around a signature',
    ({ names }) => ({
      'signature-input': undefined,
      signature: undefined,
      [names.signatureHeader]: `sha256=${randomBytes(32).toString('hex')}`,
      [names.timestampHeader]: String(nowS()),
    }),
  ),
  headers('refuses-bearer', 'a bearer token is no way around a signature', () => ({
    'signature-input': undefined,
    signature: undefined,
    authorization: `Bearer ${randomBytes(32).toString('base64url')}`,
  })),
]

function refusal(id: string, title: string): Omit<Delivered, 'send'> {
  return {
    id,
    title,
    group,
    right,
    mode: 'rfc9421',
    why: 'anyone could send this buyer false campaign updates',
    fix: 'run the verifier’s checklist over the raw bytes, and answer 401 at the first step that fails',
  }
}

function craft(
  id: string,
  title: string,
  changes: (context: ReceiverContext) => Partial<Craft>,
): Delivered {
  return {
    ...refusal(id, title),
    send: (context) => context.deliver(context.envelope(), { craft: changes(context) }),
  }
}

function headers(
  id: string,
  title: string,
  changes: (context: ReceiverContext) => Changes['headers'] & object,
): Delivered {
  return {
    ...refusal(id, title),
    send: (context) => context.deliver(context.envelope(), { headers: changes(context) }),
  }
}

function key(id: string, title: string, which: 'stranger' | 'otherPurpose' | 'revoked'): Delivered {
  return {
    ...refusal(id, title),
    send: async ({ scheme, deliver, envelope }) => {
      const signer = scheme.mode === 'rfc9421' ? scheme.keys[which] : undefined
      return signer ? deliver(envelope(), { craft: { signer } }) : NO_KEYS
    },
  }
}
