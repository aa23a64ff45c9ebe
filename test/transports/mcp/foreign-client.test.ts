import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mcpRoutes } from '../../../src/transports/mcp/server.ts'
import { type TestDatabase, testDatabase } from '../../support/databases.ts'
import {
  ALICE_KEY,
  SECRET_MESSAGE,
  serveRoutes,
  type TestServer,
  testAgent,
} from '../../support/test-agent.ts'

let opened: TestDatabase
let server: TestServer

beforeAll(async () => {
  opened = await testDatabase('sqlite')
  const agent = testAgent({ database: opened.database })
  server = await serveRoutes([mcpRoutes(agent, { name: 'adwire', version: '1.2.3' })])
})
afterAll(async () => {
  await server.close()
  await opened.drop()
})

const MODES = [
  ['2025-11-25', 'legacy' as const],
  ['2026-07-28', { pin: '2026-07-28' }],
  ['2026-07-28 by probe', 'auto' as const],
] as const

describe.each(MODES)('the public MCP client, revision %s,', (revision, mode) => {
  const connected = async (key?: string) => {
    const client = new Client({ name: 'foreign', version: '1' }, { versionNegotiation: { mode } })
    const headers = key ? { authorization: `Bearer ${key}` } : undefined
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
        ...(headers ? { requestInit: { headers } } : {}),
      }),
    )
    return client
  }

  test('connects and learns who serves', async () => {
    const client = await connected()
    expect(client.getServerVersion()).toMatchObject({ name: 'adwire', version: '1.2.3' })
    expect(client.getNegotiatedProtocolVersion()).toBe(revision.slice(0, 10))
    expect(client.getServerCapabilities()).toEqual({ tools: {} })
    await client.close()
  })

  test('lists every task and alias with its shapes', async () => {
    const client = await connected()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'greet',
      'say_hello',
      'whoami',
      'refuse',
      'break_down',
      'submit',
      'large',
    ])
    const greet = tools[0]
    expect(greet).toMatchObject({
      description: 'Greets whoever is named.',
      inputSchema: { type: 'object', properties: { who: { type: 'string' } } },
      outputSchema: { type: 'object', properties: { greeting: { type: 'string' } } },
      annotations: { readOnlyHint: true },
    })
    expect(greet?.inputSchema.properties).toHaveProperty('idempotency_key')
    expect(tools[2]).not.toHaveProperty('annotations')
    await client.close()
  })

  test('calls a task and gets the body twice, with its context', async () => {
    const client = await connected()
    await client.listTools()
    const context = { trace: 't-1', nested: { a: [1, null] } }
    const result = await client.callTool({ name: 'greet', arguments: { who: 'you', context } })
    expect(result.isError).toBe(false)
    expect(result.structuredContent).toEqual({
      status: 'completed',
      greeting: 'hello you',
      proto_version: '3.1',
      context,
    })
    const [content] = result.content
    expect(JSON.parse((content as { text: string }).text)).toEqual(result.structuredContent)
    await client.close()
  })

  test('calls with a key, and receives the transport and the address of its call', async () => {
    const client = await connected(ALICE_KEY)
    const { structuredContent } = await client.callTool({ name: 'whoami', arguments: {} })
    expect(structuredContent).toMatchObject({
      principal_id: 'prn_alice',
      transport: 'mcp',
      called_on: server.url,
    })
    await client.close()
  })

  test('gets a large answer, and one that was accepted for later', async () => {
    const client = await connected(ALICE_KEY)
    await client.listTools()
    const { structuredContent } = await client.callTool({ name: 'large', arguments: {} })
    expect((structuredContent as { rows: unknown[] }).rows).toHaveLength(1_000)
    const accepted = await client.callTool({ name: 'submit', arguments: {} })
    expect(accepted.isError).toBe(false)
    expect(accepted.structuredContent).toMatchObject({ status: 'submitted', task_id: 'task_later' })
    await client.close()
  })

  test('is refused inside the result, with code and message', async () => {
    const client = await connected()
    await client.listTools()
    const result = await client.callTool({ name: 'refuse', arguments: { context: { a: 1 } } })
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toMatchObject({
      status: 'failed',
      errors: [{ code: 'FORMAT_NOT_SUPPORTED', message: 'there is no such format' }],
      proto_error: { code: 'FORMAT_NOT_SUPPORTED' },
      context: { a: 1 },
    })
    await client.close()
  })

  test('never sees what a task threw', async () => {
    const client = await connected()
    const result = await client.callTool({ name: 'break_down', arguments: {} })
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toMatchObject({ proto_error: { code: 'SERVICE_UNAVAILABLE' } })
    expect(JSON.stringify(result)).not.toContain(SECRET_MESSAGE)
    await client.close()
  })

  test('receives an HTTP 401 for a missing key', async () => {
    const client = await connected()
    const refused = await client.callTool({ name: 'whoami', arguments: {} }).catch((error) => error)
    expect(refused).toBeInstanceOf(Error)
    expect(String(refused.message)).toContain('AUTH_MISSING')
    await client.close()
  })

  test('gets the list of existing tools when it requests another', async () => {
    const client = await connected()
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('unknown tool "nothing": the tools are greet, say_hello'),
    })
    await client.close()
  })
})
