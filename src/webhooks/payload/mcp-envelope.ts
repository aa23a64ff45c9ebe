// The MCP form of a webhook (spec 2.10): the envelope that a push_notification_config receives, whatever transport
// registered it.

import { defined } from '../../lib/defined.ts'
import type { WebhookEnvelope } from '../../protocol/schemas/webhook-envelope.ts'
import { type Addressee, resultOf, type WebhookEvent } from './event.ts'

/** The members are written in this order; members without a value are omitted. */
export function mcpEnvelope(event: WebhookEvent, to: Addressee): WebhookEnvelope {
  const { notification_id, task_id, task_type, domain, status, at, message, context_id } = event
  const { idempotency_key, operation_id, token } = to
  const result = resultOf(event)
  const { context } = event as { context?: Record<string, unknown> }
  return {
    idempotency_key,
    ...defined({ notification_id, operation_id }),
    task_id,
    task_type,
    domain,
    protocol: domain,
    // No webhook has the status `rejected` (spec 3.2): a queued task that is refused has failed.
    status: status === 'rejected' ? 'failed' : status,
    timestamp: new Date(at).toISOString(),
    ...defined({ message, context_id, token, result, context }),
  }
}
