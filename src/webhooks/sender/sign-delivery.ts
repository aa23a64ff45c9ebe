// The headers that secure one attempt, by the scheme of its channel (spec 5). Signed again for every attempt: a nonce
// sent twice is a replay.

import type { Clock } from '../../lib/clock.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Identifiers } from '../../protocol/identifiers.ts'
import type { Signer } from '../../signing/ports.ts'
import { signBearer } from '../schemes/bearer.ts'
import { signHmac } from '../schemes/hmac.ts'
import { signWebhook } from '../schemes/rfc9421.ts'
import { type ChannelSecrets, openSecrets } from './channel-secrets.ts'
import { sentUrlOf } from './endpoint.ts'
import type { Channel, ClaimedDelivery } from './store.ts'
import { fillBody } from './token-slot.ts'

export interface SigningPorts {
  /** The current signing key; read for each attempt. */
  signer: () => Promise<Signer>
  box: SecretBox
  names: Identifiers
  clock: Clock
}

export type SignedDelivery =
  /** `secrets`: values that must not be readable in a stored response. */
  | { ok: true; headers: Record<string, string>; body: Uint8Array; secrets: Secrets }
  /** The reason holds no secret. */
  | { ok: false; reason: string }

type Secrets = readonly (string | undefined)[]

/** Rejects when the signer does. */
export async function signDelivery(
  delivery: Pick<ClaimedDelivery, 'channel' | 'body' | 'token' | 'idempotency_key'>,
  ports: SigningPorts,
): Promise<SignedDelivery> {
  const { channel } = delivery
  const secrets = openSecrets(channel, ports.box)
  if (!secrets.ok) return { ok: false, reason: 'the secrets of the channel cannot be opened' }
  const filled = fillBody({ ...delivery, token: delivery.token }, ports.box)
  if (!filled.ok) return { ok: false, reason: 'the token of the delivery cannot be opened' }
  const { body } = filled
  const signed = await signatureOf(channel, body, { ...ports, secrets })
  if (!signed.ok) return { ok: false, reason: signed.detail }
  const headers = { ...CONTENT, ...signed.headers, ...tokenHeader(delivery, secrets) }
  return { ok: true, headers, body, secrets: [secrets.token, secrets.credentials, filled.token] }
}

const CONTENT = { 'content-type': 'application/json' }

type Signature = { ok: true; headers: object } | { ok: false; detail: string }

async function signatureOf(
  { url, scheme }: Channel,
  body: Uint8Array,
  { secrets, signer, names, clock }: SigningPorts & { secrets: ChannelSecrets },
): Promise<Signature> {
  const now = clock.now() / 1_000
  const { credentials = '' } = secrets
  if (scheme === 'HMAC-SHA256') return signHmac(body, credentials, { names, now })
  if (scheme === 'Bearer') return signBearer(credentials)
  const message = { method: 'POST', url: sentUrlOf(url), headers: CONTENT, body }
  return signWebhook(message, names, { signer: await signer(), now })
}

/** In the envelope the token is in the body; other bodies have no member for it, and A2A receivers expect it here. */
function tokenHeader(
  { token: slot }: Pick<ClaimedDelivery, 'token'>,
  { token }: ChannelSecrets,
): Record<string, string> {
  return slot || token === undefined ? {} : { 'x-a2a-notification-token': token }
}
