// The possible outcomes of a delivery and their HTTP responses (spec 4.4, 7.3). A peer receives a code and, for
// the checks before and after the signature, also what is accepted; nothing secret.

import { StorageUnavailable } from '../../lib/transaction.ts'
import type { EnvelopeFailure } from './classify.ts'
import type { Reply } from './delivery.ts'
import type { Accepted } from './store.ts'

export type Outcome =
  /** `changed` is reported to its sender as a duplicate: the first copy stays (spec 6.4). */
  | { kind: 'accepted' | 'duplicate' | 'changed' }
  | (Refusal & { kind: 'refused' | 'full' | 'changed' | 'unfinished' })
  | (Refusal & { kind: 'unavailable' | 'failed'; error: unknown })

interface Refusal {
  status: number
  code: string
  message: string
  /** For the operator's log only. */
  detail?: string
  headers?: Record<string, string>
}

/** How long a sender waits before its next attempt: its own first retries are sooner. */
const RETRY_AFTER_SECONDS = { full: '60', unavailable: '5', unfinished: '5' }

/**
 * The response for a key that is already known. `first-wins`: reports it as delivered, whatever the body (spec 6.4).
 * `strict`, as 3.2 requires: another body is rejected, and a copy of a message that is not applied yet must be sent
 * again.
 */
export const DUPLICATE_POLICIES = ['first-wins', 'strict'] as const
export type DuplicatePolicy = (typeof DUPLICATE_POLICIES)[number]

/**
 * The inbox's decision about a message, as reported to the sender. Throws for an outcome that no inbox may return.
 */
export function acknowledged(accepted: Accepted, policy: DuplicatePolicy): Outcome {
  const outcomes = policy === 'strict' ? STRICT : FIRST_WINS
  if (!Object.hasOwn(outcomes, accepted)) {
    throw new TypeError(`the inbox must answer one of ${Object.keys(outcomes).join(', ')}`)
  }
  return outcomes[accepted]
}

const FIRST_WINS: Record<Accepted, Outcome> = {
  new: { kind: 'accepted' },
  duplicate: { kind: 'duplicate' },
  unfinished: { kind: 'duplicate' },
  changed: { kind: 'changed' },
  full: {
    kind: 'full',
    status: 429,
    code: 'sender_quota_full',
    message: 'The limit of stored messages of this sender is reached. Send it again later.',
    headers: { 'retry-after': RETRY_AFTER_SECONDS.full },
  },
}

const STRICT: Record<Accepted, Outcome> = {
  ...FIRST_WINS,
  unfinished: {
    kind: 'unfinished',
    status: 503,
    code: 'duplicate_unfinished',
    message: 'The first copy is still being processed. Send it again later.',
    headers: { 'retry-after': RETRY_AFTER_SECONDS.unfinished },
  },
  changed: {
    kind: 'changed',
    status: 409,
    code: 'idempotency_key_conflict',
    message: 'This idempotency_key was used for another body. Send this one with a new key.',
  },
}

const STATUS = {
  route_unknown: 404,
  method_not_allowed: 405,
  unsupported_content: 415,
  webhook_body_malformed: 400,
  missing_envelope_fields: 400,
  missing_idempotency_key: 400,
  invalid_envelope_status: 400,
} satisfies Record<EnvelopeFailure, number> & Record<string, number>

export function refused(code: keyof typeof STATUS, message: string): Outcome {
  const headers = code === 'method_not_allowed' ? { allow: 'POST' } : {}
  return { kind: 'refused', status: STATUS[code], code, message, headers }
}

export function tooLarge(maxBytes: number): Outcome {
  return {
    kind: 'refused',
    status: 413,
    code: 'payload_too_large',
    message: `The body is larger than ${maxBytes} bytes.`,
  }
}

export function unauthenticated({ code, detail }: { code: string; detail: string }): Outcome {
  return {
    kind: 'refused',
    status: 401,
    code,
    message: 'The webhook could not be authenticated.',
    detail,
    headers: { 'www-authenticate': `Signature error="${code}"` },
  }
}

export function tokenRefused(): Outcome {
  return unauthenticated({
    code: 'webhook_token_invalid',
    detail: 'the token is not the one of the registration',
  })
}

/** For any error thrown by a port: never a success, and the sender should retry. */
export function failed(error: unknown): Outcome {
  const isAway = error instanceof StorageUnavailable
  return {
    kind: isAway ? 'unavailable' : 'failed',
    status: isAway ? 503 : 500,
    code: isAway ? 'storage_unavailable' : 'internal_error',
    message: 'The webhook was not stored. Send it again later.',
    headers: { 'retry-after': RETRY_AFTER_SECONDS.unavailable },
    error,
  }
}

export function replyTo(outcome: Outcome): Reply {
  if (!('code' in outcome)) {
    const status = outcome.kind === 'accepted' ? 'accepted' : 'duplicate'
    return { status: 200, headers: { ...JSON_HEADERS }, body: JSON.stringify({ status }) }
  }
  const { status, code, message, headers } = outcome
  return {
    status,
    headers: { ...JSON_HEADERS, ...headers },
    body: JSON.stringify({ error: { code, message } }),
  }
}

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' }
