// Records an attempt in traces: one client span each, without query, secret or body.

import type { AttemptResult, ClaimedDelivery, Unsent } from './store.ts'

/** A program with tracing has this package; without it, webhooks are sent anyway. */
let api: Promise<typeof import('@opentelemetry/api') | undefined> | undefined

/** Only runs the function unless the surrounding program has set up tracing. */
export async function inAttemptSpan<Result extends AttemptResult | Unsent | undefined>(
  delivery: ClaimedDelivery,
  run: () => Promise<Result>,
): Promise<Result> {
  api ??= import('@opentelemetry/api').catch(() => undefined)
  const tracing = await api
  if (!tracing) return run()
  const { SpanKind, SpanStatusCode, trace } = tracing
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
      // A request that was not sent is not an error of the receiver: its span contains nothing more.
      if (result === undefined || result.status === 'unsent') return result
      const { http_status_code: code, error_message = '' } = result
      if (code !== undefined) span.setAttribute('http.response.status_code', code)
      if (result.status !== 'success') {
        span.setAttribute('error.type', code === undefined ? result.status : String(code))
        span.setStatus({ code: SpanStatusCode.ERROR, message: error_message })
      }
      return result
    } finally {
      span.end()
    }
  })
}
