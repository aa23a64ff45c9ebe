import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import pc from 'picocolors'
import { describe, expect, onTestFinished, test } from 'vitest'
import { faultsOf, inspect } from '../../src/doctor/agent/reach.ts'
import { examineAgent } from '../../src/doctor/examine-agent.ts'
import { examineReceiver } from '../../src/doctor/examine-receiver.ts'
import { reportLines } from '../../src/doctor/report-text.ts'
import { closed } from '../support/broken-agents.ts'

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => closed(server))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const HOSTILE = 'x\u001b[2J\u001b]0;title\u0007\u202e\nFAKE  ok everything is well\r\u0000'
const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const json =
  (body: string): RequestListener =>
  (_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'www-authenticate': 'x' })
      .end(body)
  }

/** Returns this response to every request. */
const AGENTS: [string, RequestListener][] = [
  [
    'words to a terminal',
    json(
      JSON.stringify({
        name: HOSTILE,
        version: HOSTILE,
        url: HOSTILE,
        skills: [{ id: HOSTILE }],
        tasks: [HOSTILE],
        paths: { '/v3/x': { post: {} } },
        agents: [{ url: HOSTILE }],
        keys: [{ kid: HOSTILE }],
        status: 'failed',
        errors: [{ code: HOSTILE, message: HOSTILE, recovery: HOSTILE }],
        jsonrpc: '2.0',
        id: 1,
        error: { code: HOSTILE, message: HOSTILE },
      }),
    ),
  ],
  ['JSON without a bottom', json(nested)],
  ['something that is no JSON', json(HOSTILE)],
  ['an empty 204', (_request, response) => void response.writeHead(204).end()],
  [
    'a redirect to itself',
    (request, response) => void response.writeHead(302, { location: request.url }).end(),
  ],
  [
    'a body without an end',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) {}
      }
      response.on('drain', write)
      write()
    },
  ],
  ['a broken connection', (request) => void request.socket.destroy()],
]

describe('an agent that answers everything with', () => {
  test.each(AGENTS)(
    '%s is examined to the end, and nothing of it moves the cursor',
    async (_what, answer) => {
      const agentUrl = await listen(answer)
      const report = await examineAgent({
        agentUrl,
        protocolName: 'proto',
        key: 'adw_a-key-of-nobody',
        mayWrite: true,
        callTimeoutMs: 2_000,
        webhookWaitMs: 500,
      })
      expect(report.exit_code).not.toBe(0)
      const text = reportLines(report, pc.createColors(false)).join('\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
      expect(text).not.toContain('\nFAKE')
      expect(text).not.toContain('adw_a-key-of-nobody')
    },
  )
})

test('a web site that is not an agent is reported as such, and none of its checks pass as if it were one', async () => {
  const agentUrl = await listen(
    (_request, response) => void response.writeHead(404).end('<p>no</p>'),
  )
  const report = await examineAgent({ agentUrl, protocolName: 'proto' })
  expect(report.findings.map(({ check }) => check)).toContain('serves-tasks')
  const passed = report.checks.filter(({ state }) => state === 'passed')
  expect(passed.map(({ id }) => id)).toEqual(['reachable', 'error-leak'])
})

describe('no one is there', () => {
  test.each(['http://127.0.0.1:1', 'https://10.0.0.1', 'http://ads.example'])(
    'at %s: exit code 3, and nothing else is tried',
    async (agentUrl) => {
      const report = await examineAgent({ agentUrl, protocolName: 'proto', callTimeoutMs: 2_000 })
      expect(report.exit_code).toBe(3)
      expect(report.checks.map(({ id }) => id)).toEqual(['reachable'])
    },
  )

  test('where a receiver should be: exit code 3', async () => {
    const report = await examineReceiver({
      url: 'http://127.0.0.1:1/hooks/any',
      protocolName: 'proto',
      credential: { kind: 'bearer', token: 'a-token-of-at-least-thirty-two-characters' },
    })
    expect(report.exit_code).toBe(3)
  })
})

describe('the certificate of an agent', () => {
  const fixture = (name: string) =>
    readFileSync(new URL(`../lib/safe-fetch/fixtures/${name}`, import.meta.url))

  test('is looked at without being trusted', async () => {
    const server = createTlsServer({
      key: fixture('server-key.pem'),
      cert: fixture('server-cert.pem'),
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => closed(server))
    const { port } = server.address() as AddressInfo
    const inspected = await inspect('127.0.0.1', port)
    expect(inspected.fault).toBeDefined()
    expect(inspected.protocol).toMatch(/^TLSv1\.[23]$/)
    expect(inspected.validTo).toBeGreaterThan(0)
  })

  const good = { fault: undefined, protocol: 'TLSv1.3', validTo: 100 * 86_400_000 }
  test.each([
    ['nothing', good, 0, []],
    [
      'that it ends soon',
      good,
      90 * 86_400_000,
      ['the certificate expires on 1970-04-11T00:00:00.000Z'],
    ],
    [
      'that it has ended',
      good,
      101 * 86_400_000,
      ['the certificate expired on 1970-04-11T00:00:00.000Z'],
    ],
    [
      'that nobody vouches for it',
      { ...good, fault: 'SELF_SIGNED' },
      0,
      ['the certificate is not trusted: SELF_SIGNED'],
    ],
    ['an old protocol', { ...good, protocol: 'TLSv1.1' }, 0, ['the connection is TLSv1.1']],
  ])('is reported with %s', (_what, inspected, now, expected) => {
    expect(faultsOf(inspected, now)).toEqual(expected)
  })
})
