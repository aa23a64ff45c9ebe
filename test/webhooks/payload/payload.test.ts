import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  receivedA2aWebhook,
  webhookEnvelope,
} from '../../../src/protocol/schemas/webhook-envelope.ts'
import { TASK_STATUSES } from '../../../src/protocol/statuses.ts'
import { a2aUpdate } from '../../../src/webhooks/payload/a2a-update.ts'
import type { WebhookEvent } from '../../../src/webhooks/payload/event.ts'
import { mcpEnvelope } from '../../../src/webhooks/payload/mcp-envelope.ts'

const TO = {
  idempotency_key: '0e4ff7d0-2d34-4c1c-8a0c-3a7bb4a6a111',
  operation_id: 'op-1',
  token: 'a token of the buyer',
}
const CONTEXT = { trace: [1, { z: null }], 'ä"\n': '\u2028' }

function anEvent(changes: Partial<WebhookEvent> = {}): WebhookEvent {
  return {
    task_id: 't1',
    task_type: 'build_creative',
    domain: 'creative',
    status: 'completed',
    at: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
    message: 'Done.',
    result: { creative_manifest: { format_id: 'x' } },
    context: CONTEXT,
    context_id: 'c1',
    ...changes,
  }
}

describe('spec 2.10: the MCP envelope', () => {
  test('has its members in one order', () => {
    const text = JSON.stringify(mcpEnvelope(anEvent({ notification_id: 'n1' }), TO))
    expect(Object.keys(JSON.parse(text))).toEqual([
      'idempotency_key',
      'notification_id',
      'operation_id',
      'task_id',
      'task_type',
      'domain',
      'protocol',
      'status',
      'timestamp',
      'message',
      'context_id',
      'token',
      'result',
      'context',
    ])
    expect(JSON.parse(text)).toMatchObject({
      ...TO,
      protocol: 'creative',
      timestamp: '2026-01-02T03:04:05.006Z',
      context: CONTEXT,
    })
  })

  test('leaves out what there is not, and invents nothing', () => {
    const { task_id, task_type, domain, status, at } = anEvent()
    const to = { ...TO, operation_id: undefined, token: undefined }
    expect(mcpEnvelope({ task_id, task_type, domain, status, at }, to)).toEqual({
      idempotency_key: TO.idempotency_key,
      task_id,
      task_type,
      domain,
      protocol: domain,
      status,
      timestamp: '2026-01-02T03:04:05.006Z',
    })
  })

  test.each(TASK_STATUSES)('of %s fits the schema of what is sent', (status) => {
    const envelope = mcpEnvelope(anEvent({ status }), TO)
    expect(webhookEnvelope.safeParse(envelope).success).toBe(true)
    expect(envelope.status).toBe(status === 'rejected' ? 'failed' : status)
  })

  test('spec 3.2: submitted without a result is acknowledged with the minimum, canceled with none', () => {
    const submitted = mcpEnvelope(anEvent({ status: 'submitted', result: undefined }), TO)
    expect(submitted.result).toEqual({ status: 'submitted', task_id: 't1' })
    const canceled = mcpEnvelope(anEvent({ status: 'canceled', result: undefined }), TO)
    expect(canceled).not.toHaveProperty('result')
  })

  test('spec 6.1: context comes out as it went in, whatever it holds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (dictionary) => {
        const context = JSON.parse(JSON.stringify(dictionary))
        const sent = JSON.parse(JSON.stringify(mcpEnvelope(anEvent({ context }), TO)))
        expect(sent.context).toEqual(context)
        const bare = JSON.parse(JSON.stringify(a2aUpdate(anEvent({ context }), TO, 'a2a-0.3')))
        expect(bare.metadata.context).toEqual(context)
      }),
    )
  })
})

/** Reads as receivers do (spec 6.1): the last data part of a final status, the first of another. */
function read(payload: object): { state: string; data: unknown } {
  const { task, statusUpdate } = payload as Record<string, unknown>
  const inner = receivedA2aWebhook.parse(task ?? statusUpdate ?? payload)
  const state = inner.status.state.replace('TASK_STATE_', '').toLowerCase().replace('_', '-')
  const hasData = (part: { data?: unknown }) => typeof part.data === 'object' && part.data !== null
  const isFinal = ['completed', 'failed', 'canceled', 'rejected'].includes(state)
  const data = isFinal
    ? inner.artifacts?.[0]?.parts.findLast(hasData)?.data
    : inner.status.message?.parts.find(hasData)?.data
  return { state, data }
}

describe('spec 6.1: the A2A form', () => {
  test.each(
    TASK_STATUSES.flatMap((status) => [
      { status, form: 'a2a-0.3' as const },
      { status, form: 'a2a-1.0' as const },
    ]),
  )('of $status in $form is read as what it was', ({ status, form }) => {
    const result = { percentage: 40 }
    expect(read(a2aUpdate(anEvent({ status, result }), TO, form))).toEqual({
      state: status,
      data: result,
    })
  })

  test('in 0.3 a change is a bare status update with kinds', () => {
    const { idempotency_key } = TO
    expect(a2aUpdate(anEvent({ status: 'input-required' }), TO, 'a2a-0.3')).toEqual({
      kind: 'status-update',
      taskId: 't1',
      contextId: 'c1',
      status: {
        state: 'input-required',
        message: {
          kind: 'message',
          role: 'agent',
          messageId: idempotency_key,
          taskId: 't1',
          contextId: 'c1',
          parts: [
            { kind: 'text', text: 'Done.' },
            { kind: 'data', data: anEvent().result },
          ],
        },
        timestamp: '2026-01-02T03:04:05.006Z',
      },
      metadata: { idempotency_key, operation_id: 'op-1', context: CONTEXT },
      final: false,
    })
  })

  test('in 1.0 the end is a wrapped task without kinds', () => {
    const { idempotency_key } = TO
    const payload = a2aUpdate(anEvent({ message: undefined }), TO, 'a2a-1.0')
    expect(payload).toEqual({
      task: {
        id: 't1',
        contextId: 'c1',
        status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-02T03:04:05.006Z' },
        artifacts: [
          {
            artifactId: 'result',
            name: 'build_creative',
            parts: [{ data: anEvent().result, mediaType: 'application/json' }],
          },
        ],
        metadata: { idempotency_key, operation_id: 'op-1', context: CONTEXT },
      },
    })
    expect(JSON.stringify(payload)).not.toContain('"kind"')
  })

  test('the token of the registration is not in the body', () => {
    for (const form of ['a2a-0.3', 'a2a-1.0'] as const) {
      expect(JSON.stringify(a2aUpdate(anEvent(), TO, form))).not.toContain(TO.token)
    }
  })

  test('without an operation_id, a context and a result there are no members for them', () => {
    const event = anEvent({ status: 'canceled', context: undefined, result: undefined })
    const payload = a2aUpdate(event, { ...TO, operation_id: undefined }, 'a2a-0.3')
    expect(payload).not.toHaveProperty('artifacts')
    expect(payload).toMatchObject({ kind: 'task' })
    const { metadata } = payload as { metadata: object }
    expect(metadata).toEqual({ idempotency_key: TO.idempotency_key })
  })
})
