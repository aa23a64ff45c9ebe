import { describe, expect, test } from 'vitest'
import {
  BEARER,
  bytes,
  codeOf,
  envelope,
  JSON_TYPE,
  messageOf,
  receiving,
} from './receive-harness.ts'

const MIB = 1_048_576

describe('spec 7.3: content that is not plain JSON is a 415', () => {
  test.each([
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/jsonp' }],
    [{ 'content-type': 'application/problem+json' }],
    [{ 'content-type': 'application/json, text/plain' }],
    [{ 'content-type': ['application/json', 'application/json'] }],
    [{ 'content-type': '' }],
    [{ 'content-type': 'application/json; charset=utf-16' }],
    [{ ...JSON_TYPE, 'content-encoding': 'gzip' }],
    [{ ...JSON_TYPE, 'Content-Encoding': 'identity, br' }],
    [{}],
  ])('%o', async (headers) => {
    const { send } = receiving()
    const reply = await send({ headers, body: bytes(envelope()) })
    expect([reply.status, codeOf(reply)]).toEqual([415, 'unsupported_content'])
  })

  test.each([
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'Application/JSON;charset="UTF-8"; v=1' },
    { ...JSON_TYPE, 'content-encoding': 'identity' },
  ])('%o is plain JSON', async (headers) => {
    const { send, signLegacy } = receiving()
    const body = bytes(envelope())
    const reply = await send({ route: 'hmac', headers: { ...signLegacy(body), ...headers }, body })
    expect(reply.status).toBe(200)
  })
})

describe('spec 2.10: an envelope that lacks something is a 400 that names it', () => {
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(envelope()).filter(([name]) => !names.includes(name)))
  test.each([
    [without('task_id'), 'missing_envelope_fields', 'task_id'],
    [without('task_type', 'timestamp'), 'missing_envelope_fields', 'task_type, timestamp'],
    [without('status'), 'missing_envelope_fields', 'status'],
    [without('task_id', 'idempotency_key'), 'missing_envelope_fields', 'idempotency_key'],
    [without('idempotency_key'), 'missing_idempotency_key', 'idempotency_key'],
    [envelope({ idempotency_key: 'short' }), 'missing_idempotency_key', '16 to 255'],
    [envelope({ idempotency_key: 'with space 0123456789' }), 'missing_idempotency_key', 'key'],
    [envelope({ timestamp: '2026-01-01T00:00:00' }), 'missing_envelope_fields', 'its offset'],
    [envelope({ timestamp: 1_767_225_600 }), 'missing_envelope_fields', 'timestamp'],
    [envelope({ task_id: '' }), 'missing_envelope_fields', 'task_id'],
    [envelope({ task_id: 'a\0b' }), 'missing_envelope_fields', 'task_id'],
    [envelope({ operation_id: 'x'.repeat(256) }), 'missing_envelope_fields', 'operation_id'],
    [envelope({ operation_id: 'half \ud800' }), 'missing_envelope_fields', 'operation_id'],
    [envelope({ status: 'cancelled' }), 'invalid_envelope_status', 'canceled'],
    [envelope({ status: 'done' }), 'invalid_envelope_status', 'status'],
    [[], 'missing_envelope_fields', 'task_id, task_type, status, timestamp, idempotency_key'],
    ['null', 'missing_envelope_fields', 'task_id'],
    [{ message: { parts: [{ text: 'hello' }] } }, 'missing_envelope_fields', 'status'],
    [{ id: 't', status: { state: 'done' } }, 'invalid_envelope_status', 'status.state'],
    [{ status: { state: 'working' } }, 'missing_envelope_fields', 'id'],
  ])('%j', async (body, code, words) => {
    const { deliver, inbox } = receiving()
    const reply = await deliver(body)
    expect([reply.status, codeOf(reply)]).toEqual([400, code])
    expect(messageOf(reply)).toContain(words)
    expect(reply.headers['www-authenticate']).toBeUndefined()
    expect(inbox.kept).toEqual([])
  })
})

describe('spec 5: the exact bytes, or a clear refusal', () => {
  const good = bytes(envelope())
  const broken: [string, Buffer, string][] = [
    [
      'a byte order mark',
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), good]),
      'byte order mark',
    ],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0x22, 0x7d])]),
      'UTF-8',
    ],
    ['two values', Buffer.concat([good, good]), 'not JSON'],
    ['nothing', Buffer.alloc(0), 'not JSON'],
    ['a hole without end', Buffer.from('['.repeat(300) + ']'.repeat(300)), 'deeply'],
  ]

  test.each(broken)('%s is refused under each scheme', async (_what, body, words) => {
    const { send, sign, signLegacy, inbox } = receiving()
    const signed = await send({ headers: await sign(body), body })
    expect([signed.status, codeOf(signed)]).toEqual([401, 'webhook_body_malformed'])
    const authorization = `Bearer ${BEARER}`
    for (const reply of [
      await send({ route: 'hmac', headers: signLegacy(body), body }),
      await send({ route: 'bearer', headers: { ...JSON_TYPE, authorization }, body }),
    ]) {
      expect([reply.status, codeOf(reply)]).toEqual([400, 'webhook_body_malformed'])
      expect(messageOf(reply)).toContain(words)
    }
    expect(inbox.kept).toEqual([])
  })

  test('a key twice, at any depth, is refused where nothing is signed as well', async () => {
    const { send, inbox } = receiving()
    const body = Buffer.from(good.toString().replace('{"media', '{"media_buy_id":"x","media'))
    const authorization = `Bearer ${BEARER}`
    const reply = await send({ route: 'bearer', headers: { ...JSON_TYPE, authorization }, body })
    expect([reply.status, codeOf(reply)]).toEqual([400, 'webhook_body_malformed'])
    expect(inbox.kept).toEqual([])
  })

  test('a body that was written again on its way does not fit its signature', async () => {
    const { send, sign, signLegacy } = receiving()
    const body = Buffer.from(JSON.stringify(JSON.parse(good.toString()), null, 1))
    expect((await send({ headers: await sign(good), body })).status).toBe(401)
    expect((await send({ route: 'hmac', headers: signLegacy(good), body })).status).toBe(401)
  })

  test('spec 8: a body of 1 MiB is taken, one byte more is a 413', async () => {
    const { send, sign, inbox } = receiving()
    const sized = (size: number) => {
      const short = bytes(envelope({ message: '' })).byteLength
      return bytes(envelope({ message: 'x'.repeat(size - short) }))
    }
    for (const [size, status] of [
      [MIB - 1, 200],
      [MIB, 200],
      [MIB + 1, 413],
    ] as const) {
      const body = sized(size)
      expect(body.byteLength).toBe(size)
      expect((await send({ headers: await sign(body), body })).status).toBe(status)
    }
    expect(inbox.kept).toHaveLength(2)
    const unread = await send({ body: 'too-large' })
    expect([unread.status, codeOf(unread)]).toEqual([413, 'payload_too_large'])
  })
})
