// Deliveries that a receiver must accept (spec 4.4, 6.1, 6.2, 6.3): every form and status, and unknown values.

import { randomUUID } from 'node:crypto'
import type { Body, ReceiverContext } from './context.ts'
import { ACCEPTS_VALID, type Delivered } from './rows.ts'

const group = 'accepts'
const right = '2xx'

const iso = (ms: number) => new Date(ms).toISOString()

export const ACCEPTS: readonly Delivered[] = [
  {
    id: ACCEPTS_VALID,
    group,
    right,
    title: 'a valid webhook is acknowledged',
    why: 'the receiver accepts no webhooks, and senders stop after a day of retries',
    fix: 'let the receiver trust the doctor (for adwire receive: --trust with the agent URL that the doctor prints), or give the doctor its --key, --hmac or --bearer; check that a proxy leaves Host, path and body alone',
    send: ({ deliver, envelope }) => deliver(envelope({ result: { ok: true } })),
  },
  row('accepts-working', 'progress is acknowledged', ({ deliver, envelope }) =>
    deliver(envelope({ status: 'working', result: { percentage: 40, current_step: 'drawing' } })),
  ),
  row('accepts-input-required', 'a question is acknowledged', ({ deliver, envelope }) =>
    deliver(envelope({ status: 'input-required', result: { reason: 'APPROVAL_REQUIRED' } })),
  ),
  row('accepts-failed', 'a failure is acknowledged', ({ deliver, envelope }) =>
    deliver(
      envelope({
        status: 'failed',
        result: {
          errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'away', recovery: 'transient' }],
        },
      }),
    ),
  ),
  row('accepts-report', 'a delivery report is acknowledged', ({ deliver, envelope }) =>
    deliver(envelope({ task_type: 'media_buy_delivery', domain: 'media-buy', result: report() })),
  ),
  row('accepts-impairment', 'an impairment is acknowledged', ({ deliver, envelope }) =>
    deliver(
      envelope({
        task_type: 'update_media_buy',
        domain: 'media-buy',
        notification_id: 'impairment-1',
        result: { notification_type: 'impairment', media_buy_id: 'mb-1', health: 'impaired' },
      }),
    ),
  ),
  row('accepts-a2a-task', 'a task in the A2A form is acknowledged', ({ deliver }) =>
    deliver({
      kind: 'task',
      id: `doctor-${randomUUID()}`,
      contextId: randomUUID(),
      status: { state: 'completed', timestamp: iso(Date.now()) },
      artifacts: [{ artifactId: 'result', parts: [{ kind: 'data', data: { ok: true } }] }],
      metadata: { idempotency_key: randomUUID() },
    }),
  ),
  row('accepts-a2a-update', 'a status update in the A2A form is acknowledged', ({ deliver }) =>
    deliver({
      kind: 'status-update',
      taskId: `doctor-${randomUUID()}`,
      contextId: randomUUID(),
      status: { state: 'working', timestamp: iso(Date.now()) },
      final: false,
      metadata: { idempotency_key: randomUUID() },
    }),
  ),
  row('accepts-unknown-members', 'unknown members are ignored', ({ deliver, envelope }) =>
    deliver(envelope({ something_new: { of: ['a', 'later', 'release'] }, ext: { doctor: true } })),
  ),
  row('accepts-charset', 'application/json with its charset is JSON', ({ deliver, envelope }) => {
    const contentType = 'application/json; charset=utf-8'
    return deliver(envelope(), { craft: { contentType }, headers: { 'content-type': contentType } })
  }),
  row('accepts-large', 'a body of 900 000 bytes is taken', ({ deliver, envelope }) =>
    deliver(envelope({ result: { filler: 'x'.repeat(900_000) } })),
  ),
  row(
    'accepts-stale',
    'an older status that comes late is acknowledged',
    async ({ deliver, envelope }) => {
      const task_id = `doctor-${randomUUID()}`
      const now = Date.now()
      const newer = await deliver(envelope({ task_id, status: 'working', timestamp: iso(now) }))
      const older = envelope({ task_id, status: 'working', timestamp: iso(now - 60_000) })
      return newer.status < 300 ? deliver(older) : newer
    },
  ),
  row(
    'accepts-after-end',
    'webhooks after the end of a task are acknowledged',
    async ({ deliver, envelope }) => {
      const task_id = `doctor-${randomUUID()}`
      const ended = await deliver(envelope({ task_id }))
      return ended.status < 300 ? deliver(envelope({ task_id, status: 'working' })) : ended
    },
  ),
  {
    ...row(
      'accepts-ecdsa',
      'a signature by ecdsa-p256-sha256 is accepted',
      async ({ deliver, envelope, scheme }) => {
        const signer = scheme.mode === 'rfc9421' ? scheme.keys.ecdsa : undefined
        return signer ? deliver(envelope(), { craft: { signer } }) : NO_KEYS
      },
    ),
    mode: 'rfc9421',
  },
  {
    ...row(
      'accepts-standard-base64',
      'binary headers in standard base64 are accepted',
      ({ deliver, envelope }) => deliver(envelope(), { craft: { alphabet: 'standard' } }),
    ),
    mode: 'rfc9421',
    why: 'many senders write Signature and Content-Digest so, as RFC 8941 has it',
    fix: 'decode a value that is purely of one alphabet; refuse a mix',
  },
]

/** Why a row cannot run without a set of keys. */
export const NO_KEYS = 'it takes further published keys: leave --key out and give --serve-keys'

function row(
  id: string,
  title: string,
  send: (context: ReceiverContext) => ReturnType<Delivered['send']>,
): Delivered {
  return {
    id,
    title,
    group,
    right,
    send,
    why: 'a sender takes the refusal for its own fault, retries, and the news is lost after a day',
    fix: 'judge only what spec 2.10 requires, acknowledge with 200, and sort out afterwards what it means',
  }
}

function report(): Body {
  const [end, day] = [Date.now(), 86_400_000]
  return {
    notification_type: 'scheduled',
    sequence_number: 1,
    currency: 'USD',
    reporting_period: { start: iso(end - day), end: iso(end) },
    media_buy_deliveries: [
      {
        media_buy_id: 'mb-1',
        status: 'active',
        by_package: [],
        totals: { impressions: 1_000, spend: 12.5, clicks: 7 },
      },
    ],
  }
}
