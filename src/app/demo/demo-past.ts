// The last day of the demo's buyer, hour by hour: one receiver that was always healthy, one that was slow now and
// then, and one that refused signatures for half a day.

import { namedUuid } from '../../lib/named-uuid.ts'
import type { PastAttempt, PastDelivery } from '../../storage/stores/outbox/past.ts'
import type { Channel } from '../../webhooks/sender/store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const EVERY_MS = 5 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const KEYS = 'adwire demo deliveries'

export function demoPast(channels: readonly Channel[], now: number): PastDelivery[] {
  const of = (name: string) => channels.find(({ subject }) => subject === `demo:${name}:1`)
  const [well, busy, strict] = [of('well'), of('busy'), of('strict')]
  const past: PastDelivery[] = []
  for (let n = 0; n < DAY_MS / EVERY_MS; n++) {
    const at = now - DAY_MS + n * EVERY_MS
    if (well) past.push(arrived({ channel: well, at, n }, 60 + ((n * 37) % 240)))
    if (busy && n % 3 === 0 && now - at > 2 * HOUR_MS)
      past.push(arrivedLate({ channel: busy, at, n }))
    if (strict && n % 24 === 5 && now - at > 10 * HOUR_MS)
      past.push(abandoned({ channel: strict, at, n }))
  }
  return past
}

interface PastEvent {
  channel: Channel
  at: number
  /** Counts the events of the day. */
  n: number
}

type Outcome = Omit<PastAttempt, 'fired_at' | 'completed_at'>

const SUCCESS: Outcome = {
  status: 'success',
  http_status_code: 200,
  error_message: null,
  fault: null,
  response_head: '{"answer":"thank you"}',
}

const BUSY: Outcome = {
  status: 'failed',
  http_status_code: 503,
  error_message: 'the receiver answered 503',
  fault: null,
  response_head: '{"answer":"the queue of this receiver is full"}',
}

const CODE = 'webhook_signature_key_unknown'
const REFUSED: Outcome = {
  status: 'failed',
  http_status_code: 401,
  fault: CODE,
  error_message: `the receiver answered 401: ${CODE}`,
  response_head: '{"answer":"this receiver does not know the key"}',
}

function arrived(event: PastEvent, ms: number): PastDelivery {
  const { at } = event
  const attempts = [{ ...SUCCESS, fired_at: at + 5, completed_at: at + 5 + ms }]
  return { ...common(event), state: 'delivered', reason: null, attempts }
}

function arrivedLate(event: PastEvent): PastDelivery {
  const { at, n } = event
  const first = { ...BUSY, fired_at: at + 5, completed_at: at + 95 }
  const firedAt = at + 30_000 + (n % 7) * 4_000
  const second = { ...SUCCESS, fired_at: firedAt, completed_at: firedAt + 310 }
  const attempts =
    n % 2 === 0 ? [first, second] : [{ ...second, fired_at: at + 5, completed_at: at + 480 }]
  return { ...common(event), state: 'delivered', reason: null, attempts }
}

/** Minutes after the event: a shortened version of the retry schedule. */
const TRIES = [0, 1, 5, 20, 60] as const

function abandoned(event: PastEvent): PastDelivery {
  const attempts: PastAttempt[] = TRIES.map((minutes) => {
    const fired_at = event.at + minutes * MINUTE_MS
    return { ...REFUSED, fired_at, completed_at: fired_at + 70 }
  })
  const reason = 'the last attempt failed'
  return { ...common(event), state: 'exhausted', reason, attempts }
}

function common({ channel, at: created_at, n }: PastEvent) {
  const { owner, subject, operation_id = '' } = channel
  const idempotency_key = namedUuid(`${KEYS} ${owner} ${subject} ${n}`)
  const envelope = {
    idempotency_key,
    operation_id,
    task_id: `task_demo_${n}`,
    task_type: 'build_creative',
    domain: 'creative',
    protocol: 'creative',
    status: 'completed',
    timestamp: new Date(created_at).toISOString(),
    message: 'a creative of the demo is ready',
  }
  return {
    channel,
    created_at,
    operation_id,
    idempotency_key,
    notification_type: 'completed',
    body: Buffer.from(JSON.stringify(envelope)),
  }
}
