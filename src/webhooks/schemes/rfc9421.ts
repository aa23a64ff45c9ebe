// The default scheme of webhooks, for sender and receiver (spec 5): the RFC 9421 profile under the names of the
// protocol in use.

import { describeKeys, parseStrictJson } from '../../lib/strict-json.ts'
import type { Identifiers } from '../../protocol/identifiers.ts'
import type { HttpMessage } from '../../signing/ports.ts'
import { webhookProfile } from '../../signing/profile.ts'
import { type SignOptions, type SignResult, signMessage } from '../../signing/sign.ts'
import {
  type Refused,
  type Verified,
  type VerifyOptions,
  verifyMessage,
} from '../../signing/verify.ts'

export type WebhookNames = Pick<Identifiers, 'webhookTag' | 'keyUse' | 'signatureHeader'>

export type WebhookSigned = SignResult | { ok: false; code: 'duplicate_key_input'; detail: string }

/** Rejects a body that receivers could parse differently; the sent bytes must be its bytes. */
export async function signWebhook(
  message: HttpMessage,
  names: WebhookNames,
  options: Omit<SignOptions, 'profile'>,
): Promise<WebhookSigned> {
  const read = parseStrictJson(message.body)
  if (!read.ok && read.reason === 'duplicate_keys') {
    const detail = `an object of the body has the same key twice: ${describeKeys(read.keys)}`
    return { ok: false, code: 'duplicate_key_input', detail }
  }
  return signMessage(message, { ...options, profile: profileOf(names) })
}

export interface WebhookVerifyOptions extends Omit<VerifyOptions, 'profile' | 'legacyHeaders'> {
  /** Whether keys for signing requests may sign webhooks too. Default true. */
  acceptRequestKeys?: boolean
}

export function verifyWebhook(
  message: HttpMessage,
  names: WebhookNames,
  { acceptRequestKeys = true, ...options }: WebhookVerifyOptions,
): Promise<Verified | Refused> {
  return verifyMessage(message, {
    ...options,
    profile: profileOf(names, acceptRequestKeys),
    legacyHeaders: [names.signatureHeader],
  })
}

function profileOf({ webhookTag, keyUse }: WebhookNames, acceptRequestKeys = true) {
  return webhookProfile({ tag: webhookTag, keyUse }, { acceptRequestKeys })
}
