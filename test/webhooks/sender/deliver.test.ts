import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { memoryReplayStore } from '../../../src/signing/replay.ts'
import { verifyBearer } from '../../../src/webhooks/schemes/bearer.ts'
import { verifyHmac } from '../../../src/webhooks/schemes/hmac.ts'
import { verifyWebhook } from '../../../src/webhooks/schemes/rfc9421.ts'
import { sealSecrets } from '../../../src/webhooks/sender/channel-secrets.ts'
import {
  createDeliver,
  type Deliver,
  type DeliverPorts,
} from '../../../src/webhooks/sender/deliver.ts'
import type { AttemptResult, Channel } from '../../../src/webhooks/sender/store.ts'
import { writeBody } from '../../../src/webhooks/sender/token-slot.ts'
import { httpServer, loopbackEgress, tcpServer, testEgress } from '../../lib/safe-fetch/loopback.ts'
import {
  refusedEmbeddedIpv6,
  refusedIpv4Host,
  refusedIpv6,
} from '../../lib/safe-fetch/spellings.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { aChannel, aClaim, BOX, NAMES, PAIR, SIGNER, START } from '../../support/sender.ts'

const CREDENTIALS = 'c0ffee00c0ffee00c0ffee00c0ffee01'
const TOKEN = 'a-token-of-the-buyer'
const NEVER = new AbortController().signal
const clock = fakeClock(START)

interface Seen {
  method: string | undefined
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A receiver that keeps what it saw and then answers. */
async function receiver(answer: RequestListener = (_request, response) => response.end('ok')) {
  const seen: Seen[] = []
  const server = await httpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, headers, url } = request
    seen.push({ method, headers, url: `http://${headers.host}${url}`, body: Buffer.concat(chunks) })
    answer(request, response)
  })
  return { server, seen }
}

function deliverWith(ports: Partial<DeliverPorts> = {}) {
  const faults: unknown[] = []
  const deliver = createDeliver({
    signer: async () => SIGNER,
    box: BOX,
    names: NAMES,
    clock,
    egress: ports.egress ?? loopbackEgress(),
    random: () => 0.5,
    onFault: (error) => faults.push(error),
    ...ports,
  })
  return { deliver, faults }
}

const secretsFor = (channel: Partial<Channel> = {}) =>
  sealSecrets(aChannel(channel), { token: TOKEN, credentials: CREDENTIALS }, BOX)

/** Of an attempt that was made. */
function resultOf(made: Awaited<ReturnType<Deliver>>): AttemptResult | undefined {
  if (made?.status === 'unsent') throw new Error('nothing was sent')
  return made
}

const attempt = async (channel: Partial<Channel>, ports: Partial<DeliverPorts> = {}) =>
  resultOf(await deliverWith(ports).deliver(aClaim({ channel: aChannel(channel) }), NEVER))

const verified = (message: Seen, replay = memoryReplayStore({ clock })) =>
  verifyWebhook({ ...message, method: message.method ?? '' }, NAMES, {
    now: START / 1_000,
    findKey: () => ({ jwk: PAIR.publicJwk, signer: 'https://seller.example/mcp' }),
    checkRevocation: () => 'current',
    replay,
  })

describe('spec 5: what a receiver sees', () => {
  test('is one POST of the exact bytes that verifies, and each attempt has a fresh nonce', async () => {
    const { server, seen } = await receiver()
    const { deliver } = deliverWith()
    const url = server.url('/hooks/a%7eb/../c?x=1&y=%20"#part')
    const claim = aClaim({
      channel: aChannel({ url }),
      body: Buffer.from('{"b":1, "a":"ä\\u00e4"}'),
    })
    const first = await deliver(claim, NEVER)
    await deliver({ ...claim, attempt: 2 }, NEVER)
    expect(first).toMatchObject({
      delivery_id: 1,
      attempt: 1,
      endpoint: server.url('/hooks/c'),
      status: 'success',
      http_status_code: 200,
      response_time_ms: expect.any(Number),
      error_message: undefined,
      response_head: 'ok',
      next: { state: 'delivered' },
      says: 'up',
      isGone: false,
    })
    expect(seen).toHaveLength(2)
    const replay = memoryReplayStore({ clock })
    for (const message of seen) {
      expect(message.method).toBe('POST')
      expect(message.headers['content-type']).toBe('application/json')
      expect(message.body).toEqual(claim.body)
      const verdict = await verified(message, replay)
      expect(verdict).toMatchObject({ ok: true, keyid: 'k1' })
      expect(verdict.ok && verdict.expires - verdict.created).toBeLessThanOrEqual(300)
    }
    expect(await verified(seen[0]!, replay)).toMatchObject({ ok: false })
  })

  test('the key is requested at each attempt', async () => {
    const { server, seen } = await receiver()
    let kid = 'old'
    const { deliver } = deliverWith({ signer: async () => ({ ...SIGNER, keyid: kid }) })
    const claim = aClaim({ channel: aChannel({ url: server.url() }) })
    await deliver(claim, NEVER)
    kid = 'new'
    await deliver(claim, NEVER)
    expect(
      seen.map(({ headers }) => /keyid="(\w+)"/.exec(String(headers['signature-input']))?.[1]),
    ).toEqual(['old', 'new'])
  })

  test('legacy HMAC: the two headers, and no signature beside them', async () => {
    const { server, seen } = await receiver()
    const scheme = 'HMAC-SHA256'
    await attempt({ url: server.url(), scheme, secrets: secretsFor() })
    const [message] = seen
    const options = { names: NAMES, now: START / 1_000 }
    expect(verifyHmac(message!, { current: CREDENTIALS }, options)).toEqual({ ok: true })
    expect(message?.headers).not.toHaveProperty('signature')
    expect(message?.headers).not.toHaveProperty('authorization')
  })

  test('legacy Bearer: the token, and no signature beside it', async () => {
    const { server, seen } = await receiver()
    const sent = await attempt({ url: server.url(), scheme: 'Bearer', secrets: secretsFor() })
    // What is kept of the request has a place for the secret, and not the secret.
    expect(Object.values(sent?.request_headers ?? {})).toContain(null)
    expect(JSON.stringify(sent)).not.toContain(CREDENTIALS)
    const [message] = seen
    expect(verifyBearer(message!.headers, CREDENTIALS)).toEqual({ ok: true })
    expect(message?.headers).not.toHaveProperty('signature')
    expect(message?.headers).not.toHaveProperty('x-proto-signature')
  })

  test.each([
    ['mcp', undefined],
    ['a2a-0.3', TOKEN],
    ['a2a-1.0', TOKEN],
  ] as const)('in the form %s the token’s header is %s', async (form, token) => {
    const { server, seen } = await receiver()
    const channel = aChannel({ url: server.url(), form, secrets: secretsFor() })
    const idempotency_key = randomUUID()
    const envelope = (slot: string | undefined) => JSON.stringify({ idempotency_key, token: slot })
    const update = () => JSON.stringify({ kind: 'task' })
    const writeWith = form === 'mcp' ? envelope : update
    const body = writeBody(writeWith, TOKEN, { idempotency_key, box: BOX })
    const { deliver } = deliverWith()
    await deliver(aClaim({ channel, idempotency_key, ...body }), NEVER)
    expect(seen[0]?.headers['x-a2a-notification-token']).toBe(token)
    expect(await verified(seen[0]!)).toMatchObject({ ok: true })
  })

  test('a body that has no place for the token has it in the header, whatever its channel', async () => {
    const { server, seen } = await receiver()
    await attempt({ url: server.url(), form: 'mcp', secrets: secretsFor() })
    expect(seen[0]?.headers['x-a2a-notification-token']).toBe(TOKEN)
  })
})

describe('spec 6.4: answers', () => {
  test.each([
    [204, 'success', 'delivered'],
    [302, 'failed', 'exhausted'],
    [400, 'failed', 'exhausted'],
    [401, 'failed', 'pending'],
    [404, 'failed', 'exhausted'],
    [409, 'failed', 'exhausted'],
    [410, 'failed', 'exhausted'],
    [413, 'failed', 'exhausted'],
    [429, 'failed', 'pending'],
    [500, 'failed', 'pending'],
    [503, 'failed', 'pending'],
  ])('%i is recorded as %s and the delivery is %s', async (code, status, state) => {
    const { server, seen } = await receiver((_request, response) => {
      response.writeHead(code, { location: '/elsewhere' }).end()
    })
    const result = await attempt({ url: server.url() })
    expect(result).toMatchObject({ status, http_status_code: code, next: { state } })
    expect(result?.isGone).toBe(code === 410)
    expect(seen).toHaveLength(1)
  })

  test('a redirect gets no byte', async () => {
    const target = await receiver()
    const { server } = await receiver((_request, response) => {
      response.writeHead(307, { location: target.server.url() }).end()
    })
    await attempt({ url: server.url() })
    expect(target.server.connectionCount()).toBe(0)
  })

  test('Retry-After moves the next attempt', async () => {
    const { server } = await receiver((_request, response) => {
      response.writeHead(429, { 'retry-after': '90' }).end()
    })
    const result = await attempt({ url: server.url() })
    expect(result?.next).toEqual({ state: 'pending', inMs: 90_000 })
  })

  test('the horizon is checked against the database’s time, whatever this machine’s clock says', async () => {
    const { server } = await receiver((_request, response) => {
      response.writeHead(503).end()
    })
    const { deliver } = deliverWith({ clock: fakeClock(START + 30 * 24 * 3_600_000) })
    const claim = aClaim({ channel: aChannel({ url: server.url() }) })
    expect(await deliver(claim, NEVER)).toMatchObject({ next: { state: 'pending' } })
    const late = { ...claim, claimed_at: claim.expires_at - 500 }
    expect(await deliver(late, NEVER)).toMatchObject({ next: { state: 'exhausted' } })
  })

  test('an invalid status is not returned as a status', async () => {
    const server = await tcpServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n'))
    })
    expect(await attempt({ url: server.url() })).toMatchObject({
      status: 'failed',
      http_status_code: undefined,
      error_message: 'the receiver answered 999',
      next: { state: 'pending' },
      says: 'down',
    })
  })

  test('spec 5: a 401 says which check failed, when the receiver reports it in the known form', async () => {
    let challenge = 'Signature error="webhook_signature_key_unknown"'
    const { server } = await receiver((_request, response) => {
      response.writeHead(401, { 'www-authenticate': challenge }).end()
    })
    const { deliver } = deliverWith()
    const claim = aClaim({ channel: aChannel({ url: server.url() }) })
    const message = async () => resultOf(await deliver(claim, NEVER))?.error_message
    expect(await message()).toBe('the receiver answered 401: webhook_signature_key_unknown')
    expect(resultOf(await deliver(claim, NEVER))).toMatchObject({
      fault: 'webhook_signature_key_unknown',
    })
    challenge = 'Signature error=<script>'
    expect(await message()).toBe('the receiver answered 401')
  })
})

describe('spec 2.12: what is kept of an answer', () => {
  const headOf = async (body: Buffer | string, headers: Record<string, string> = {}) => {
    const { server } = await receiver((_request, response) => {
      response.writeHead(500, headers).end(body)
    })
    const channel = { url: server.url(), scheme: 'Bearer' as const, secrets: secretsFor() }
    return (await attempt(channel))?.response_head
  }

  test('is at most 2 KiB, cut between two characters', async () => {
    expect(await headOf('x'.repeat(5_000))).toBe('x'.repeat(2_048))
    expect(await headOf('€'.repeat(5_000))).toBe('€'.repeat(682))
    expect(await headOf('')).toBeUndefined()
  })

  test('is printable', async () => {
    expect(await headOf('a\u0000b\r\n\u001b[31mc\u202ed\u2028e')).toBe('a?b???[31mc?d?e')
    expect(await headOf(Buffer.from([0x61, 0xff, 0xc3]))).toBe('a??')
  })

  test('does not repeat our secrets', async () => {
    const head = await headOf(`Bearer ${CREDENTIALS} and ${TOKEN}`)
    expect(head).toBe('Bearer [redacted] and [redacted]')
    const atTheCut = await headOf(`${'x'.repeat(2_030)}${CREDENTIALS}`)
    expect(atTheCut).not.toContain('c0ffee')
  })

  test('may be undecodable: the status is what counts', async () => {
    const { server } = await receiver((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')
    })
    expect(await attempt({ url: server.url() })).toMatchObject({ status: 'success' })
  })

  test('for any bytes fits in 2 KiB and comes back from UTF-8 unchanged', async () => {
    const { responseHead } = await import('../../../src/webhooks/sender/response-head.ts')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 9_000 }), (bytes) => {
        const head = responseHead(bytes, []) ?? ''
        expect(Buffer.byteLength(head)).toBeLessThanOrEqual(2_048)
        expect(Buffer.from(head).toString()).toBe(head)
        expect(head).not.toMatch(/[\p{Cc}\ufffd]/u)
      }),
    )
  })
})

describe('faults of receivers: each ends in time and has its status', () => {
  const quickly = { timeoutMs: 300 }

  test('refuses the connection', async () => {
    const server = await tcpServer(() => {})
    const { port } = server
    const url = `http://127.0.0.2:${port}/`
    const result = await attempt({ url })
    expect(result).toMatchObject({ status: 'connection_error', says: 'down' })
    expect(result?.error_message).toBe('no connection was accepted')
  })

  test('resets the connection', async () => {
    const server = await tcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    const result = await attempt({ url: server.url() })
    expect(result).toMatchObject({ status: 'connection_error', http_status_code: undefined })
  })

  test('hangs before its headers', async () => {
    const server = await tcpServer(() => {})
    const result = await attempt({ url: server.url() }, quickly)
    expect(result).toMatchObject({ status: 'timeout', http_status_code: undefined, says: 'down' })
    expect(result?.response_time_ms).toBeLessThan(5_000)
  })

  test('sends a byte at a time for ever', async () => {
    const { server } = await receiver((_request, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    })
    expect(await attempt({ url: server.url() }, quickly)).toMatchObject({ status: 'timeout' })
  })

  test('sends a body without end', async () => {
    const { server } = await receiver((_request, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x'))) {}
      }
      response.on('drain', write)
      write()
    })
    const result = await attempt({ url: server.url() })
    expect(result).toMatchObject({ status: 'success', response_head: 'x'.repeat(2_048) })
  })

  test('sends a gzip bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'))
    const { server } = await receiver((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    const result = await attempt({ url: server.url() })
    expect(result).toMatchObject({ status: 'success', response_head: 'a'.repeat(2_048) })
  })

  test('sends headers of 10 MB', async () => {
    const server = await tcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      socket.write(`x-a: ${'b'.repeat(1_000)}\r\n`.repeat(10_000))
    })
    const result = await attempt({ url: server.url() })
    expect(result).toMatchObject({ status: 'connection_error', http_status_code: undefined })
  })

  test('speaks no HTTP', async () => {
    const server = await tcpServer((socket) => socket.once('data', () => socket.end('SSH-2.0\r\n')))
    expect(await attempt({ url: server.url() })).toMatchObject({ status: 'connection_error' })
  })
})

describe('faults of our own', () => {
  test('without a key the delivery is tried again and says nothing of the receiver', async () => {
    const { server } = await receiver()
    const { deliver, faults } = deliverWith({
      signer: () => Promise.reject(new Error('no key is for webhook-signing')),
    })
    const result = await deliver(aClaim({ channel: aChannel({ url: server.url() }) }), NEVER)
    expect(result).toMatchObject({
      status: 'failed',
      http_status_code: undefined,
      error_message: 'the delivery could not be signed: no key could be used',
      next: { state: 'pending' },
      says: 'nothing',
    })
    expect(faults).toHaveLength(1)
    expect(server.connectionCount()).toBe(0)
  })

  test('secrets that cannot be opened are reported without their content', async () => {
    const { server } = await receiver()
    const secrets = secretsFor({ owner: 'bob' })
    const result = await attempt({ url: server.url(), scheme: 'HMAC-SHA256', secrets })
    expect(result).toMatchObject({ status: 'failed', next: { state: 'pending' } })
    expect(result?.error_message).toContain('cannot be opened')
    expect(server.connectionCount()).toBe(0)
  })

  test('a key that does not sign in time is no attempt: nothing is sent, and it is tried again', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const fetched: unknown[] = []
    const { deliver, faults } = deliverWith({
      signer: () => new Promise(() => {}),
      egress: { fetch: async (request) => Promise.reject(fetched.push(request)) },
    })
    const made = deliver(aClaim(), NEVER)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await made).toEqual({ status: 'unsent', inMs: 1_500 })
    expect(fetched).toEqual([])
    expect(String(faults)).toContain('did not sign in time')
  })

  test('a name that never had its turn is no attempt, and the wait is bounded', async () => {
    const waits: (number | undefined)[] = []
    const { deliver } = deliverWith({
      egress: {
        fetch: async ({ queueTimeoutMs, owner }) => {
          waits.push(queueTimeoutMs)
          expect(owner).toBe('alice')
          return { ok: false, code: 'busy', message: 'too many names', durationMs: 0 }
        },
      },
    })
    expect(await deliver(aClaim(), NEVER)).toEqual({ status: 'unsent', inMs: 1_500 })
    expect(waits[0]).toBeGreaterThan(4_000)
    expect(waits[0]).toBeLessThanOrEqual(5_000)
  })

  test('the time that is reported for a receiver is its own, without what we took to sign', async () => {
    let ms = 0
    const performanceNow = vi.spyOn(performance, 'now').mockImplementation(() => ms)
    onTestFinished(() => performanceNow.mockRestore())
    const { deliver } = deliverWith({
      signer: async () => {
        ms += 4_000
        return SIGNER
      },
      egress: {
        fetch: async () => ({
          ok: true,
          status: 200,
          headers: {},
          body: Buffer.from('ok'),
          url: '',
          truncated: false,
          durationMs: 21,
        }),
      },
    })
    expect(await deliver(aClaim(), NEVER)).toMatchObject({
      status: 'success',
      response_time_ms: 21,
    })
  })

  test('an attempt that is cut short has no result', async () => {
    const server = await tcpServer(() => {})
    const stopping = new AbortController()
    const { deliver } = deliverWith()
    const under = deliver(aClaim({ channel: aChannel({ url: server.url() }) }), stopping.signal)
    stopping.abort()
    expect(await under).toBeUndefined()
  })
})

describe('spec 6.4: no packet to an address that is not public', () => {
  const url = 'http://buyer.example/hook'

  /** The guard of the server, with answers of a resolver in turn; http is for allowed addresses. */
  function egressOf(...answers: (string[] | Error)[]) {
    let requested = 0
    return testEgress({
      connectTimeoutMs: 200,
      resolve: async () => {
        const answer = answers[Math.min(requested++, answers.length - 1)] ?? []
        if (answer instanceof Error) throw answer
        return answer
      },
    })
  }

  test('a name that was public and is private now', async () => {
    const { server } = await receiver()
    const egress = loopbackEgress({
      allow: ['127.0.0.1/32'],
      resolve: async () => (server.connectionCount() === 0 ? ['127.0.0.1'] : ['127.0.0.2']),
    })
    const { deliver } = deliverWith({ egress })
    const claim = aClaim({ channel: aChannel({ url: server.url('/hook', 'buyer.example') }) })
    expect(await deliver(claim, NEVER)).toMatchObject({ status: 'success' })
    expect(await deliver(claim, NEVER)).toMatchObject({
      status: 'connection_error',
      error_message: 'the host has an address that is not public',
      next: { state: 'pending' },
    })
    expect(server.connectionCount()).toBe(1)
  })

  test.each([
    [['8.8.8.8', '10.0.0.1']],
    [['10.0.0.1', '8.8.8.8']],
    [['::1']],
    [['8.8.8.8', '::ffff:7f00:1']],
  ])('an answer of %j', async (addresses) => {
    const { server } = await receiver()
    const secure = { url: `https://buyer.example:${server.port}/hook` }
    const result = await attempt(secure, { egress: egressOf(addresses) })
    expect(result).toMatchObject({ status: 'connection_error', says: 'down' })
    expect(result?.error_message).toBe('the host has an address that is not public')
    expect(server.connectionCount()).toBe(0)
  })

  test('a name that is unknown and then fine is delivered to', async () => {
    const { server, seen } = await receiver()
    let requested = 0
    const egress = loopbackEgress({
      resolve: async () => {
        if (requested++ === 0) throw new Error('NXDOMAIN')
        return ['127.0.0.1']
      },
    })
    const { deliver } = deliverWith({ egress })
    const claim = aClaim({ channel: aChannel({ url: server.url('/hook', 'buyer.example') }) })
    const first = resultOf(await deliver(claim, NEVER))
    expect(first).toMatchObject({ status: 'connection_error', next: { state: 'pending' } })
    expect(first?.error_message).toBe('the host name has no address')
    expect(await deliver(claim, NEVER)).toMatchObject({ status: 'success' })
    expect(seen).toHaveLength(1)
  })

  test('plain http to a public address', async () => {
    const result = await attempt({ url }, { egress: egressOf(['8.8.8.8']) })
    expect(result).toMatchObject({
      status: 'connection_error',
      error_message: 'the URL is not https',
    })
  })

  test('any spelling of a private address, though it was registered', async () => {
    const { server } = await receiver()
    const egress = egressOf(['127.0.0.1'])
    const host = fc.oneof(
      refusedIpv4Host(),
      refusedEmbeddedIpv6.map((address) => `[${address}]`),
      refusedIpv6.map((address) => `[${address}]`),
    )
    await fc.assert(
      fc.asyncProperty(host, async (name) => {
        const channel = { ...aChannel(), url: `https://${name}:${server.port}/hook` }
        const result = await deliverWith({ egress }).deliver(aClaim({ channel }), NEVER)
        expect(result).toMatchObject({ http_status_code: undefined })
        expect(result?.status).toMatch(/^(connection_error|failed)$/)
      }),
      { numRuns: 200 },
    )
    expect(server.connectionCount()).toBe(0)
  })
})
