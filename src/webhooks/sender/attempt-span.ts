// Shows an attempt in traces: one client span each, without query, secret or body.

import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { AttemptResult, ClaimedDelivery } from './store.ts'

/** Does nothing but run unless the program around it has set up tracing. */
export function inAttemptSpan<Result extends AttemptResult | undefined>(
  delivery: ClaimedDelivery,
  run: () => Promise<Result>,
): Promise<Result> {
  const { channel, delivery_id, attempt, idempotency_key, body } = delivery
  const attributes = {
    'http.request.method': 'POST',
    'http.request.body.size': body.byteLength,
    'url.full': channel.endpoint,
    'webhook.delivery_id': delivery_id,
    'webhook.attempt': attempt,
    'webhook.idempotency_key': idempotency_key,
  }
  const options = { kind: SpanKind.CLIENT, attributes }
  return trace.getTracer('adwire').startActiveSpan('deliver webhook', options, async (span) => {
    try {
      const result = await run()
      const code = result?.http_status_code
      if (code !== undefined) span.setAttribute('http.response.status_code', code)
      if (result && result.status !== 'success') {
        span.setAttribute('error.type', code === undefined ? result.status : String(code))
        span.setStatus({ code: SpanStatusCode.ERROR, message: result.error_message ?? '' })
      }
      return result
    } finally {
      span.end()
    }
  })
}
