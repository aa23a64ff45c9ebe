import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundedLines } from '../../../src/lib/bounded-lines.ts'
import type { Dispatch, Incoming } from '../../../src/transports/mcp/dispatch.ts'
import { STDIO_LIMITS, serveStdio } from '../../../src/transports/mcp/stdio.ts'
import { eventually } from '../../support/eventually.ts'

const MAX = STDIO_LIMITS.lineBytes.value
const source = {
  admitted: { ok: true, principal: undefined, account: 'a' },
  calledOn: 'stdio:',
} as const
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A server on pipes, whose dispatch is the test's. */
function served(dispatch: Dispatch) {
  const input = new PassThrough()
  const output = new PassThrough()
  const stop = new AbortController()
  const faults: unknown[] = []
  let written = ''
  output.on('data', (chunk) => {
    written += String(chunk)
  })
  const ended = serveStdio({
    dispatch,
    input,
    output,
    source,
    stop: stop.signal,
    onFault: (error) => faults.push(error),
  })
  return {
    input,
    output,
    stop,
    ended,
    faults,
    send: (message: unknown) => input.write(`${JSON.stringify(message)}\n`),
    answers: () =>
      written
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

const echo =
  (seen: Incoming[] = []): Dispatch =>
  async (incoming) => {
    seen.push(incoming)
    const { id } = incoming.message as { id?: unknown }
    const pieces = id === undefined ? undefined : [JSON.stringify({ id, result: {} })]
    return { status: 200, pieces }
  }

describe('MCP on standard input', () => {
  test('answers a line with a line, and ends with its input', async () => {
    const server = served(echo())
    server.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
    server.input.write('\n  \r\n')
    server.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    server.input.end(JSON.stringify({ jsonrpc: '2.0', id: 'two', method: 'ping' }))
    await server.ended
    expect(server.answers()).toEqual([
      { id: 1, result: {} },
      { id: 'two', result: {} },
    ])
  })

  test('reads from the message what HTTP has in headers', async () => {
    const seen: Incoming[] = []
    const server = served(echo(seen))
    server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', _meta: META } })
    server.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'a' } })
    server.input.end()
    await server.ended
    expect(seen[0]?.headers).toEqual({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'a',
    })
    expect(seen[1]?.headers).toEqual({})
  })

  test('refuses a line that is too long, also without an end, and continues after it', async () => {
    const server = served(echo())
    for (let sent = 0; sent <= MAX; sent += 65_536) server.input.write('x'.repeat(65_536))
    server.input.write('\n')
    server.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
    server.input.end('y'.repeat(MAX + 1))
    await server.ended
    expect(server.answers()).toMatchObject([
      { id: null, error: { code: -32_600, message: expect.stringContaining(`${MAX} bytes`) } },
      { id: 1 },
      { id: null, error: { code: -32_600 } },
    ])
  })

  test.each([
    ['what is no JSON', '{', -32_700],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), -32_700],
    ['what is nested too deep', '['.repeat(5_000), -32_600],
    ['an empty batch', '[]', -32_600],
  ])('refuses %s', async (_what, line, code) => {
    const server = served(echo())
    server.input.write(line)
    server.input.end('\n')
    await server.ended
    expect(server.answers()).toMatchObject([{ id: null, error: { code } }])
  })

  test('answers a batch with a list', async () => {
    const server = served(echo())
    server.send([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ])
    server.input.end()
    await server.ended
    expect(server.answers()).toEqual([
      [
        { id: 1, result: {} },
        { id: 2, result: {} },
      ],
    ])
  })

  test('ends a call that is cancelled, and does not answer it', async () => {
    const aborted: unknown[] = []
    const server = served(async ({ message, source: { signal } }) => {
      const { id, method } = message as { id: number; method: string }
      if (method === 'tools/call') {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        aborted.push(id)
      }
      return { status: 200, pieces: [JSON.stringify({ id })] }
    })
    server.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: {} })
    server.send({ jsonrpc: '2.0', id: 8, method: 'ping' })
    await eventually(async () => expect(server.answers()).toEqual([{ id: 8 }]))
    server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
    server.input.end()
    await server.ended
    expect(aborted).toEqual([7])
    expect(server.answers()).toEqual([{ id: 8 }])
  })

  test('reads no further line while as many messages as may be are worked on', async () => {
    const seen: Incoming[] = []
    const ends: (() => void)[] = []
    const server = served(async (incoming) => {
      seen.push(incoming)
      await new Promise<void>((resolve) => ends.push(resolve))
      return { status: 200, pieces: ['{}'] }
    })
    const most = STDIO_LIMITS.messages.value
    for (let id = 0; id < most + 10; id++) server.send({ jsonrpc: '2.0', id, method: 'ping' })
    await eventually(() => expect(seen).toHaveLength(most))
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(seen).toHaveLength(most)
    server.input.end()
    await eventually(() => {
      for (const end of ends.splice(0)) end()
      expect(seen).toHaveLength(most + 10)
    })
    await eventually(() => {
      for (const end of ends.splice(0)) end()
      expect(server.answers()).toHaveLength(most + 10)
    })
    await server.ended
  })

  test('stops while its input is open, and abandons the calls under way', async () => {
    let isAborted = false
    const server = served(
      ({ source: { signal } }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            isAborted = true
          })
          setImmediate(() => server.stop.abort())
        }),
    )
    server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} })
    await server.ended
    expect(isAborted).toBe(true)
  })

  test('reports about a failure only that it happened', async () => {
    const server = served(async () => {
      throw new Error('secret at 10.0.0.7')
    })
    server.send({ jsonrpc: '2.0', id: 5, method: 'ping' })
    server.input.end()
    await server.ended
    expect(server.answers()).toEqual([
      { jsonrpc: '2.0', id: 5, error: { code: -32_603, message: 'Internal error' } },
    ])
    expect(server.faults).toHaveLength(1)
  })
})

test('the lines of a stream are the same wherever it is cut, and none is held beyond its limit', async () => {
  const chunk = fc.oneof(
    fc.constantFrom('\n', 'a\n', '\n\n', 'abcdefgh'),
    fc.string({ maxLength: 12 }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(chunk, { maxLength: 20 }),
      fc.integer({ min: 1, max: 9 }),
      async (parts, max) => {
        const text = parts.join('')
        const lines: (string | undefined)[] = []
        const chunks = async function* () {
          for (const part of parts) yield Buffer.from(part, 'utf8')
        }
        for await (const line of boundedLines(chunks(), max)) {
          lines.push(line.ok ? line.bytes.toString('utf8') : undefined)
        }
        const wanted = text.split('\n')
        if (wanted.at(-1) === '') wanted.pop()
        expect(lines).toEqual(
          wanted.map((line) => (Buffer.byteLength(line) > max ? undefined : line)),
        )
      },
    ),
  )
})
