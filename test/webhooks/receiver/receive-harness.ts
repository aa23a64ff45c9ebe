// A receiver with the inbox in memory, and a seller whose signatures it trusts.

import { randomUUID } from 'node:crypto'
import { identifiersFor } from '../../../src/protocol/identifiers.ts'
import { localSigner } from '../../../src/signing/local-signer.ts'
import { memoryReplayStore } from '../../../src/signing/replay.ts'
import { type Delivery, MAX_BODY_BYTES } from '../../../src/webhooks/receiver/delivery.ts'
import {
  createReceive,
  type ReceiveEvent,
  type ReceiveOptions,
} from '../../../src/webhooks/receiver/receive.ts'
import type { Route } from '../../../src/webhooks/receiver/routes.ts'
import { signHmac } from '../../../src/webhooks/schemes/hmac.ts'
import { signWebhook } from '../../../src/webhooks/schemes/rfc9421.ts'
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts'
import { memoryInbox } from '../../support/memory-inbox.ts'
import { keyPair } from '../../support/seller-site.ts'

export const NAMES = identifiersFor('proto')
export const SELLER = 'https://seller.example/mcp'
export const SECRET = 'c0ffee00c0ffee00c0ffee00c0ffee01'
export const BEARER = 'a-bearer-token-of-more-than-32-characters'
export const TOKEN = 'token-of-the-registration'
export const JSON_TYPE = { 'content-type': 'application/json' }

const pair = keyPair('k1')
const signer = localSigner(pair.privateJwk)

const ROUTES: readonly Route[] = [
  { name: 'signed', mode: 'rfc9421' },
  { name: 'other-seller', mode: 'rfc9421', seller: 'https://other.example/mcp' },
  { name: 'with-token', mode: 'rfc9421', token: TOKEN },
  { name: 'hmac', mode: 'HMAC-SHA256', secret: SECRET },
  { name: 'hmac-bound', mode: 'HMAC-SHA256', secret: SECRET, sender: SELLER },
  { name: 'bearer', mode: 'Bearer', credentials: BEARER },
]

export function envelope(changes: object = {}): Record<string, unknown> {
  return {
    idempotency_key: randomUUID(),
    operation_id: 'op-1',
    task_id: 'task-1',
    task_type: 'create_media_buy',
    status: 'completed',
    timestamp: '2026-01-01T00:00:00Z',
    result: { media_buy_id: 'mb-1' },
    ...changes,
  }
}

export const bytes = (body: unknown): Buffer =>
  Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))

export interface ReceivingOptions extends Partial<Omit<ReceiveOptions, 'clock'>> {
  maxPerSender?: number
  clock?: FakeClock
}

export function receiving(options: ReceivingOptions = {}) {
  const { maxPerSender = 1_000, clock = fakeClock(), ...changes } = options
  const inbox = memoryInbox()
  const events: ReceiveEvent[] = []
  const receive = createReceive({
    routes: ROUTES,
    inbox,
    limits: { maxPerSender, maxBytesPerSender: 1e9, retentionMs: 86_400_000 },
    names: NAMES,
    keys: {
      find: async (keyid, { seller } = {}) =>
        keyid === 'k1' && (seller ?? SELLER) === SELLER
          ? { jwk: pair.publicJwk, signer: SELLER }
          : undefined,
    },
    checkRevocation: () => 'current',
    replay: memoryReplayStore({ clock }),
    onEvent: (event) => events.push(event),
    clock,
    ...changes,
  })
  const now = () => Math.floor(clock.now() / 1_000)

  /** The headers of a seller that signs a body, by RFC 9421. */
  const sign = async (body: Buffer, url = `https://buyer.example/hooks/signed`) => {
    const message = { method: 'POST', url, headers: JSON_TYPE, body }
    const signed = await signWebhook(message, NAMES, { signer, now: now() })
    if (!signed.ok) throw new Error(signed.detail)
    return { ...JSON_TYPE, ...signed.headers }
  }
  const signLegacy = (body: Buffer) => {
    const signed = signHmac(body, SECRET, { names: NAMES, now: now() })
    if (!signed.ok) throw new Error(signed.detail)
    return { ...JSON_TYPE, ...signed.headers }
  }
  const send = (changes: Partial<Delivery>) =>
    receive({
      route: 'signed',
      method: 'POST',
      url: `https://buyer.example/hooks/${changes.route ?? 'signed'}`,
      headers: JSON_TYPE,
      body: Buffer.alloc(0),
      ...changes,
    })

  return {
    clock,
    inbox,
    events,
    receive,
    sign,
    signLegacy,
    send,
    /** Signs and sends, by RFC 9421. */
    deliver: async (body: unknown, route = 'signed') => {
      const raw = bytes(body)
      const headers = await sign(raw, `https://buyer.example/hooks/${route}`)
      return send({ route, headers, body: raw })
    },
    receiver: { receive, maxBodyBytes: MAX_BODY_BYTES },
  }
}

export const codeOf = ({ body }: { body: string }): string | undefined =>
  (JSON.parse(body) as { error?: { code: string } }).error?.code

export const messageOf = ({ body }: { body: string }): string =>
  (JSON.parse(body) as { error: { message: string } }).error.message
