import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StorageUnavailable } from '../../../src/lib/transaction.ts'
import { memoryReplayStore } from '../../../src/signing/replay.ts'
import { createReceive } from '../../../src/webhooks/receiver/receive.ts'
import { routesByName } from '../../../src/webhooks/receiver/routes.ts'
import {
  BEARER,
  bytes,
  codeOf,
  envelope,
  JSON_TYPE,
  NAMES,
  receiving,
  SECRET,
  SELLER,
  TOKEN,
} from './receive-harness.ts'

describe('spec 4.4: a webhook that is in order', () => {
  test('is stored byte for byte under its sender, and acknowledged', async () => {
    const { inbox, sign, send, events } = receiving()
    const body = bytes(`{ "idempotency_key": "key-0123456789abcdef",\n  "task_id": "t1",
      "task_type": "build_creative", "operation_id": "op-7", "status": "working",
      "timestamp": "2026-01-01T01:00:00.5+01:00" }`)
    const reply = await send({ headers: await sign(body), body })
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe('application/json')
    expect(JSON.parse(reply.body)).toEqual({ status: 'accepted' })
    expect(inbox.kept).toMatchObject([
      {
        sender: SELLER,
        idempotency_key: 'key-0123456789abcdef',
        route: 'signed',
        family: 'task',
        task_id: 't1',
        operation_id: 'op-7',
        status: 'working',
        event_at: Date.UTC(2026, 0, 1, 0, 0, 0, 500),
      },
    ])
    expect(Buffer.compare(inbox.kept[0]!.body, body)).toBe(0)
    expect(events).toEqual([
      {
        route: 'signed',
        outcome: 'accepted',
        status: 200,
        sender: SELLER,
        task_id: 't1',
        idempotency_key: 'key-0123456789abcdef',
      },
    ])
  })

  test('is known again under its key, and the first copy stays (spec 6.4)', async () => {
    const { inbox, deliver, events } = receiving()
    const first = envelope()
    expect((await deliver(first)).status).toBe(200)
    const again = await deliver(first)
    expect([again.status, JSON.parse(again.body)]).toEqual([200, { status: 'duplicate' }])
    const changed = await deliver({ ...first, result: { media_buy_id: 'mb-2' } })
    expect([changed.status, JSON.parse(changed.body)]).toEqual([200, { status: 'duplicate' }])
    expect(inbox.kept.map(({ body }) => JSON.parse(Buffer.from(body).toString()))).toEqual([first])
    expect(events.map(({ outcome }) => outcome)).toEqual(['accepted', 'duplicate', 'changed'])
  })

  test('spec 6.4: is the same when it says the same in another order', async () => {
    const { deliver, events } = receiving()
    const first = envelope()
    await deliver(first)
    await deliver(Object.fromEntries(Object.entries(first).reverse()))
    expect(events.map(({ outcome }) => outcome)).toEqual(['accepted', 'duplicate'])
  })

  test('3.2: where duplicates are checked strictly, is 503 in work, 200 once applied, 409 with another body', async () => {
    const { inbox, deliver, events } = receiving({ duplicates: 'strict' })
    const first = envelope()
    const other = { ...first, result: { media_buy_id: 'mb-2' } }
    expect((await deliver(first)).status).toBe(200)
    const inWork = await deliver(first)
    expect([inWork.status, inWork.headers['retry-after']]).toEqual([503, '5'])
    expect(JSON.parse(inWork.body)).toMatchObject({ error: { code: 'duplicate_unfinished' } })
    inbox.applyAll()
    expect((await deliver(first)).status).toBe(200)
    const conflict = await deliver(other)
    expect([conflict.status, JSON.parse(conflict.body).error.code]).toEqual([
      409,
      'idempotency_key_conflict',
    ])
    expect((await deliver(first)).status).toBe(200)
    expect(inbox.kept).toHaveLength(1)
    expect(events.map(({ outcome }) => outcome)).toEqual([
      'accepted',
      'unfinished',
      'duplicate',
      'changed',
      'duplicate',
    ])
  })

  test('may lack operation_id, which an unversioned registration need not have', async () => {
    const { deliver, inbox } = receiving()
    const { operation_id: _, ...rest } = envelope()
    expect((await deliver(rest)).status).toBe(200)
    expect(inbox.kept[0]!.operation_id).toBeUndefined()
  })

  test('may have null for what it leaves out', async () => {
    const { deliver } = receiving()
    const body = envelope({ operation_id: null, message: null, context: null, token: null })
    expect((await deliver(body)).status).toBe(200)
  })
})

describe('spec 5: the sender', () => {
  test('is the binding of the credential in the legacy schemes', async () => {
    const { inbox, send, signLegacy } = receiving()
    const body = bytes(envelope())
    await send({ route: 'hmac', headers: signLegacy(body), body })
    await send({ route: 'hmac-bound', headers: signLegacy(body), body })
    const authorization = `Bearer ${BEARER}`
    await send({ route: 'bearer', headers: { ...JSON_TYPE, authorization }, body })
    expect(inbox.kept.map(({ sender }) => sender)).toEqual(['hmac:hmac', SELLER, 'bearer:bearer'])
  })

  test('has one keyspace while it moves from HMAC to RFC 9421', async () => {
    const { inbox, send, signLegacy, deliver } = receiving()
    const body = bytes(envelope())
    await send({ route: 'hmac-bound', headers: signLegacy(body), body })
    const again = await deliver(body.toString())
    expect(JSON.parse(again.body)).toEqual({ status: 'duplicate' })
    expect(inbox.kept).toHaveLength(1)
  })

  test('is not what the payload says: equal keys of two senders are two messages', async () => {
    const { inbox, send, signLegacy, deliver } = receiving()
    const body = bytes(envelope({ sender: 'hmac:hmac', agent_url: 'https://other.example' }))
    await deliver(body.toString())
    await send({ route: 'hmac', headers: signLegacy(body), body })
    expect(inbox.kept.map(({ sender }) => sender)).toEqual([SELLER, 'hmac:hmac'])
  })
})

describe('spec 5: what is not authenticated is a 401 with its code', () => {
  const bad = (authorization: string) => ({ ...JSON_TYPE, authorization })
  test.each([
    ['signed', JSON_TYPE, 'webhook_signature_header_malformed'],
    ['signed', { ...JSON_TYPE, 'X-Proto-Signature': 'sha256=00' }, 'webhook_mode_mismatch'],
    ['signed', bad(`Bearer ${BEARER}`), 'webhook_mode_mismatch'],
    ['hmac', JSON_TYPE, 'webhook_hmac_header_malformed'],
    ['hmac', { ...JSON_TYPE, Signature: 'sig1=:AA:' }, 'webhook_mode_mismatch'],
    ['bearer', JSON_TYPE, 'webhook_bearer_missing'],
    ['bearer', bad(`Bearer ${BEARER}x`), 'webhook_bearer_invalid'],
  ])('on the route %s with %o', async (route, headers, code) => {
    const { send, inbox, events } = receiving()
    const reply = await send({ route, headers, body: bytes(envelope()) })
    expect([reply.status, codeOf(reply)]).toEqual([401, code])
    expect(reply.headers['www-authenticate']).toBe(`Signature error="${code}"`)
    expect(inbox.kept).toEqual([])
    expect(events).toMatchObject([{ outcome: 'refused', code, status: 401, route }])
  })

  test('a nonce that was seen, a stale signature, another seller, another body', async () => {
    const { send, sign, clock } = receiving()
    const body = bytes(envelope())
    const headers = await sign(body)
    await send({ headers, body })
    expect(codeOf(await send({ headers, body }))).toBe('webhook_signature_replayed')
    const altered = bytes(envelope())
    expect(codeOf(await send({ headers: await sign(body), body: altered }))).toBe(
      'webhook_signature_digest_mismatch',
    )
    const route = 'other-seller'
    const url = `https://buyer.example/hooks/${route}`
    expect(codeOf(await send({ route, headers: await sign(body, url), body }))).toBe(
      'webhook_signature_key_unknown',
    )
    const old = await sign(body)
    clock.advance(600_000)
    expect(codeOf(await send({ headers: old, body }))).toBe('webhook_signature_window_invalid')
  })

  test('signed headers that came twice are not silently joined', async () => {
    const { send, sign } = receiving()
    const body = bytes(envelope())
    const pairs = Object.entries(await sign(body)).flat()
    const twice = [...pairs, 'Content-Digest', 'sha-256=:AAAA:']
    expect((await send({ headers: twice, body })).status).toBe(401)
    expect((await send({ headers: pairs, body })).status).toBe(200)
  })

  test('the token of the registration, which A2A carries in a header', async () => {
    const { deliver, send, sign } = receiving()
    const route = 'with-token'
    const wrong = [
      envelope(),
      envelope({ token: `${TOKEN}x` }),
      envelope({ token: 7 }),
      envelope({ token: [TOKEN] }),
    ]
    for (const body of wrong) {
      const reply = await deliver(body, route)
      expect([reply.status, codeOf(reply)]).toEqual([401, 'webhook_token_invalid'])
    }
    expect((await deliver(envelope({ token: TOKEN }), route)).status).toBe(200)

    const body = bytes({ id: 't', token: TOKEN, status: { state: 'working' } })
    const url = `https://buyer.example/hooks/${route}`
    const headers = async () => ({ ...(await sign(body, url)) })
    expect((await send({ route, headers: await headers(), body })).status).toBe(401)
    const withToken = { ...(await headers()), 'X-A2A-Notification-Token': TOKEN }
    expect((await send({ route, headers: withToken, body })).status).toBe(200)
  })

  test('nothing secret is said', async () => {
    const { send, events } = receiving()
    const replies = [
      await send({ route: 'bearer', headers: bad(`Bearer ${BEARER}x`), body: bytes(envelope()) }),
      await send({ route: 'hmac', headers: bad('Basic Zm9v'), body: bytes(envelope()) }),
    ]
    for (const secret of [BEARER, SECRET]) {
      expect(JSON.stringify([replies, events])).not.toContain(secret)
    }
  })
})

describe('what cannot be stored is never acknowledged', () => {
  test('spec 7.3: 429 for a full sender, while its duplicates are 200', async () => {
    const { deliver, events } = receiving({ maxPerSender: 1 })
    const first = envelope()
    await deliver(first)
    const full = await deliver(envelope())
    expect([full.status, codeOf(full)]).toEqual([429, 'sender_quota_full'])
    expect(Number(full.headers['retry-after'])).toBeGreaterThan(0)
    expect((await deliver(first)).status).toBe(200)
    expect(events.map(({ outcome }) => outcome)).toEqual(['accepted', 'full', 'duplicate'])
  })

  test('503 while the inbox is away; the retry, signed again, is stored', async () => {
    const { deliver, inbox, events } = receiving()
    const body = envelope()
    inbox.setAway(true)
    const away = await deliver(body)
    expect([away.status, codeOf(away)]).toEqual([503, 'storage_unavailable'])
    expect(Number(away.headers['retry-after'])).toBeGreaterThan(0)
    inbox.setAway(false)
    expect(JSON.parse((await deliver(body)).body)).toEqual({ status: 'accepted' })
    expect(events[0]!.error).toBeInstanceOf(StorageUnavailable)
  })

  test('503 while the nonces are away, and while the routes are', async () => {
    const away = () => Promise.reject(new StorageUnavailable('away'))
    const replay = { ...memoryReplayStore({ clock: { now: () => 0 } }), insert: away }
    expect((await receiving({ replay }).deliver(envelope())).status).toBe(503)
    expect((await receiving({ routes: away }).deliver(envelope())).status).toBe(503)
  })

  test('500 for what no one expects, without its words', async () => {
    const accept = () => Promise.reject(new Error('column "secret" does not exist'))
    const { deliver, events } = receiving({ inbox: { accept } })
    const reply = await deliver(envelope())
    expect([reply.status, codeOf(reply)]).toEqual([500, 'internal_error'])
    expect(reply.body).not.toContain('secret')
    expect(events).toMatchObject([{ outcome: 'failed', status: 500, sender: SELLER }])
  })

  test('a listener that throws takes no acknowledgement back', async () => {
    const onEvent = () => {
      throw new Error('metrics are down')
    }
    expect((await receiving({ onEvent }).deliver(envelope())).status).toBe(200)
  })
})

test('what comes at the same time shares a transaction, and each gets its own answer', async () => {
  const sizes: number[] = []
  const { inbox, deliver } = receiving({
    inbox: {
      accept: (messages, limits) => {
        sizes.push(messages.length)
        return inbox.accept(messages, limits)
      },
    },
  })
  const same = envelope()
  const bodies = [...Array.from({ length: 30 }, () => envelope()), same, same]
  const replies = await Promise.all(bodies.map((body) => deliver(body)))
  expect(replies.map(({ status }) => status)).toEqual(bodies.map(() => 200))
  expect(replies.filter(({ body }) => body.includes('duplicate'))).toHaveLength(1)
  expect(inbox.kept).toHaveLength(31)
  expect(sizes.length).toBeLessThan(32)
})

describe('spec 4.4: of several faults the first check answers', () => {
  const FAULTS = {
    route: 404,
    method: 405,
    size: 413,
    content: 415,
    mode: 401,
    signature: 401,
    envelope: 400,
    token: 401,
    full: 429,
  } as const
  type Fault = keyof typeof FAULTS
  const ORDER = Object.keys(FAULTS) as Fault[]
  const CODES: Partial<Record<Fault, string>> = {
    mode: 'webhook_mode_mismatch',
    signature: 'webhook_signature_invalid',
    token: 'webhook_token_invalid',
  }

  test('whatever faults come together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(ORDER), async (faults) => {
        const has = (fault: Fault) => faults.includes(fault)
        const { sign, send, inbox } = receiving(has('full') ? { maxPerSender: 0 } : {})
        const token = has('token') ? {} : { token: TOKEN }
        const status = has('envelope') ? { status: 'done' } : {}
        const body = bytes(envelope({ ...token, ...status }))
        const url = 'https://buyer.example/hooks/with-token'
        const signed: Record<string, string> = await sign(body, url)
        if (has('signature')) signed.Signature = `sig1=:${'A'.repeat(86)}:`
        const legacy = { ...JSON_TYPE, [NAMES.signatureHeader]: 'sha256=00' }
        const reply = await send({
          route: has('route') ? 'nowhere' : 'with-token',
          method: has('method') ? 'PUT' : 'POST',
          url,
          headers: {
            ...(has('mode') ? legacy : signed),
            ...(has('content') ? { 'content-type': 'text/plain' } : {}),
          },
          body: has('size') ? 'too-large' : body,
        })
        const first = ORDER.find(has)
        expect(reply.status).toBe(first ? FAULTS[first] : 200)
        if (first && CODES[first]) expect(codeOf(reply)).toBe(CODES[first])
        expect(inbox.kept).toHaveLength(first ? 0 : 1)
      }),
      { numRuns: 300 },
    )
  })

  test('spec 6.4: a duplicate is 2xx before the sender can be full', async () => {
    const { deliver, inbox } = receiving({ maxPerSender: 2 })
    const bodies = [envelope(), envelope()]
    for (const body of [...bodies, ...bodies]) expect((await deliver(body)).status).toBe(200)
    expect(inbox.kept).toHaveLength(2)
  })

  test('405 says which method is taken', async () => {
    const reply = await receiving().send({ method: 'GET' })
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST'])
  })
})

test('a route that third parties name does not reach logs and metrics', async () => {
  const { send, events } = receiving()
  await send({ route: 'constructor' })
  expect(events).toMatchObject([{ route: undefined, code: 'route_unknown', status: 404 }])
})

test.each([
  [
    [{ name: 'a', mode: 'rfc9421' } as const, { name: 'a', mode: 'rfc9421' } as const],
    /used twice/,
  ],
  [[{ name: 'a', mode: 'HMAC-SHA256', secret: 'short' } as const], /shorter than 32/],
  [[{ name: 'a', mode: 'Bearer', credentials: 'short' } as const], /shorter than 32/],
  [[{ name: 'a', mode: 'rfc9421', token: '' } as const], /token is empty/],
  [[{ name: '', mode: 'rfc9421' } as const], /name is empty/],
  [[{ name: 'a', mode: 'Bearer', credentials: BEARER, sender: '' } as const], /sender is empty/],
])('spec 5: routes that protect nothing are not served: %j', (routes, words) => {
  expect(() => routesByName(routes)).toThrow(words)
  expect(() => createReceive({ routes } as unknown as Parameters<typeof createReceive>[0])).toThrow(
    TypeError,
  )
})
