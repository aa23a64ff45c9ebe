// Channels, claimed deliveries and results with valid defaults, and a key that verifies.

import { randomUUID } from 'node:crypto'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import { generateKeyPair } from '../../src/signing/keys.ts'
import { localSigner } from '../../src/signing/local-signer.ts'
import { endpointOf } from '../../src/webhooks/sender/endpoint.ts'
import type { AttemptResult, Channel, ClaimedDelivery } from '../../src/webhooks/sender/store.ts'

export const NAMES = identifiersFor('proto')
export const BOX = createSecretBox('a secret of thirty-two characters')
const { keyUse } = NAMES
export const PAIR = generateKeyPair('ed25519', { keyUse, purpose: 'webhook-signing', kid: 'k1' })
export const SIGNER = localSigner(PAIR.privateJwk)
export const START = Date.UTC(2026, 0, 1)

export function aChannel(changes: Partial<Channel> = {}): Channel {
  const url = changes.url ?? 'https://buyer.example/hooks?token=abc'
  return {
    channel_id: randomUUID(),
    owner: 'alice',
    subject: 'task:t1',
    name: 'push',
    form: 'mcp',
    url,
    endpoint: endpointOf(url),
    operation_id: 'op-1',
    scheme: 'rfc9421',
    secrets: undefined,
    paused_at: undefined,
    created_at: START,
    updated_at: START,
    expires_at: undefined,
    ...changes,
  }
}

export function aClaim(changes: Partial<ClaimedDelivery> = {}): ClaimedDelivery {
  const idempotency_key = randomUUID()
  return {
    delivery_id: 1,
    attempt: 1,
    scheduledAttempt: 1,
    idempotency_key,
    body: Buffer.from(JSON.stringify({ idempotency_key, status: 'completed' })),
    channel: aChannel(),
    created_at: START,
    expires_at: START + 24 * 60 * 60 * 1_000,
    claimed_at: START,
    ...changes,
  }
}

export function aResult(
  { delivery_id, attempt, channel }: Pick<ClaimedDelivery, 'delivery_id' | 'attempt' | 'channel'>,
  changes: Partial<AttemptResult> = {},
): AttemptResult {
  return {
    delivery_id,
    attempt,
    owner: channel.owner,
    endpoint: channel.endpoint,
    status: 'success',
    http_status_code: 200,
    response_time_ms: 5,
    error_message: undefined,
    response_head: undefined,
    next: { state: 'delivered' },
    says: 'up',
    isGone: false,
    ...changes,
  }
}
