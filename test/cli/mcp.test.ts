// `adwire mcp` as an assistant has it: a process that speaks MCP on its pipes.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { adwire, folder } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'
import { type RogueAgent, startRogueAgent, toolResult } from '../support/rogue-agent.ts'
import { type SignalAgent, startSignalAgent } from '../support/signal-agent.ts'
import { callerWith, requestKey } from '../support/signed-caller.ts'

type Json = Record<string, unknown>

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const TOOL = 'call_proto_agent'
const HERE = ['--allow-host', '127.0.0.1']

let other: SignalAgent
let rogue: RogueAgent
beforeAll(async () => {
  other = await startSignalAgent()
  rogue = await startRogueAgent()
})
afterAll(async () => {
  await Promise.all([other.stop(), rogue.stop()])
})

type Mode = 'legacy' | 'auto' | { pin: string }

/** A public MCP client, with what the process wrote on standard error. */
async function connected(
  args: readonly string[],
  mode: Mode = 'legacy',
  env: Record<string, string> = {},
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', ...args],
    stderr: 'pipe',
    env: { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: '/nonexistent', ...env },
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk) => {
    stderr += String(chunk)
  })
  const client = new Client({ name: 'assistant', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const use = async (request: Json) => {
    const result = await client.callTool({ name: TOOL, arguments: request })
    return { isError: result.isError, body: result.structuredContent as Json }
  }
  return { client, use, stderr: () => stderr }
}

const MODES: [string, Mode][] = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
  ['2026-07-28 by probe', 'auto'],
]

describe.each(MODES)('spec 1: an assistant with revision %s', (revision, mode) => {
  test('discovers, activates and waits, with a key that only the process knows', async () => {
    const file = join(folder(), 'key')
    writeFileSync(file, `${other.key}\n`)
    const args = ['--agent', other.url, '--auth', `@${file}`, ...HERE]
    const { client, use, stderr } = await connected(args, mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(revision.slice(0, 10))
    expect(client.getInstructions()).toContain(other.url)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([TOOL])

    const agent = { agent_url: other.url }
    const found = await use({ ...agent, task: 'get_signals', params: other.search })
    expect(found).toMatchObject({ isError: false, body: { answer: { status: 'completed' } } })
    const task = { ...agent, task: 'activate_signal', params: other.activation() }
    expect(await use({ ...task, wait: true })).toMatchObject({
      isError: false,
      body: { answer: { status: 'completed', data: { deployments: [{ is_live: true }] } } },
    })
    expect(stderr()).toContain(TOOL)
    expect(stderr() + JSON.stringify(found)).not.toContain(other.key)
  })
})

test('the key of --agent goes to that agent and to no other', async () => {
  const { use } = await connected(['--agent', other.url, '--auth', other.key, ...HERE])
  rogue.answerWith(toolResult({ status: 'completed' }))
  const { isError } = await use({ agent_url: rogue.url, task: 'get_signals' })
  expect(isError).toBe(false)
  expect(JSON.stringify(rogue.received)).not.toContain(other.key)
})

test('a saved agent is called by its name, and its key goes nowhere else', async () => {
  const env = { XDG_CONFIG_HOME: folder() }
  await adwire(['agents', 'add', 'myagent', other.url, '--auth', other.key], env)
  const { client, use } = await connected(HERE, 'legacy', env)
  expect(client.getInstructions()).toMatch(/name of a saved agent: myagent\./)
  const found = await use({ agent_url: 'myagent', task: 'get_signals', params: other.search })
  expect(found).toMatchObject({ isError: false, body: { answer: { status: 'completed' } } })
  expect(JSON.stringify(found)).not.toContain(other.key)

  rogue.answerWith(toolResult({ status: 'completed' }))
  expect(await use({ agent_url: rogue.url, task: 'get_signals' })).toMatchObject({ isError: false })
  expect(JSON.stringify(rogue.received)).not.toContain(other.key)
  expect(await use({ agent_url: 'myagnet', task: 'get_signals' })).toMatchObject({
    isError: true,
    body: { errors: [{ code: 'INVALID_REQUEST', field: '/agent_url' }] },
  })
})

test('spec 5: calls of a saved agent are signed with its key, by its name alone', async () => {
  const env = { XDG_CONFIG_HOME: folder() }
  const keep = (jwk: unknown) => {
    const path = join(folder(), 'key.jwk')
    writeFileSync(path, JSON.stringify(jwk))
    return path
  }
  const pair = requestKey('signer-1')
  await callerWith(other.app, { jwk: pair.publicJwk })
  const key = keep(pair.privateJwk)
  await adwire(['agents', 'add', 'signed', other.url, '--sign-key', key], env)
  await adwire(['agents', 'add', 'unread', rogue.url, '--sign-key', key], env)
  const { use } = await connected(HERE, 'legacy', env)

  const task = { task: 'list_tasks', params: {} }
  expect(await use({ ...task, agent_url: 'signed' })).toMatchObject({
    isError: false,
    body: { answer: { status: 'completed' } },
  })
  expect(await use({ ...task, agent_url: other.url })).toMatchObject({ isError: true })

  rogue.answerWith(toolResult({ status: 'completed' }))
  const unread = await use({ ...task, agent_url: 'unread' })
  expect(unread).toMatchObject({ isError: true, body: { errors: [{ code: 'AGENT_CALL_FAILED' }] } })
  expect(JSON.stringify(unread)).toContain('does not declare that it reads')
})

test('without a flag that allows it, nothing on this machine is reached', async () => {
  const before = rogue.received.length
  const { use } = await connected([])
  for (const agent_url of [rogue.url, rogue.url.replace('http:', 'https:')]) {
    expect(await use({ agent_url, task: 'get_signals' })).toMatchObject({
      isError: true,
      body: { errors: [{ code: 'INVALID_REQUEST', field: '/agent_url' }] },
    })
  }
  expect(rogue.received).toHaveLength(before)
})

test('with --allow-private it is, and a redirect is followed nowhere', async () => {
  const { use } = await connected(['--allow-private'])
  const target = await startRogueAgent()
  onTestFinished(target.stop)
  rogue.answerWith((_request, response) => {
    response.writeHead(302, { location: `${target.url}/mcp` })
    response.end()
  })
  const request = { agent_url: rogue.url, task: 'get_signals', auth_token: 'tok_0123456789' }
  expect(await use(request)).toMatchObject({
    isError: true,
    body: { errors: [{ code: 'AGENT_CALL_FAILED' }] },
  })
  expect(target.received).toEqual([])
  // Where clouds keep their secrets is no network of one's own.
  expect(await use({ agent_url: 'http://169.254.169.254/', task: 'get_signals' })).toMatchObject({
    isError: true,
    body: { errors: [{ field: '/agent_url' }] },
  })
})

describe('the process', () => {
  const run = (...args: string[]) => {
    const child = spawn(process.execPath, [MAIN, 'mcp', ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '' },
    })
    const output = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => {
      output.stdout += String(chunk)
    })
    child.stderr.on('data', (chunk) => {
      output.stderr += String(chunk)
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const ended = once(child, 'close') as Promise<[number | null, string | null]>
    return { child, output, ended }
  }
  const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`

  test('answers what was sent before its input ended, and ends well', async () => {
    const { child, output, ended } = run(...HERE)
    rogue.answerWith(toolResult({ status: 'completed', n: 7 }))
    const params = { name: TOOL, arguments: { agent_url: rogue.url, task: 'get_signals' } }
    child.stdin.end(`no JSON\n${line({ id: 1, method: 'tools/call', params })}`)
    expect(await ended).toEqual([0, null])
    const messages = output.stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as Json)
    expect(messages).toMatchObject([
      { id: null, error: { code: -32_700 } },
      { id: 1, result: { structuredContent: { answer: { data: { n: 7 } } } } },
    ])
  })

  test('ends well on SIGTERM, with a call under way and its input open', async () => {
    const { child, ended } = run(...HERE)
    const before = rogue.received.length
    rogue.answerWith(() => {})
    const params = { name: TOOL, arguments: { agent_url: rogue.url, task: 'get_signals' } }
    child.stdin.write(line({ id: 1, method: 'tools/call', params }))
    await eventually(() => expect(rogue.received.length).toBeGreaterThan(before))
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  test.each([
    [['--auth', 'token'], '--agent'],
    [['--agent', 'nonsense'], '--agent must be a URL'],
    [['--agent', 'https://a.example', '--auth', '@/nowhere/key'], 'no such file'],
    [['--allow-host', 'a b'], '--allow-host'],
    [['--timeout', '0'], '--timeout'],
    [['--timeout', '4000'], '3600'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr, stdout } = await adwire(['mcp', ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})
