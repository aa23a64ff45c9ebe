// Answers of the console's API for what a demo does not have: hostile texts, an empty server. Typed by its schemas.

import type { DeliveryItem } from '../../src/console/api/deliveries.ts'
import type { EndpointDetails } from '../../src/console/api/endpoints.ts'
import type { Overview } from '../../src/console/api/overview.ts'
import type { ApprovalItem, Task } from '../../src/console/api/tasks.ts'
import type { VerifyAnswer } from '../../src/console/api/verify.ts'

type Delivery = import('../../src/console/api/deliveries.ts').Delivery

const AT = '2026-11-17T09:00:00.000Z'

/** A text that becomes an element, a request and a script where it is not taken as text. */
export const HOSTILE =
  '</td><img src=/x onerror="window.hacked=1"><script>window.hacked=1</script><u>line</u>'

export const EMPTY_PAGE = { items: [] }

export function deliveryItem(parts: Partial<DeliveryItem> = {}): DeliveryItem {
  return {
    delivery_id: 17,
    state: 'exhausted',
    reason: HOSTILE,
    notification_type: HOSTILE,
    idempotency_key: HOSTILE,
    url: `https://buyer.example/${HOSTILE}`,
    endpoint_id: 'e1',
    principal_id: 'p1',
    principal_name: HOSTILE,
    subject: `task:${HOSTILE}`,
    task_id: HOSTILE,
    operation_id: HOSTILE,
    media_buy_id: HOSTILE,
    attempts: 1,
    created_at: AT,
    ended_at: AT,
    last_status: 'failed',
    fault: { kind: 'refused', message: HOSTILE, advice: HOSTILE, code: HOSTILE },
    ...parts,
  }
}

export function delivery(parts: Partial<Delivery> = {}): Delivery {
  const { fault } = deliveryItem()
  return {
    ...deliveryItem(),
    scheme: HOSTILE,
    form: HOSTILE,
    expires_at: AT,
    body: {
      text: JSON.stringify({ [HOSTILE]: HOSTILE, nested: { list: [HOSTILE] } }),
      bytes: 200,
      has_token: true,
      is_cut: false,
    },
    history: [
      {
        attempt: 1,
        status: 'failed',
        fired_at: AT,
        completed_at: AT,
        response_time_ms: 12,
        http_status_code: 400,
        response_head: HOSTILE,
        fault,
        request: {
          method: 'POST',
          url: `https://buyer.example/${HOSTILE}`,
          headers: [{ name: HOSTILE, value: HOSTILE }],
          signature: [{ name: HOSTILE, value: HOSTILE, means: HOSTILE }],
        },
      },
    ],
    may: { retry: true, cancel: true },
    ...parts,
  }
}

export function endpoint(): EndpointDetails {
  return {
    endpoint_id: 'e1',
    url: `https://buyer.example/${HOSTILE}`,
    principal_id: 'p1',
    principal_name: HOSTILE,
    state: 'open',
    waiting: 2,
    held: 2,
    health: {
      attempts: 20,
      success_share: 0.2,
      p50_ms: 100,
      p95_ms: 900,
      last_attempt_at: AT,
      faults: [
        {
          kind: 'refused',
          message: HOSTILE,
          advice: HOSTILE,
          code: HOSTILE,
          count: 3,
          last_at: AT,
        },
      ],
    },
    circuit: { opened_at: AT, next_probe_at: AT, failures: 5 },
    channels: [
      { channel_id: 'c1', subject: HOSTILE, form: HOSTILE, scheme: HOSTILE, created_at: AT },
    ],
    limits: { concurrency: 4, timeout_ms: 10_000 },
    may: { pause: true, resume: false, test: true },
  }
}

export function approval(): ApprovalItem {
  return {
    task_id: 't1',
    task_type: HOSTILE,
    media_buy_id: HOSTILE,
    principal_id: 'p1',
    principal_name: HOSTILE,
    state: 'waiting',
    reason: HOSTILE,
    note: HOSTILE,
    needed: 2,
    first_by: HOSTILE,
    first_by_name: HOSTILE,
    first_at: AT,
    requested: {
      total_budget: 100,
      currency: HOSTILE,
      product_ids: [HOSTILE],
      start_time: HOSTILE,
      end_time: HOSTILE,
    },
    talk: [{ from: 'buyer', by: HOSTILE, text: HOSTILE, at: AT }],
    created_at: AT,
  }
}

export function task(): Task {
  return {
    task_id: HOSTILE,
    task_type: HOSTILE,
    domain: HOSTILE,
    status: 'failed',
    principal_id: 'p1',
    principal_name: HOSTILE,
    message: HOSTILE,
    progress_percent: 50,
    has_webhook: true,
    created_at: AT,
    updated_at: AT,
    context_id: HOSTILE,
    input_required: { reason: HOSTILE },
    errors: [{ code: HOSTILE, message: HOSTILE }],
    result: { [HOSTILE]: HOSTILE },
    deadline_at: AT,
    tries: 2,
    history: [{ at: AT, type: 'request', data: { [HOSTILE]: [HOSTILE] } }],
    approval: approval(),
    may: { cancel: true, decide: true },
  }
}

export function overview(parts: Partial<Overview> = {}): Overview {
  return {
    at: AT,
    range: '24h',
    level: 'bad',
    notices: [{ level: 'bad', topic: 'endpoints', message: HOSTILE, since: AT }],
    deliveries: {
      bucket_seconds: 1_800,
      buckets: [{ at: AT, delivered: 3, exhausted: 1, cancelled: 0 }],
      delay_ms: { sampled: 3, p50: 10, p95: 20, p99: 30 },
    },
    queue: {
      pending: 1,
      leased: 0,
      held: 2,
      retrying: 1,
      oldest_due_ms: 50,
      open_circuits: 1,
      paused_endpoints: 0,
    },
    reports: { owed: 1, late: 1, given_up: 0 },
    tasks: [{ status: 'failed', count: 2 }],
    approvals: { waiting: 1, oldest: [approval()] },
    latest_failures: [deliveryItem()],
    ...parts,
  }
}

/** Of a server on which nothing has happened. */
export function quietOverview(): Overview {
  return overview({
    level: 'good',
    notices: [],
    tasks: [],
    latest_failures: [],
    deliveries: {
      bucket_seconds: 1_800,
      buckets: [{ at: AT, delivered: 0, exhausted: 0, cancelled: 0 }],
      delay_ms: { sampled: 0 },
    },
    approvals: { waiting: 0, oldest: [] },
  })
}

export function verifyAnswer(): VerifyAnswer {
  return {
    ok: false,
    code: HOSTILE,
    keyid: HOSTILE,
    steps: [{ step: '1', title: HOSTILE, state: 'failed', detail: HOSTILE }],
    message: {
      method: HOSTILE,
      url: HOSTILE,
      body_bytes: 2,
      headers: [{ name: HOSTILE, value: HOSTILE }],
    },
    signature: [{ name: HOSTILE, value: HOSTILE, means: HOSTILE }],
    signature_base: HOSTILE,
    notes: [HOSTILE],
  }
}
