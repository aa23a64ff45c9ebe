// The legacy schemes (spec 5): a shared secret for HMAC-SHA256, or a bearer token.

import { randomBytes } from 'node:crypto'
import type { Changes, ReceiverContext } from './context.ts'
import { craftHeaders } from './craft.ts'
import { strangerOf } from './key-site.ts'
import type { Delivered } from './rows.ts'

const HMAC = 'HMAC-SHA256'
const nowS = () => Math.floor(Date.now() / 1_000)

export const LEGACY: readonly Delivered[] = [
  hmac('hmac-unsigned', 'a webhook without the two headers is refused', ({ names }) => ({
    headers: { [names.signatureHeader]: undefined, [names.timestampHeader]: undefined },
  })),
  hmac('hmac-no-timestamp', 'a signature without its timestamp is refused', ({ names }) => ({
    headers: { [names.timestampHeader]: undefined },
  })),
  hmac('hmac-forged', 'a signature by another secret is refused', ({ names }) => ({
    headers: { [names.signatureHeader]: `sha256=${randomBytes(32).toString('hex')}` },
  })),
  hmac('hmac-old', 'a timestamp of an hour ago is refused', () => ({ at: nowS() - 3_600 })),
  hmac('hmac-future', 'a timestamp in an hour is refused', () => ({ at: nowS() + 3_600 })),
  hmac('hmac-timestamp-text', 'a timestamp that is no number is refused', ({ names }) => ({
    headers: { [names.timestampHeader]: new Date().toISOString() },
  })),
  hmac('hmac-changed-body', 'a body that was changed on the way is refused', ({ envelope }) => ({
    sentBody: Buffer.from(JSON.stringify(envelope())),
  })),
  {
    ...row('hmac-other-scheme', 'a delivery that is signed in another way is refused', HMAC),
    why: 'a sender that can choose the scheme chooses the one it can forge',
    fix: 'let the registration decide which scheme is verified, and no header of the request',
    send: async ({ ask, envelope, url, names }) => {
      const body = Buffer.from(JSON.stringify(envelope()))
      const signer = strangerOf(names)
      return ask('POST', await craftHeaders({ signer, url, tag: names.webhookTag, body }), body)
    },
  },
  bearer('bearer-missing', 'a webhook without the token is refused', () => ({
    headers: { authorization: undefined },
  })),
  bearer('bearer-wrong', 'a webhook with another token is refused', () => ({
    headers: { authorization: `Bearer ${randomBytes(32).toString('base64url')}` },
  })),
]

function row(id: string, title: string, mode: 'HMAC-SHA256' | 'Bearer'): Omit<Delivered, 'send'> {
  return {
    id,
    title,
    mode,
    group: 'legacy',
    right: [401],
    why: 'anyone could send this buyer false campaign updates',
    fix: 'compare in constant time over the raw bytes, within 300 s, and answer 401',
  }
}

type Change = (context: ReceiverContext) => Changes

function hmac(id: string, title: string, changes: Change): Delivered {
  return {
    ...row(id, title, HMAC),
    send: (context) => context.deliver(context.envelope(), changes(context)),
  }
}

function bearer(id: string, title: string, changes: Change): Delivered {
  return {
    ...row(id, title, 'Bearer'),
    send: (context) => context.deliver(context.envelope(), changes(context)),
  }
}
