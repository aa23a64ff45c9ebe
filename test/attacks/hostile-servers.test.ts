// Servers that attack those who call them: the commands `call` and `doctor` end in bounded time and memory, with a message
// and an exit code, obey nothing that is said to the terminal, and send a key nowhere else.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import pc from 'picocolors'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fittedLines } from '../../src/cli/fitted-table.ts'
import { fieldsOf } from '../../src/cli/request-fields.ts'
import { callAgent } from '../../src/client/call-agent.ts'
import { inspect } from '../../src/doctor/agent/reach.ts'
import { examineAgent } from '../../src/doctor/examine-agent.ts'
import { reportLines } from '../../src/doctor/report-text.ts'
import { signHmac } from '../../src/webhooks/schemes/hmac.ts'
import { folder, start, adwire as warmAdwire } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'
import { writeForever } from '../support/raw-http.ts'
import { json, type RogueAgent, type RogueAnswer, startRogueAgent } from '../support/rogue-agent.ts'
import { NAMES, PAIR } from '../support/sender.ts'

type Members = Record<string, unknown>

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const KEY = 'adw_0123456789abcdef'
const SECRET = 'a secret of at least thirty-two bytes'
/** Far above what a call takes, far below what a hostile answer could make of it. */
const MAX_PEAK_MB = 700

/** Writes the most memory that the process ever held, in KiB, to its fourth descriptor. */
const TELL_PEAK =
  'import { writeSync } from "node:fs"; process.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)))'

interface Ended {
  code: number | null
  stdout: string
  stderr: string
  peakMb: number
}

/** The command in a process and an empty folder of its own, which must stay empty. */
async function adwire(...args: string[]): Promise<Ended> {
  const cwd = folder()
  const url = `data:text/javascript,${encodeURIComponent(TELL_PEAK)}`
  const child = spawn(process.execPath, ['--import', url, MAIN, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, XDG_CONFIG_HOME: cwd, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = ['', '', '', '']
  for (const at of [1, 2, 3]) {
    child.stdio[at]?.on('data', (chunk) => {
      said[at] += String(chunk)
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  expect(readdirSync(cwd)).toEqual([])
  const [, stdout = '', stderr = '', peak = ''] = said
  return { code, stdout, stderr, peakMb: Number(peak) / 1_024 }
}

const call = (url: string, ...args: string[]) => adwire('call', url, ...args)
/** Where memory is not at stake. */
const quickCall = (url: string, ...args: string[]) =>
  warmAdwire(['call', url, ...args], { XDG_CONFIG_HOME: '/nonexistent' })

async function rogue(answer: RogueAnswer): Promise<RogueAgent> {
  const agent = await startRogueAgent(answer)
  onTestFinished(() => agent.stop())
  return agent
}

/** Each connection is handed the socket once a request has begun to come. */
async function rawServer(talk: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => talk(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Writes a character now and then until the socket closes, and blanks when there are no more. */
function drip(socket: Socket, text: string): void {
  let at = 0
  const timer = setInterval(() => socket.write(text[at++] ?? ' '), 50)
  socket.once('close', () => clearInterval(timer))
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

const begin =
  (head: string, forever: string) =>
  (socket: Socket): void => {
    socket.write(head)
    writeForever(socket, forever)
  }
const say =
  (text: string | Buffer, { ends = true } = {}) =>
  (socket: Socket): void => {
    socket.write(text)
    if (ends) socket.end()
  }
const encoded = (encoding: string, bytes: Buffer) =>
  say(
    Buffer.concat([
      Buffer.from(`${OK}content-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n\r\n`),
      bytes,
    ]),
  )

const zeros = Buffer.alloc(256 * 1_024 * 1_024, '0')
const LONG = '0'.repeat(65_536)

/** Byte by byte: what it does, and the codes that a call of it may end with. */
const WIRE_ATTACKS: [string, (socket: Socket) => void, number[]][] = [
  ['never answers', () => {}, [6]],
  ['answers a byte at a time', (socket) => drip(socket, `${OK}x-slow: `), [6]],
  [
    'sends its body a byte at a time',
    (socket) => {
      socket.write(`${OK}content-length: 100000\r\n\r\n{`)
      drip(socket, '')
    },
    [6],
  ],
  ['sends headers without an end', begin(OK, `x-header: ${'a'.repeat(1_000)}\r\n`), [7]],
  ['sends a header line without an end', begin(`${OK}x-header: `, LONG), [7]],
  ['sends a body without an end', begin(`${OK}\r\n{"a":"`, LONG), [7]],
  [
    'sends chunk extensions without an end',
    begin(`${OK}transfer-encoding: chunked\r\n\r\n1;`, LONG),
    [3, 6],
  ],
  [
    'sends trailers without an end',
    begin(`${OK}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`, `x: ${'a'.repeat(1_000)}\r\n`),
    [7],
  ],
  [
    'sends interim responses without an end',
    begin('', 'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n'),
    [3, 6],
  ],
  [
    'sends events without an end',
    begin(
      'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n',
      'data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n'.repeat(1_000),
    ),
    [7],
  ],
  ['answers with a gzip bomb', encoded('gzip', gzipSync(zeros)), [7]],
  ['answers with a brotli bomb', encoded('br', brotliCompressSync(zeros)), [7]],
  ['answers with a gzip of a gzip', encoded('gzip, gzip', gzipSync(gzipSync(zeros))), [7]],
  ['answers with what is no gzip', encoded('gzip', Buffer.from('{}')), [7]],
  [
    'announces more than it sends',
    say(`${OK}content-length: 1000\r\n\r\n{"status":"completed"`),
    [3],
  ],
  ['has two lengths', say(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`), [3]],
  [
    'has a length and chunks',
    say(`${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    [3, 7],
  ],
  ['switches protocols', say('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'), [3]],
  ['speaks no HTTP', say('\u001b[2JSSH-2.0-OpenSSH\r\n\u0000\u0000'), [7]],
  ['closes at once', (socket) => void socket.destroy(), [3]],
  [
    'resets midway',
    (socket) => socket.write(`${OK}content-length: 9\r\n\r\n{`, () => socket.resetAndDestroy()),
    [3],
  ],
]

/** Everything a terminal interprets or displays differently from its text; lines of output end with \n. */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/

/** Colours, clears, titles, links, the clipboard, 8-bit controls, a turned text, and a line that pretends to be ours. */
const HOSTILE =
  'evil\u001b[31m\u001b[2J\u001b]0;title\u0007\u001b]8;;http://evil.example\u001b\\link\u001b]8;;\u001b\\' +
  '\u001b]52;c;ZXZpbA==\u0007\u009b31m\u0090q\u009c\u202egnp.exe\u2066\u0000\u0008\r\nerror: FAKE\u2028x\u007f\ufeff'

function expectQuiet({ stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>): void {
  expect(stdout).not.toMatch(OBEYED)
  expect(stderr).not.toMatch(OBEYED)
  expect(`\n${stdout}\n${stderr}`).not.toContain('\nerror: FAKE')
}

describe('a server that', () => {
  test.each(WIRE_ATTACKS)(
    '%s ends a call with a message, a code, and little memory',
    { timeout: 60_000 },
    async (_what, talk, codes) => {
      const url = await rawServer(talk)
      const ended = await call(`${url}/mcp`, 'get_signals', '{}', '--timeout', '2s', '--auth', KEY)
      expect(codes).toContain(ended.code)
      expect(ended.stdout).toBe('')
      expect(ended.stderr).toMatch(/^error: .{10,400}\n$/)
      expect(ended.peakMb).toBeLessThan(MAX_PEAK_MB)
      expectQuiet(ended)
    },
  )
})

describe('over TLS, a server that', () => {
  test.each<[string, (socket: Socket) => void, number]>([
    ['speaks none', say('HTTP/1.1 400 Bad Request\r\n\r\n'), 3],
    ['never ends its handshake', (socket) => drip(socket, '\u0016\u0003\u0003'), 6],
    ['says nothing', () => {}, 6],
    ['refuses with an alert', say(Buffer.from([0x15, 3, 3, 0, 2, 2, 40])), 3],
  ])('%s ends a call with one line', { timeout: 60_000 }, async (_what, talk, code) => {
    const url = (await rawServer(talk)).replace('http:', 'https:')
    // Only what must time out is given little time, so that a slow machine is no timeout.
    const timeout = code === 6 ? '1s' : '30s'
    const ended = await quickCall(`${url}/mcp`, 'get_signals', '{}', '--timeout', timeout)
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.stderr).toMatch(/^error: .{10,500}\n$/)
    expectQuiet(ended)
  })
})

describe('an answer', () => {
  const body = (inner: string | Buffer): RogueAnswer => {
    const parts = ['{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"a":', inner, '}}}']
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)))
    return (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(bytes)
    }
  }
  test.each([
    ['nested a million levels deep', body('['.repeat(1e6) + ']'.repeat(1e6)), 7],
    ['of a million small objects', body(`[${'{},'.repeat(1e6)}1]`), 7],
    ['that is no UTF-8', body(Buffer.from([0x22, 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x22])), 7],
    ['with a bare NUL', body('"\u0000"'), 7],
    ['with half characters', body('"\\ud800\\udc00\\udfff"'), 0],
    ['with a number beyond all', body('1e999999'), 0],
  ])(
    '%s is read within limits, or not at all',
    { timeout: 60_000 },
    async (_what, answer, code) => {
      const { url } = await rogue(answer)
      const ended = await call(`${url}/mcp`, 'do_it', '{}', '--timeout', '30s')
      expect(ended.code).toBe(code)
      expect(ended.peakMb).toBeLessThan(MAX_PEAK_MB)
      expectQuiet(ended)
    },
  )

  test('with members of every object’s own is data, and changes no object', async () => {
    const own = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
    const { url } = await rogue(body(own))
    const called = await callAgent({
      agentUrl: `${url}/mcp`,
      allowPrivate: true,
      task: 'do_it',
      idempotencyKey: 'a-key-of-16-letters',
    })
    expect(called.ok && JSON.stringify(called.body.a)).toBe(own)
    expect(({} as Members).polluted).toBeUndefined()
  })
})

/** Speaks MCP: what each method is answered with, `tools/list` and `tools/call` above all. */
function mcp(answers: Readonly<Record<string, (params: Members) => unknown>>): RogueAnswer {
  return ({ body }, response) => {
    const {
      id,
      method = '',
      params = {},
    } = (body === '' ? {} : JSON.parse(body)) as {
      id?: unknown
      method?: string
      params?: Members
    }
    const answer = answers[method]
    if (!answer) return json(response, 404, {})
    json(response, 200, { jsonrpc: '2.0', id, result: answer(params) })
  }
}
const tool = (name: string, more: Members = {}) => ({ name, inputSchema: {}, ...more })
const structured = (body: Members, isError = false) => ({
  structuredContent: body,
  content: [],
  isError,
})

describe('what a terminal would obey is in nothing that is printed of', () => {
  const schema = {
    type: 'object',
    description: HOSTILE,
    required: [HOSTILE],
    properties: {
      [HOSTILE]: { type: 'string', description: HOSTILE },
      brief: { type: 'string', description: HOSTILE, enum: [HOSTILE, 'b'], pattern: '^(a+)+$' },
      __proto__x: { $ref: `#/$defs/${HOSTILE}` },
    },
  }
  const listing = mcp({
    'tools/list': () => ({
      tools: [
        tool(`do_it${HOSTILE}`),
        tool('do_it', { description: HOSTILE, inputSchema: schema }),
      ],
    }),
  })

  test.each([
    ['tasks', [], 0],
    ['tasks as JSON', ['--json'], 0],
    ['the members of a request', ['do_it', '--help'], 0],
    ['a task that is not there', ['do_that', '--brief', 'x'], 2],
    ['a flag that is not there', ['do_it', '--brife', 'x'], 2],
    ['a value that is no choice', ['do_it', '--brief'], 2],
  ] as const)('%s', async (_what, args, code) => {
    const { url } = await rogue(listing)
    const ended = await quickCall(`${url}/mcp`, ...args)
    expect(ended.code).toBe(code)
    expect(ended.stdout + ended.stderr).toMatch(/evil|did you mean/)
    expectQuiet(ended)
  })

  const everyText = (names: readonly string[]): Members =>
    Object.fromEntries(names.map((name) => [name, HOSTILE]))
  const row = {
    ...everyText(['signal_agent_segment_id', 'name', 'signal_type', 'data_provider', 'format_id']),
    ...everyText(['preview_id', 'preview_url', 'expires_at', 'media_buy_id', 'status', 'type']),
    ...everyText(['platform', 'account', 'deployed_at', 'health', 'start_time', 'end_time']),
    coverage_percentage: 1,
    pricing: { cpm: HOSTILE, currency: HOSTILE },
    renders: [{ role: HOSTILE, dimensions: { width: HOSTILE, height: HOSTILE } }],
    assets: [{ asset_id: HOSTILE }],
    totals: { impressions: HOSTILE, spend: HOSTILE },
    by_package: [{ package_id: HOSTILE, impressions: HOSTILE }],
    deployments: [{ platform: HOSTILE, is_live: true, activation_key: { segment_id: HOSTILE } }],
  }
  const ANSWERS: [string, Members, boolean, number][] = [
    ...['signals', 'formats', 'previews', 'media_buy_deliveries', 'media_buys', 'deployments'].map(
      (member): [string, Members, boolean, number] => [
        `a table of ${member}`,
        {
          [member]: [row],
          message: HOSTILE,
          currency: HOSTILE,
          errors: [{ code: HOSTILE, message: HOSTILE }],
          pagination: { cursor: HOSTILE },
        },
        false,
        0,
      ],
    ),
    ['an answer without a table', { [HOSTILE]: HOSTILE, __proto__: { a: HOSTILE } }, false, 0],
    ['a task that goes on', { status: 'working', task_id: HOSTILE, message: HOSTILE }, false, 0],
    ['a question', { status: 'input-required', task_id: HOSTILE, message: HOSTILE }, false, 9],
    ['a status that is none', { status: HOSTILE, task_id: HOSTILE }, false, 7],
    [
      'an error',
      {
        status: 'failed',
        errors: [{ code: HOSTILE, message: HOSTILE, field: HOSTILE, recovery: HOSTILE }],
      },
      true,
      5,
    ],
  ]
  test.each(ANSWERS)('%s', { timeout: 30_000 }, async (_what, body, isError, code) => {
    const { url } = await rogue(mcp({ 'tools/call': () => structured(body, isError) }))
    for (const more of [[], ['--json']]) {
      const ended = await quickCall(`${url}/mcp`, 'do_it', '{}', '--timeout', '20s', ...more)
      expect(ended.code).toBe(code)
      expectQuiet(ended)
    }
  })

  test('the progress of a task, and of polls that fail', { timeout: 30_000 }, async () => {
    let polls = 0
    const polled = () => {
      polls += 1
      if (polls === 2)
        return structured({ errors: [{ code: 'RATE_LIMITED', message: HOSTILE }] }, true)
      const status = polls < 4 ? 'working' : 'rejected'
      const progress = { current_step: HOSTILE.repeat(10_000), percentage: 1 }
      return structured({ status, task_id: 't1', task_type: HOSTILE, message: HOSTILE, progress })
    }
    const { url } = await rogue(
      mcp({
        'tools/call': ({ name }) =>
          name === 'do_it' ? structured({ status: 'submitted', task_id: 't1' }) : polled(),
      }),
    )
    const args = ['do_it', '{}', '--watch', '--poll-interval', '0s', '--timeout', '20s']
    const ended = await quickCall(`${url}/mcp`, ...args)
    expect(ended.code).toBe(8)
    expect(ended.stderr).toContain('evil')
    expect(Math.max(...ended.stderr.split('\n').map((line) => line.length))).toBeLessThan(1_100)
    expectQuiet(ended)
  })

  test('an examination, as text and as JSON', { timeout: 60_000 }, async () => {
    const { url } = await rogue(({ path }, response) => {
      const members = {
        ...everyText(['name', 'version', 'url', 'house', 'preview_url']),
        skills: [{ id: HOSTILE }],
        tasks: [HOSTILE, 'get_signals'],
        agents: [{ url: HOSTILE }],
        paths: { '/v3/get_signals': { post: { summary: HOSTILE } } },
        keys: [{ kid: HOSTILE }],
        status: path.endsWith('capabilities') ? 'completed' : 'failed',
        context: HOSTILE,
        errors: [{ code: HOSTILE, message: HOSTILE }],
        jsonrpc: '2.0',
        id: 1,
        error: { code: HOSTILE, message: HOSTILE },
      }
      response.setHeader('www-authenticate', 'Bearer realm="\u009b31m"')
      json(response, path.startsWith('/v3/') ? 401 : 200, members)
    })
    const args = [url, '--timeout-seconds', '5', '--webhook-wait-seconds', '1', '--auth', KEY]
    for (const more of [[], ['--json', '--write']]) {
      const ended = await adwire('doctor', ...args, ...more)
      expect(ended.code).toBe(1)
      expect(ended.stdout).toContain('evil')
      expect(ended.stdout).not.toContain(KEY)
      expectQuiet(ended)
    }
  })
})

describe('a key goes to the agent alone, when', () => {
  const REDIRECTS = [301, 302, 303, 307, 308]

  test.each(['call', 'doctor'])('%s is redirected', { timeout: 60_000 }, async (command) => {
    const elsewhere = await rogue(mcp({}))
    let hops = 0
    const agent = await rogue((_request, response) => {
      hops += 1
      const location = [
        `${elsewhere.url}/mcp`,
        `${elsewhere.url.replace('http:', 'https:')}/`,
        'file:///etc/passwd',
        'http://169.254.169.254/latest',
        'ftp://127.0.0.1/',
        '//[::1]:1/',
      ][hops % 6] as string
      response.writeHead(REDIRECTS[hops % 5] as number, { location }).end()
    })
    const ended =
      command === 'call'
        ? await call(agent.url, 'get_signals', '{}', '--auth', KEY, '--timeout', '10s')
        : await adwire('doctor', agent.url, '--auth', KEY, '--timeout-seconds', '5')
    expect(ended.code).toBe(command === 'call' ? 7 : 1)
    expect(elsewhere.received).toEqual([])
    expect(ended.stdout + ended.stderr).not.toContain(KEY)
  })

  test.each(['call', 'doctor'])(
    '%s reads a card that names another host',
    { timeout: 60_000 },
    async (command) => {
      const elsewhere = await rogue(mcp({}))
      const agent = await rogue(({ path }, response) => {
        if (!path.startsWith('/.well-known/agent')) return json(response, 404, {})
        const at = {
          url: `${elsewhere.url}/a2a`,
          protocolBinding: 'JSONRPC',
          protocolVersion: '1.0',
        }
        json(response, 200, { supportedInterfaces: [at], skills: [{ id: 'get_signals' }] })
      })
      const ended =
        command === 'call'
          ? await call(agent.url, 'get_signals', '{}', '--auth', KEY, '--timeout', '10s')
          : await adwire('doctor', agent.url, '--auth', KEY, '--timeout-seconds', '5')
      expect(ended.code).toBe(command === 'call' ? 7 : 1)
      expect(elsewhere.received.filter(({ headers }) => headers.authorization)).toEqual([])
    },
  )

  test.each(['file:///etc/passwd', 'http://10.0.0.1/a2a', 'https://169.254.169.254/', 'nonsense'])(
    'a card names %s, which receives no request',
    async (url) => {
      const agent = await rogue(({ path }, response) =>
        path === '/.well-known/agent-card.json'
          ? json(response, 200, { url, skills: [{ id: 'get_signals' }] })
          : json(response, 404, {}),
      )
      const called = await callAgent({
        agentUrl: agent.url,
        transport: 'a2a',
        allowPrivate: true,
        task: 'get_signals',
        timeoutMs: 5_000,
      })
      expect(called).toMatchObject({ ok: false, error: { kind: 'unreachable' } })
    },
  )
})

describe('an MCP server', () => {
  const request = (method: string) =>
    `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { messages: [] } })}\n\n`
  const unsolicited = ['sampling/createMessage', 'elicitation/create', 'roots/list', 'ping']
    .map(request)
    .join('')
  const streaming =
    (events: string): RogueAnswer =>
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events)
    }

  test('that asks the caller for something is given nothing, and its answer is read', async () => {
    const answer = { jsonrpc: '2.0', id: 1, result: structured({ done: true }) }
    const agent = await rogue(streaming(`${unsolicited}data: ${JSON.stringify(answer)}\n\n`))
    const options = { agentUrl: `${agent.url}/mcp`, allowPrivate: true, task: 'do_it' } as const
    const called = await callAgent({ ...options, idempotencyKey: 'a-key-of-16-letters' })
    expect(called).toMatchObject({ ok: true, body: { done: true } })

    agent.answerWith(streaming(unsolicited))
    const refused = await callAgent({ ...options, idempotencyKey: 'a-key-of-16-letters' })
    expect(refused).toMatchObject({ ok: false, error: { kind: 'invalid-answer' } })
    const methods = agent.received.map(({ body }) => (JSON.parse(body) as Members).method)
    expect(new Set(methods)).toEqual(new Set(['tools/list', 'tools/call']))
  })

  test.each(['one', 'a\u00e9\u00ff', 'x'.repeat(8_000)])(
    'that forgets every session it begins receives a bounded number of requests (%#)',
    async (session) => {
      const agent = await rogue(({ body }, response) => {
        const { id, method } = JSON.parse(body) as Members
        response.setHeader('mcp-session-id', `${session}${agent.received.length}`)
        const result = { protocolVersion: '2025-06-18\r\nx-injected: 1', capabilities: {} }
        if (method === 'initialize') return json(response, 200, { jsonrpc: '2.0', id, result })
        const error = { code: -32_000, message: 'Bad Request: Server not initialized' }
        json(response, 400, { jsonrpc: '2.0', id, error })
      })
      const called = await callAgent({
        agentUrl: `${agent.url}/mcp`,
        allowPrivate: true,
        task: 'get_signals',
        timeoutMs: 10_000,
      })
      expect(called.ok).toBe(false)
      expect(agent.received.length).toBeLessThan(15)
      expect(agent.received.filter(({ headers }) => headers['x-injected'])).toEqual([])
    },
  )

  test('that lists tools without an end is not read without one', { timeout: 60_000 }, async () => {
    let pages = 0
    const large = { description: 'd'.repeat(1_000) }
    const { url } = await rogue(
      mcp({
        'tools/list': () => {
          pages += 1
          const tools = Array.from({ length: 3_000 }, (_, at) => tool(`t${pages}_${at}`, large))
          return { tools, nextCursor: String(pages) }
        },
      }),
    )
    const ended = await call(`${url}/mcp`, '--json')
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('lists more tasks') })
    expect(JSON.parse(ended.stdout)).toHaveLength(2_000)
    expect(pages).toBe(1)
    expect(ended.peakMb).toBeLessThan(MAX_PEAK_MB)
  })

  test.each([[[]], [['do_it', '--help']], [['do_it', '--brief', 'x']]])(
    'that lists tools slowly, page by page, does not hold up %j beyond --timeout',
    { timeout: 30_000 },
    async (args) => {
      let pages = 0
      const agent = await rogue(({ body }, response) => {
        const { id } = JSON.parse(body) as Members
        pages += 1
        const result = { tools: [tool('do_it')], nextCursor: String(pages) }
        const timer = setTimeout(() => json(response, 200, { jsonrpc: '2.0', id, result }), 1_500)
        response.once('close', () => clearTimeout(timer))
      })
      const ended = await call(`${agent.url}/mcp`, ...args, '--timeout', '2s')
      expect([ended.code, ended.stdout]).toEqual([6, ''])
      expect(pages).toBe(2)
    },
  )

  test('whose schemas refer to each other in circles, or are huge, has its tasks described', () => {
    const many = Array.from({ length: 50 }, () => ({ $ref: '#/$defs/a' }))
    const long = Array.from({ length: 100_000 }, (_, at) => `${at}`)
    const members = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`m${at}`, { $ref: '#/$defs/a' }]),
    )
    const circles = {
      $ref: '#/$defs/a',
      $defs: {
        a: {
          anyOf: many,
          oneOf: many,
          allOf: many,
          properties: members,
          items: many[0],
          enum: long,
          required: long,
          type: long,
        },
      },
    }
    const fields = fieldsOf(circles)
    expect(fields).toHaveLength(500)
    expect(fields[0]).toMatchObject({ member: 'm0', choices: { length: 30 } })
  })
})

describe('a task', () => {
  const submitted = () => structured({ status: 'submitted', task_id: 'task-1' })
  const following = (polled: () => Members) =>
    rogue(mcp({ 'tools/call': ({ name }) => (name === 'do_it' ? submitted() : polled()) }))

  test('spec 3.2: does not end when its polls report another task', async () => {
    const agent = await following(() =>
      structured({ status: 'completed', task_id: 'task-2', task_type: 'do_it', result: { a: 1 } }),
    )
    const called = await callAgent({
      agentUrl: `${agent.url}/mcp`,
      allowPrivate: true,
      task: 'do_it',
      pollIntervalMs: 1,
      idempotencyKey: 'a-key-of-16-letters',
      timeoutMs: 10_000,
    })
    expect(called).toMatchObject({
      ok: false,
      taskId: 'task-1',
      error: { kind: 'invalid-answer', message: expect.stringContaining('another task') },
    })
  })

  test('that never ends, and asks to be polled never again, ends with --timeout', async () => {
    const agent = await following(() =>
      structured(
        { errors: [{ code: 'RATE_LIMITED', message: 'later', retry_after: 1e300 }] },
        true,
      ),
    )
    const args = ['do_it', '{}', '--wait', '--poll-interval', '0s', '--timeout', '3s']
    const ended = await call(`${agent.url}/mcp`, ...args)
    expect(ended.code).toBe(6)
    expect(ended.stderr).toContain('get_task_status --task-id task-1')
    expect(agent.received.length).toBeLessThan(10)
  })

  test('spec 5: is not ended by forged webhooks, and they fill no screen', {
    timeout: 60_000,
  }, async () => {
    let hook = ''
    let forged = 0
    const agent = await rogue(({ body, path }, response) => {
      if (path.startsWith('/.well-known/')) return json(response, 404, {})
      const { id, params } = JSON.parse(body) as {
        id: unknown
        params: { name: string; arguments: Members }
      }
      const registered = params.arguments?.push_notification_config as { url: string } | undefined
      hook = registered?.url ?? hook
      const isDone = forged >= 40
      const polled = {
        status: isDone ? 'completed' : 'working',
        task_id: 'task-1',
        task_type: 'do_it',
      }
      const reported =
        params.name === 'do_it' ? submitted() : structured({ ...polled, result: { by: 'poll' } })
      json(response, 200, { jsonrpc: '2.0', id, result: reported })
      if (params.name === 'do_it') void forge()
    })
    const forge = async () => {
      for (let at = 0; at < 40; at++) {
        const fake = {
          idempotency_key: `forged-key-0123456789-${at}`,
          operation_id: 'x',
          task_id: 'task-1',
          task_type: 'do_it',
          status: 'completed',
          timestamp: new Date().toISOString(),
          result: { by: 'forger' },
          message: HOSTILE,
        }
        const signature = {
          'signature-input': `sig1=("@method");keyid="${at}";tag="evil"`,
          signature: `sig1=:${Buffer.from('x').toString('base64')}:`,
        }
        await fetch(hook, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(at % 2 ? signature : {}) },
          body: JSON.stringify(fake),
        }).then((answer) => expect(answer.status).toBeGreaterThanOrEqual(400))
        forged += 1
      }
    }
    const args = ['--wait', '--receive', 'http://127.0.0.1:0', '--poll-interval', '1s']
    const ended = await call(`${agent.url}/mcp`, 'do_it', '{}', ...args, '--timeout', '40s')
    expect([ended.code, forged]).toEqual([0, 40])
    expect(JSON.parse(ended.stdout)).toMatchObject({ by: 'poll' })
    expect(ended.stderr.split('\n').length).toBeLessThan(25)
    expectQuiet(ended)
  })

  test('whose agent serves its brand.json without an end is called in its time', {
    timeout: 30_000,
  }, async () => {
    const agent = await rogue(({ path, body }, response) => {
      if (path.startsWith('/.well-known/')) {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{')
        return
      }
      const { id } = JSON.parse(body) as Members
      json(response, 200, { jsonrpc: '2.0', id, result: submitted() })
    })
    const args = ['--wait', '--receive', 'http://127.0.0.1:0', '--timeout', '3s']
    const ended = await call(`${agent.url}/mcp`, 'do_it', '{}', ...args)
    expect(ended.code).toBe(6)
  })
})

test('one wide cell does not make every row of a table as wide', () => {
  const rows = Array.from({ length: 10_000 }, () => ['a', 'b'])
  const lines = fittedLines(
    { header: ['first', 'second'], rows: [['w'.repeat(100_000), 'b'], ...rows] },
    undefined,
  )
  expect(lines[1]).toBe(`${'w'.repeat(100_000)}  b`)
  expect(lines.reduce((sum, line) => sum + line.length, 0)).toBeLessThan(4_000_000)
})

describe('an examination', () => {
  test('of an agent that is slow with everything ends when its time is up', async () => {
    const agent = await rogue(({ path }, response) => {
      if (path === '/') json(response, 200, {})
    })
    const report = await examineAgent({
      agentUrl: agent.url,
      protocolName: 'proto',
      callTimeoutMs: 1_000,
      wholeTimeoutMs: 3_000,
    })
    const text = reportLines(report, pc.createColors(false)).join('\n')
    expect(text).toContain('the time limit for all checks was reached')
    expect(report.summary.skipped).toBeGreaterThan(5)
  })

  test('does not wait for a TLS handshake of which a byte comes now and then', async () => {
    const url = new URL(await rawServer((socket) => drip(socket, '\u0016\u0003\u0003')))
    await expect(inspect(url.hostname, Number(url.port), 500)).rejects.toThrow()
    const closing = new URL(await rawServer((socket) => void socket.end()))
    await expect(inspect(closing.hostname, Number(closing.port), 5_000)).rejects.toThrow()
  })
})

test('adwire receive prints nothing that a terminal obeys, and ends though a seller does not', {
  timeout: 60_000,
}, async () => {
  const seller = await rogue((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  })
  const hmac = `shared=${SECRET}`
  const args = ['--port', '0', '--data', folder(), '--trust', seller.url, '--hmac', hmac]
  const running = start(['receive', ...args])
  await eventually(() => expect(running.output.stdout).toMatch(/remembered .*\n/))
  const url = /listens on (\S+)/.exec(running.output.stdout)?.[1]
  const message = (at: number) => ({
    idempotency_key: `hostile-key-0123456789-${at}`,
    task_id: HOSTILE,
    task_type: 'do_it',
    status: 'completed',
    operation_id: HOSTILE,
    message: HOSTILE,
    result: { a: HOSTILE },
    timestamp: new Date().toISOString(),
  })
  const bytes = Buffer.from(JSON.stringify(message(1)))
  const signed = signHmac(bytes, SECRET, { names: NAMES, now: Date.now() / 1_000 })
  const post = (path: string, headers: Record<string, string>) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: bytes,
    })
  const path = `/hooks/${encodeURIComponent(HOSTILE)}`
  expect((await post(path, {})).status).toBeGreaterThanOrEqual(400)
  await post('/hooks/shared', signed.ok ? { ...signed.headers } : {})
  const lookingUp = post('/hooks/any', {
    'signature-input': `sig1=("@method");created=1;expires=2;nonce="n";keyid="${PAIR.publicJwk.kid}";alg="ed25519";tag="${NAMES.webhookTag}"`,
    signature: 'sig1=:AAAA:',
    // It may be cut off by the end of the receiver, below.
  }).catch(() => {})
  await eventually(() => expect(running.output.stdout).toContain('evil'))
  running.child.kill('SIGTERM')
  await running.ended
  await lookingUp
  expectQuiet(running.output)
})
