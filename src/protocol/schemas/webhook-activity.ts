// One attempt to deliver a webhook, as the buyer may see it (spec 2.12): a closed object, without
// query, secret, body or stack trace.

import { z } from 'zod'
import { atLeastOne, count, ext, idempotencyKey, isoTime, opaqueId } from './common.ts'

export const ATTEMPT_STATUSES = [
  'success',
  'failed',
  'timeout',
  'connection_error',
  'pending',
] as const

export const webhookActivity = z.strictObject({
  idempotency_key: idempotencyKey.describe('The key in the webhook’s body.'),
  subscriber_id: opaqueId.optional().describe('Whose channel, when the account has several.'),
  fired_at: isoTime.describe('When the attempt began.'),
  completed_at: isoTime.nullable().optional().describe('When it ended; null while pending.'),
  notification_type: z.string().describe('What kind of event it was.'),
  sequence_number: count.optional().describe('Place in its stream, where the kind has one.'),
  attempt: atLeastOne.describe('Which attempt, from 1.'),
  status: z.enum(ATTEMPT_STATUSES).describe('How it ended.'),
  url: z.string().describe('The receiver, without query and fragment.'),
  http_status_code: z.int().min(100).max(599).nullable().optional().describe('Its answer, if any.'),
  response_time_ms: count.nullable().optional().describe('How long the answer took.'),
  payload_size_bytes: count.optional().describe('Size of the body.'),
  error_message: z.string().max(500).nullable().optional().describe('The failure, classified.'),
  ext: ext.optional(),
})
export type WebhookActivity = z.infer<typeof webhookActivity>
