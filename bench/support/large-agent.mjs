// An agent of another party, for benches of calls to it: it speaks MCP and answers every task with a large result.
import { createServer } from 'node:http'

const SIGNALS = 2_000

const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'Large agent', version: '1.0.0' },
  }),
  'tools/list': () => ({
    tools: [{ name: 'get_signals', inputSchema: { type: 'object' } }],
  }),
  'tools/call': () => ({ content: [], structuredContent: large() }),
}

function large() {
  const signals = Array.from({ length: SIGNALS }, (_, n) => ({
    signal_agent_segment_id: `segment_${n}`,
    name: `Segment ${n}`,
    description: 'People who plan a journey by train in the next three months. '.repeat(5),
    deployments: [{ type: 'platform', platform: 'example', is_live: true }],
  }))
  return { status: 'completed', signals }
}

/** Listens on a free port until it is closed. */
export async function startLargeAgent() {
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    const result = RESULTS[method]
    if (id === undefined) return response.writeHead(202).end()
    response.setHeader('content-type', 'application/json')
    const answer = result
      ? { result: result(params) }
      : { error: { code: -32601, message: 'there is no such method' } }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
