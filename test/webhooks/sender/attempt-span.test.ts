import { type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { afterEach, expect, test } from 'vitest'
import { inAttemptSpan } from '../../../src/webhooks/sender/attempt-span.ts'
import type { AttemptResult } from '../../../src/webhooks/sender/store.ts'
import { aChannel, aClaim, aResult } from '../../support/sender.ts'

afterEach(() => {
  trace.disable()
})

/** Tracing that remembers what was recorded on a span. */
function recorded() {
  const reported: unknown[] = []
  const span = {
    setAttribute: (name: string, value: unknown) => reported.push([name, value]),
    setStatus: (status: unknown) => reported.push(status),
    end: () => reported.push('end'),
  } as unknown as Span
  const startActiveSpan = (name: string, options: object, run: (span: Span) => unknown) => {
    reported.push({ name, ...options })
    return run(span)
  }
  const tracer = { startActiveSpan } as unknown as Tracer
  trace.setGlobalTracerProvider({ getTracer: () => tracer })
  return reported
}

const claim = aClaim({ channel: aChannel({ url: 'https://buyer.example/hooks?secret=1' }) })

test('spec 6.4: an attempt is one client span, without query and body', async () => {
  const reported = recorded()
  const result = aResult(claim)
  expect(await inAttemptSpan(claim, async () => result)).toBe(result)
  expect(reported).toEqual([
    {
      name: 'deliver webhook',
      kind: SpanKind.CLIENT,
      attributes: {
        'http.request.method': 'POST',
        'http.request.body.size': claim.body.byteLength,
        'url.full': 'https://buyer.example/hooks',
        'webhook.delivery_id': 1,
        'webhook.attempt': 1,
        'webhook.idempotency_key': claim.idempotency_key,
      },
    },
    ['http.response.status_code', 200],
    'end',
  ])
})

test('one that failed is marked with its kind, and one that was cut short only ends', async () => {
  const reported = recorded()
  const error_message = 'the response was not complete in time'
  const late: Partial<AttemptResult> = { status: 'timeout', error_message }
  await inAttemptSpan(claim, async () => aResult(claim, { ...late, http_status_code: undefined }))
  expect(reported.slice(1)).toEqual([
    ['error.type', 'timeout'],
    { code: SpanStatusCode.ERROR, message: error_message },
    'end',
  ])
  await inAttemptSpan(claim, async () => undefined)
  expect(reported.slice(5)).toEqual(['end'])
})
