// `GET /api/manifest-refs/lookup` and `GET /api/search` (spec 4.1): public, and requested constantly.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type LookupPorts, lookupManifestRef } from '../../../registry/lookup-manifest-ref.ts'
import { refuse } from '../../../registry/refusal.ts'
import { type SearchPorts, searchRegistry } from '../../../registry/search-registry.ts'
import type { ReferenceStore } from '../../../registry/store.ts'
import { unchecked } from '../unchecked.ts'
import { sendRefusal } from './answers.ts'
import { lookupAnswer, refusals, searchAnswer } from './schemas.ts'

export const LOOKUP_PATH = '/api/manifest-refs/lookup'

type LookupRoutePorts = SearchPorts &
  Required<LookupPorts> & { references: Pick<ReferenceStore, 'bestJson' | 'search'> }

export function lookupRoutes(ports: LookupRoutePorts) {
  return (app: FastifyInstance): void => {
    app.get(
      LOOKUP_PATH,
      {
        config: { quiet: true, counts: 'lookups' },
        validatorCompiler: unchecked,
        schema: {
          operationId: 'lookupManifestRef',
          summary: 'The best manifest reference for a domain',
          tags: ['Search'],
          querystring: z.object({
            domain: z.string().describe('Host name, such as acme.example'),
            type: z.string().optional().describe('brand.json (default) or adagents.json'),
          }),
          response: { 200: lookupAnswer, ...refusals(400, 429) },
        },
      },
      async (request, reply) => {
        const query = request.query as Record<string, string | string[] | undefined>
        const { domain, type } = query
        if (Array.isArray(domain) || Array.isArray(type)) {
          const name = Array.isArray(domain) ? 'domain' : 'type'
          return sendRefusal(reply, refuse(400, `${name} was given twice: send it once`))
        }
        const answer = await lookupManifestRef(ports, { domain, type })
        if (!answer.ok) return sendRefusal(reply, answer)
        // Already the bytes of the response: a string with its content type set is sent unchanged.
        reply.header('content-type', 'application/json; charset=utf-8')
        return reply.send(answer.json)
      },
    )
    app.get(
      '/api/search',
      {
        validatorCompiler: unchecked,
        schema: {
          operationId: 'search',
          summary: 'Brands, publishers and properties by name or domain',
          tags: ['Search'],
          querystring: z.object({ q: z.string().min(2).max(200) }),
          response: { 200: searchAnswer, ...refusals(400, 429) },
        },
      },
      async (request: FastifyRequest, reply) => {
        const { q } = request.query as Record<string, string | string[] | undefined>
        if (Array.isArray(q))
          return sendRefusal(reply, refuse(400, 'q was given twice: send it once'))
        const answer = await searchRegistry(ports, q)
        return answer.ok ? answer.body : sendRefusal(reply, answer)
      },
    )
  }
}
