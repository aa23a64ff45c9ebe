// `GET /` and `GET /docs`: pages for anyone who opens the server in a browser, and a small index for programs
// that request JSON.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { A2A_PATH, MCP_PATH } from '../../protocol/agent-url.ts'
import type { Description } from './openapi.ts'
import { apiReferencePage, PAGE_POLICY, type Transport, welcomePage } from './pages.ts'

const TRANSPORTS: readonly Transport[] = [
  { name: 'API reference', path: '/docs', what: 'every operation, for people' },
  { name: 'OpenAPI', path: '/openapi.json', what: 'every operation, for programs' },
  { name: 'JSON Schemas', path: '/schemas/v3/index.json', what: 'every request and answer' },
  { name: 'HTTP', path: '/v3/{task}', what: 'tasks: POST a request object' },
  { name: 'MCP', path: MCP_PATH, what: 'tasks as tools: streamable HTTP, POST' },
  { name: 'A2A', path: A2A_PATH, what: 'tasks as skills: JSON-RPC of 1.0 and 0.3, POST' },
  { name: 'Agent card', path: '/.well-known/agent-card.json', what: 'the skills, for A2A' },
  { name: 'Registry', path: '/api/manifest-refs', what: 'manifests of domains' },
  { name: 'Change feed', path: '/api/registry/feed', what: 'what changed in the registry' },
  { name: 'Previews', path: '/previews/{preview_id}', what: 'pages that preview_creative made' },
  { name: 'Health', path: '/healthz', what: 'whether the process is alive' },
]

export function pageRoutes(app: FastifyInstance, description: () => Promise<Description>): void {
  const schema = (operationId: string, summary: string) => ({
    schema: { operationId, summary, tags: ['Operations'] },
  })
  app.get(
    '/',
    schema('getIndex', 'What this server is, and where its transports are'),
    (request, reply) => {
      reply.header('vary', 'accept')
      if (wantsPage(request.headers.accept)) return sendPage(reply, welcomePage(TRANSPORTS))
      const links = Object.fromEntries(TRANSPORTS.map(({ name, path }) => [name, path]))
      return reply
        .type('application/json; charset=utf-8')
        .send(JSON.stringify({ name: 'adwire', links }))
    },
  )
  let reference: Buffer | undefined
  app.get('/docs', schema('getDocs', 'This description as a page'), async (_request, reply) => {
    const { document } = await description()
    reference ??= Buffer.from(apiReferencePage(document))
    return sendPage(reply, reference)
  })
}

/** Browsers request HTML; programs request JSON or nothing specific. */
function wantsPage(accept = ''): boolean {
  return accept.includes('text/html')
}

function sendPage(reply: FastifyReply, page: string | Buffer): FastifyReply {
  return reply
    .header('content-security-policy', PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(page)
}
