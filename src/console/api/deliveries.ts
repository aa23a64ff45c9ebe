// Pending webhooks, and the outcome of past ones.

import { z } from 'zod'
import { DELIVERY_STATES } from '../../webhooks/sender/store.ts'
import { pageOf, pageQuery, textFilter, time, timeFilter } from './common.ts'

/**
 * The filters of a list: a state, or one of three common searches. `retrying`: attempted before, and to be retried.
 * `waiting`: not ended. `failed`: ended without having been delivered.
 */
const DELIVERY_STATUS_FILTERS = [...DELIVERY_STATES, 'retrying', 'waiting', 'failed'] as const

const ATTEMPT_STATUSES = ['success', 'failed', 'timeout', 'connection_error', 'pending'] as const

/** What went wrong: a keyword that selects an icon, and a sentence. */
const FAULT_KINDS = [
  'dns',
  'certificate',
  'tls',
  'connection',
  'timeout',
  'refused_address',
  'signature_refused',
  'refused',
  'gone',
  'rate_limited',
  'server_error',
  'redirect',
  'answer',
  'signing',
  'interrupted',
  'other',
] as const

export const fault = z.strictObject({
  kind: z.enum(FAULT_KINDS),
  /** One sentence: what happened. */
  message: z.string(),
  /** One sentence with what would help, if that is known. */
  advice: z.string().optional(),
  /** The code that a receiver sent with its 401. */
  code: z.string().optional(),
})
export type Fault = z.infer<typeof fault>

export const deliveryItem = z.strictObject({
  delivery_id: z.number(),
  state: z.enum(DELIVERY_STATES),
  /** Why it ended so. */
  reason: z.string().optional(),
  /** A task's status, or the kind of a report or notification. */
  notification_type: z.string(),
  sequence_number: z.number().optional(),
  idempotency_key: z.string(),
  /** Without query and fragment. */
  url: z.string(),
  endpoint_id: z.string(),
  principal_id: z.string(),
  principal_name: z.string().optional(),
  subject: z.string(),
  task_id: z.string().optional(),
  operation_id: z.string().optional(),
  media_buy_id: z.string().optional(),
  attempts: z.number(),
  /** The time of the next attempt, if there will be one. */
  next_attempt_at: time.optional(),
  created_at: time,
  ended_at: time.optional(),
  last_status: z.enum(ATTEMPT_STATUSES).optional(),
  last_http_status_code: z.number().optional(),
  /** The fault of the last attempt, if it failed. */
  fault: fault.optional(),
})
export type DeliveryItem = z.infer<typeof deliveryItem>

export const deliveriesQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(DELIVERY_STATUS_FILTERS).optional(),
  /** A URL as the list shows it. */
  endpoint: textFilter.optional(),
  endpoint_id: textFilter.optional(),
  task_id: textFilter.optional(),
  operation_id: textFilter.optional(),
  media_buy_id: textFilter.optional(),
  principal_id: textFilter.optional(),
  idempotency_key: textFilter.optional(),
  /** Created at or after. */
  since: timeFilter.optional(),
  /** Created before. */
  until: timeFilter.optional(),
  /** One search field for users: an id of any of these kinds, a URL, or the number of a delivery. */
  q: textFilter.optional(),
})
export type DeliveriesQuery = z.infer<typeof deliveriesQuery>

export const deliveriesPage = pageOf(deliveryItem)
export type DeliveriesPage = z.infer<typeof deliveriesPage>

export const header = z.strictObject({
  name: z.string(),
  value: z.string(),
  /** The value was a secret, and is not stored. */
  is_hidden: z.boolean().optional(),
})

/** A part of a signature and its meaning. */
export const signaturePart = z.strictObject({
  name: z.string(),
  value: z.string(),
  means: z.string(),
})

const attempt = z.strictObject({
  attempt: z.number(),
  status: z.enum(ATTEMPT_STATUSES),
  fired_at: time,
  completed_at: time.optional(),
  response_time_ms: z.number().optional(),
  http_status_code: z.number().optional(),
  /** The beginning of the response, at most 2 KiB, with secrets removed. */
  response_head: z.string().optional(),
  fault: fault.optional(),
  request: z.strictObject({
    method: z.literal('POST'),
    /** Without query and fragment. */
    url: z.string(),
    /** The headers that were sent; missing when none are stored: nothing was sent, or an older server sent it. */
    headers: z.array(header).optional(),
    /** The parsed signature, if it conforms to RFC 9421. */
    signature: z.array(signaturePart).optional(),
  }),
})
export type Attempt = z.infer<typeof attempt>

export const delivery = z.strictObject({
  ...deliveryItem.shape,
  scheme: z.string().optional(),
  form: z.string().optional(),
  /** When retries end. */
  expires_at: time,
  /** The same in every attempt, except for the token. */
  body: z.strictObject({
    text: z.string(),
    bytes: z.number(),
    /** The token is added when the request is sent and is not displayed here. */
    has_token: z.boolean(),
    is_cut: z.boolean(),
  }),
  /** Oldest first; at most the last 200. */
  history: z.array(attempt),
  may: z.strictObject({ retry: z.boolean(), cancel: z.boolean() }),
})
export type Delivery = z.infer<typeof delivery>

export const deliveryParams = z.strictObject({
  delivery_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
})
