import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TASK_STATUSES } from '../../../src/protocol/statuses.ts'
import { a2aUpdate } from '../../../src/webhooks/payload/a2a-update.ts'
import { mcpEnvelope } from '../../../src/webhooks/payload/mcp-envelope.ts'
import { classify } from '../../../src/webhooks/receiver/classify.ts'
import { extractPayload } from '../../../src/webhooks/receiver/extract.ts'

function vectorsIn<Vector>(name: string): Vector[] {
  const file = new URL(`../../vectors/webhooks/${name}.json`, import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] }).vectors
}

interface ExtractionVector {
  id: string
  body: unknown
  expected_form?: string
  expected_status?: string | null
  expected_data?: unknown
  expected_failure?: string
}

describe('spec 6.1: form and data of', () => {
  const vectors = vectorsIn<ExtractionVector>('extraction')
  test.each(vectors.map((vector) => [vector.id, vector] as const))('%s', (_id, vector) => {
    const { expected_failure: reason, expected_form: form } = vector
    expect(extractPayload(vector.body)).toEqual(
      reason === undefined
        ? {
            ok: true,
            form,
            status: vector.expected_status ?? undefined,
            data: vector.expected_data,
          }
        : { ok: false, reason },
    )
  })

  test('whatever JSON comes, without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const wrapped = { status: { state: 'completed' }, artifacts: value, task: value }
        for (const body of [value, { task: value }, wrapped]) {
          expect(extractPayload(body)).toHaveProperty('ok')
          expect(classify(body, 'digest')).toHaveProperty('ok')
        }
      }),
    )
  })
})

test('spec 6.1: what the sender builds, in each form, the receiver reads', () => {
  const arbitrary = fc.record({
    status: fc.constantFrom(...TASK_STATUSES),
    result: fc.record({ name: fc.string(), count: fc.integer() }),
    at: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    message: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
  })
  fc.assert(
    fc.property(arbitrary, fc.uuid(), (parts, idempotency_key) => {
      const event = { task_id: 't', task_type: 'build_creative', domain: 'creative', ...parts }
      const to = { idempotency_key, operation_id: 'op', token: undefined }
      const kept = { ok: true, idempotency_key, task_id: 't', operation_id: 'op' }
      for (const form of ['a2a-0.3', 'a2a-1.0'] as const) {
        const body = a2aUpdate(event, to, form)
        const { status, result: data, at: event_at } = parts
        expect(extractPayload(body)).toEqual({ ok: true, form: 'a2a', status, data })
        expect(classify(body, 'd')).toMatchObject({ ...kept, family: 'a2a-task', status, event_at })
      }
      const body = mcpEnvelope(event, to)
      expect(extractPayload(body)).toMatchObject({ ok: true, form: 'mcp', data: parts.result })
      expect(classify(body, 'd')).toMatchObject({ ...kept, family: 'task', event_at: parts.at })
    }),
  )
})

interface ClassificationVector {
  id: string
  body: unknown
  expected: { code?: string; names?: string[] } & Record<string, unknown>
}

describe('spec 6.4: what the inbox keeps of', () => {
  const vectors = vectorsIn<ClassificationVector>('classification')
  test.each(vectors.map((vector) => [vector.id, vector] as const))('%s', (_id, vector) => {
    const { code, names = [], ...kept } = vector.expected
    const classified = classify(vector.body, 'digest')
    if (code !== undefined) {
      expect(classified).toMatchObject({ ok: false, code })
      const { message } = classified as { message: string }
      for (const name of names) expect(message).toContain(name)
      expect(message.length).toBeLessThan(500)
      return
    }
    const none = { task_id: undefined, operation_id: undefined, status: undefined }
    expect(classified).toEqual({ ok: true, ...none, event_at: undefined, ...kept })
  })

  test('an A2A message without a key: task, state, time and bytes make one', () => {
    const keyOf = (changes: object = {}, digest = 'd1', wrap = false) => {
      const task = { id: 't', status: { state: 'working', timestamp: '2026-01-01T00:00:00Z' } }
      const body = { ...task, ...changes }
      const classified = classify(wrap ? { task: body } : body, digest)
      return classified.ok ? classified.idempotency_key : classified.code
    }
    const key = keyOf()
    expect(key).toMatch(/^a2a:[A-Za-z0-9_-]{43}$/)
    expect(keyOf()).toBe(key)
    expect(keyOf({ metadata: { idempotency_key: null } })).toBe(key)
    const others = [
      keyOf({ id: 'u' }),
      keyOf({ status: { state: 'working', timestamp: '2026-01-01T00:00:01Z' } }),
      keyOf({ status: { state: 'working' } }),
      keyOf({ status: { state: 'completed', timestamp: '2026-01-01T00:00:00Z' } }),
      keyOf({}, 'd2'),
    ]
    expect(new Set([key, ...others]).size).toBe(6)
  })
})
