// Where webhooks are sent, and how healthy it is: an endpoint is a principal's URL without its query.

import { z } from 'zod'
import { pageOf, pageQuery, textFilter, time } from './common.ts'
import { fault } from './deliveries.ts'

/** `failing`: its last attempt failed, and its circuit is not open. */
const ENDPOINT_STATES = ['healthy', 'failing', 'open', 'paused', 'gone', 'unused'] as const

const endpointHealth = z.strictObject({
  /** The number of recent attempts considered, at most 200. */
  attempts: z.number(),
  /** From 0 to 1; missing if there were no attempts. */
  success_share: z.number().optional(),
  p50_ms: z.number().optional(),
  p95_ms: z.number().optional(),
  last_success_at: time.optional(),
  last_attempt_at: time.optional(),
  /** The faults of these attempts, the most frequent first. */
  faults: z.array(z.strictObject({ ...fault.shape, count: z.number(), last_at: time })),
})

const endpointItem = z.strictObject({
  endpoint_id: z.string(),
  url: z.string(),
  principal_id: z.string(),
  principal_name: z.string().optional(),
  state: z.enum(ENDPOINT_STATES),
  health: endpointHealth,
  /** Deliveries that wait for their time, or for the endpoint; counted up to 10 000. */
  waiting: z.number(),
  held: z.number(),
  circuit: z
    .strictObject({ opened_at: time, next_probe_at: time.optional(), failures: z.number() })
    .optional(),
  paused_at: time.optional(),
})
export type EndpointItem = z.infer<typeof endpointItem>

export const endpointsQuery = z.strictObject({
  ...pageQuery,
  /** A part of the URL. */
  q: textFilter.optional(),
  principal_id: textFilter.optional(),
  /** `troubled`: any endpoint that does not respond, is open, or is paused. */
  state: z.enum(['open', 'paused', 'troubled']).optional(),
})
export type EndpointsQuery = z.infer<typeof endpointsQuery>

export const endpointsPage = pageOf(endpointItem)
export type EndpointsPage = z.infer<typeof endpointsPage>

export const endpointDetails = z.strictObject({
  ...endpointItem.shape,
  /** Registrations with this URL, newest first; at most 50. */
  channels: z.array(
    z.strictObject({
      channel_id: z.string(),
      subject: z.string(),
      form: z.string(),
      scheme: z.string(),
      operation_id: z.string().optional(),
      created_at: time,
      /** When its receiver reported that it is gone. */
      gone_at: time.optional(),
    }),
  ),
  limits: z.strictObject({
    /** Concurrent attempts per endpoint, across all instances: the default limit, and the endpoint's own. */
    concurrency: z.number(),
    own_concurrency: z.number().optional(),
    /** The endpoint's own limit: attempts started per second. Without it there is no limit. */
    per_second: z.number().optional(),
    /** Milliseconds for an attempt. */
    timeout_ms: z.number(),
  }),
  may: z.strictObject({ pause: z.boolean(), resume: z.boolean(), test: z.boolean() }),
})
export type EndpointDetails = z.infer<typeof endpointDetails>

export const endpointParams = z.strictObject({ endpoint_id: z.string().min(1).max(2_048) })

export const testEventAnswer = z.strictObject({
  ok: z.literal(true),
  /** The delivery to watch. */
  delivery_id: z.number(),
})
