import { describe, expect, test } from 'vitest'
import { openAgent } from '../../src/client/open-agent.ts'
import { scriptedAgent } from './scripted-agent.ts'

const LOCAL = { allowPrivate: true, auth: 'adw_key' }
const say = () => ({ body: { status: 'completed' } })

describe('spec 4.2: the transport of an agent is found', () => {
  test.each([
    ['https://agent.example/mcp', 'mcp'],
    ['https://agent.example/ads/mcp/', 'mcp'],
    ['https://agent.example/a2a', 'a2a'],
    ['https://agent.example/.well-known/agent-card.json', 'a2a'],
    ['https://agent.example/.well-known/agent.json', 'a2a'],
    ['https://agent.example/v3', 'http'],
  ])('by the shape of %s, without asking', async (agentUrl, transport) => {
    const fetch = () => Promise.reject(new Error('nothing is asked'))
    expect(await openAgent({ agentUrl, fetch }).transport()).toEqual({ ok: true, transport })
  })

  test('by what the caller says, whatever the address', async () => {
    const fetch = () => Promise.reject(new Error('nothing is asked'))
    const opened = openAgent({ agentUrl: 'https://agent.example/mcp', transport: 'http', fetch })
    expect(await opened.transport()).toEqual({ ok: true, transport: 'http' })
  })

  test.each(['/mcp', '/'])(
    'MCP, said by the caller of an address without a path, at %s',
    async (endpoint) => {
      const requested: string[] = []
      const fetch: NonNullable<Parameters<typeof openAgent>[0]['fetch']> = async (request) => {
        const { pathname } = new URL(request.url)
        requested.push(pathname)
        const result = { tools: [{ name: 'do_it' }] }
        const { id } = JSON.parse(request.body ?? '{}') as { id: number }
        const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }))
        return pathname === endpoint
          ? { status: 200, headers: { 'content-type': 'application/json' }, body }
          : { status: 404, headers: {}, body: Buffer.alloc(0) }
      }
      const opened = openAgent({ agentUrl: 'https://agent.example', transport: 'mcp', fetch })
      expect(await opened.transport()).toEqual({ ok: true, transport: 'mcp' })
      expect(requested.at(-1)).toBe(endpoint)
      const elsewhere = openAgent({
        agentUrl: 'https://agent.example/ads',
        transport: 'mcp',
        fetch,
      })
      const before = requested.length
      expect(await elsewhere.transport()).toEqual({ ok: true, transport: 'mcp' })
      expect(requested).toHaveLength(before)
    },
  )

  test('by asking, once, with requests that change nothing', async () => {
    const agent = await scriptedAgent({ say })
    const opened = openAgent({ ...LOCAL, agentUrl: agent.url })
    expect(await opened.transport()).toEqual({ ok: true, transport: 'mcp' })
    const requested = agent.seen.length
    await opened.call('get_things', {})
    await opened.call('get_things', {})
    expect(agent.requests('get_things')).toHaveLength(2)
    // One listing more, which says whether a task that no one knows changes something.
    expect(agent.seen).toHaveLength(requested + 3)
    await opened.close()
  })

  test('A2A where there are no tools', async () => {
    const agent = await scriptedAgent({ say, tools: [], card: cardWith('do_it') })
    const opened = openAgent({ ...LOCAL, agentUrl: agent.url })
    expect(await opened.transport()).toEqual({ ok: true, transport: 'a2a' })
    expect(await opened.call('do_it', {})).toMatchObject({ ok: true, transport: 'a2a' })
    await opened.close()
  })

  test('or an error says that none was', async () => {
    const agent = await scriptedAgent({ say, tools: [] })
    const opened = openAgent({ ...LOCAL, agentUrl: agent.url })
    expect(await opened.transport()).toMatchObject({
      ok: false,
      error: { kind: 'unsupported', message: expect.stringContaining('no agent responds') },
    })
    await opened.close()
    for (const agentUrl of ['ftp://agent.example', 'agent', '']) {
      expect(await openAgent({ agentUrl }).transport()).toMatchObject({ ok: false })
    }
  })

  test('and an agent that is unavailable is probed again at the next call', async () => {
    const agent = await scriptedAgent({ say })
    let isAway = true
    const fetch: NonNullable<Parameters<typeof openAgent>[0]['fetch']> = async (request) => {
      if (isAway) throw new Error('away')
      const { url, method, headers, body } = request
      const response = await globalThis.fetch(url, { method, headers, ...(body ? { body } : {}) })
      const bytes = Buffer.from(await response.arrayBuffer())
      return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes }
    }
    const opened = openAgent({ agentUrl: agent.url, fetch })
    expect(await opened.transport()).toMatchObject({ ok: false, error: { kind: 'unreachable' } })
    isAway = false
    expect(await opened.transport()).toEqual({ ok: true, transport: 'mcp' })
  })
})

describe('whether a task that no one knows gets an idempotency key', () => {
  const schema = (...members: string[]) => ({
    properties: Object.fromEntries(members.map((name) => [name, {}])),
  })
  test.each([
    ['its annotation says that it reads', { annotations: { readOnlyHint: true } }, false],
    ['its annotation says that it changes', { annotations: { readOnlyHint: false } }, true],
    ['its schema has the member', { inputSchema: schema('a', 'idempotency_key') }, true],
    ['its schema has not', { inputSchema: schema('a') }, false],
    ['nothing is said', {}, true],
  ])('%s', async (_why, more, expected) => {
    const agent = await scriptedAgent({ say, tools: [{ name: 'do_it', ...more }] })
    const opened = openAgent({ ...LOCAL, agentUrl: `${agent.url}/mcp` })
    await opened.call('do_it', {})
    expect(agent.requests('do_it').map((one) => 'idempotency_key' in one)).toEqual([expected])
    await opened.close()
  })

  test('what the caller gives is sent as it is', async () => {
    const agent = await scriptedAgent({ say })
    const opened = openAgent({ ...LOCAL, agentUrl: `${agent.url}/mcp` })
    await opened.call('do_it', { idempotency_key: 'from the request' })
    await opened.call('get_things', {}, { idempotencyKey: 'from the options' })
    expect(agent.seen.map(({ request }) => request.idempotency_key).filter(Boolean)).toEqual([
      'from the request',
      'from the options',
    ])
    await opened.close()
  })
})

test('the extension of the protocol is named where a card demands it, and the input is `input`', async () => {
  const uri = 'https://ads.example/extensions/proto/v3'
  const card = (url: string) => ({
    ...cardWith('do_it')(url),
    capabilities: { extensions: [{ uri, required: true }] },
  })
  const agent = await scriptedAgent({ say, card })
  const opened = openAgent({ ...LOCAL, agentUrl: `${agent.url}/a2a` })
  expect(await opened.call('do_it', { a: 1 })).toMatchObject({ ok: true })
  const [called] = agent.seen.filter(({ task }) => task === 'do_it')
  expect(called?.headers['a2a-extensions']).toBe(uri)
  await opened.close()
})

function cardWith(skill: string) {
  return (url: string): Record<string, unknown> => {
    const at = { url: `${url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }
    return { supportedInterfaces: [at], skills: [{ id: skill }] }
  }
}
