// `/api/public`: calls an agent now and returns its response.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { siteOf } from '../../../lib/host-name.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { canonicalAgentUrl } from '../../../protocol/agent-url.ts'
import { CATALOGUE_LIMITS } from '../../../registry/catalogue-limits.ts'
import {
  discoverAgent,
  FORMATS,
  listOfAgent,
  PRODUCTS,
  type ProbePorts,
  PUBLISHERS,
} from '../../../registry/probing/discover-agent.ts'
import { type Refusal, refuse } from '../../../registry/refusal.ts'
import { sendRefusal } from './answers.ts'
import { refusals } from './schemas.ts'

export interface ProbeRoutePorts extends ProbePorts {
  /** Agents that one caller may have called. */
  probes: RateLimit
  /** Calls of the agents of one site. */
  ofSite: RateLimit
  /** Calls that run now. */
  running: { count: number }
}

const tags = ['Agent probing']
const query = z.object({ url: z.string().max(2_048).optional().describe('The URL of the agent') })
const count = z.number().int().optional()
const discovered = z.object({
  name: z.string(),
  description: z.string().optional(),
  protocols: z.array(z.enum(['mcp', 'a2a'])),
  type: z.string(),
  tools_count: z.number().int(),
  tools: z.array(z.object({ name: z.string(), description: z.string().optional() })),
  stats: z.object({ format_count: count, product_count: count, publisher_count: count }),
})

const LISTS = [
  {
    path: '/api/public/agent-formats',
    operationId: 'getAgentFormats',
    list: FORMATS,
    member: 'formats',
    what: 'The creative formats',
  },
  {
    path: '/api/public/agent-products',
    operationId: 'getAgentProducts',
    list: PRODUCTS,
    member: 'products',
    what: 'The products',
  },
  {
    path: '/api/public/agent-publishers',
    operationId: 'getAgentPublishers',
    list: PUBLISHERS,
    member: 'properties',
    what: 'The properties or publishers',
  },
] as const

export function probeRoutes(ports: ProbeRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = plain.withTypeProvider<ZodTypeProvider>()
    app.get(
      '/api/public/discover-agent',
      {
        schema: {
          operationId: 'discoverAgent',
          summary: 'What an agent is, by its tools and its card',
          description: 'Calls the agent, for at most 10 seconds, without a credential.',
          tags,
          querystring: query,
          response: { 200: discovered, ...refusals(400, 429, 502, 503, 504) },
        },
      },
      async (request, reply) => {
        const found = await withinLimits(ports, request, () =>
          discoverAgent(ports, request.query.url, request.account),
        )
        return found.ok ? found.agent : sendRefusal(reply, found)
      },
    )
    for (const { path, operationId, list, member, what } of LISTS) {
      app.get(
        path,
        {
          schema: {
            operationId,
            summary: `${what} that an agent answers with, the first 200`,
            tags,
            querystring: query,
            response: {
              200: z.object({ success: z.literal(true) }).catchall(z.array(z.unknown())),
              ...refusals(400, 429, 502, 503, 504),
            },
          },
        },
        async (request, reply) => {
          const found = await withinLimits(ports, request, () =>
            listOfAgent(ports, { url: request.query.url, list, owner: request.account }),
          )
          if (!found.ok) return sendRefusal(reply, found)
          const body = { success: true, [member]: found.items }
          return reply.type('application/json; charset=utf-8').send(JSON.stringify(body) as never)
        },
      )
    }
  }
}

/** Limits: calls per caller, calls to one site by all callers, and concurrent calls. */
async function withinLimits<T>(
  ports: ProbeRoutePorts,
  request: FastifyRequest<{ Querystring: { url?: string | undefined } }>,
  probe: () => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const { probes, ofSite, running } = ports
  const own = probes.take(request.account)
  if (!own.ok) return tooMany('too many calls of agents', own.retryAfterSeconds)
  const site = agentSite(request.query.url)
  const theirs = site === undefined ? own : ofSite.take(site)
  if (!theirs.ok) return tooMany(`too many calls of agents of ${site}`, theirs.retryAfterSeconds)
  if (running.count >= CATALOGUE_LIMITS.agentProbesAtOnce.value) return BUSY
  running.count += 1
  try {
    return await probe()
  } finally {
    running.count -= 1
  }
}

function agentSite(url: string | undefined): string | undefined {
  const canonical = url === undefined ? undefined : canonicalAgentUrl(url)
  return canonical === undefined ? undefined : siteOf(new URL(canonical).hostname)
}

function tooMany(what: string, retryAfter: number): Refusal {
  return refuse(429, 'Too many requests', {
    message: `${what}: retry after Retry-After seconds`,
    retryAfter,
  })
}

const BUSY = refuse(503, 'The server is calling as many agents as it may: try again', {
  retryAfter: 5,
})
