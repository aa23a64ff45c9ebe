// `/api/registry/publishers` and `/api/registry/stats`: the known publishers, and the size of the registry.

import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import { stringifyPaced } from '../../../lib/paced-json.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { CATALOGUE_LIMITS } from '../../../registry/catalogue-limits.ts'
import { listPublishers, type RegistryStats } from '../../../registry/publishers/list-publishers.ts'
import type { PublisherStore } from '../../../registry/publishers/store.ts'
import { refuse } from '../../../registry/refusal.ts'
import { sendRefusal } from './answers.ts'
import { refusals } from './schemas.ts'

export interface PublisherRoutePorts {
  publishers: PublisherStore
  clock: Clock
  registryStats: () => Promise<RegistryStats>
  /** Reads of one address. */
  publisherReads: RateLimit
}

const tags = ['Publishers']
const LIST_COUNTS_AS = 20
const count = z.number().int()

export function publisherRoutes({
  publishers,
  clock,
  registryStats,
  publisherReads,
}: PublisherRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = plain.withTypeProvider<ZodTypeProvider>()
    app.get(
      '/api/registry/publishers',
      {
        schema: {
          operationId: 'listPublishers',
          summary: 'The publishers that have an adagents.json, in the order of their domains',
          description: 'The first 5000; /api/properties/registry has pages.',
          tags,
          response: {
            200: z.object({
              publishers: z.array(
                z.object({
                  domain: z.string(),
                  source: z.literal('discovered'),
                  agent_count: count,
                  property_count: count,
                  last_validated: z.string().optional(),
                  has_valid_adagents: z.literal(true),
                }),
              ),
              count,
              sources: z.object({ registered: count, discovered: count }),
            }),
            ...refusals(429),
          },
        },
      },
      async (request, reply) => {
        const answer = publisherReads.take(request.address, LIST_COUNTS_AS)
        if (!answer.ok) {
          const message = 'too many reads of publishers: wait and try again'
          const retryAfter = answer.retryAfterSeconds
          return sendRefusal(reply, refuse(429, 'Too many requests', { message, retryAfter }))
        }
        const listed = await listPublishers(
          { publishers, clock },
          { limit: CATALOGUE_LIMITS.publishersListed.value },
        )
        const sources = { registered: 0, discovered: listed.length }
        const body = { publishers: listed, count: listed.length, sources }
        const text = await stringifyPaced(body, Number.POSITIVE_INFINITY)
        return reply.type('application/json; charset=utf-8').send(text as never)
      },
    )
    app.get(
      '/api/registry/stats',
      {
        schema: {
          operationId: 'getRegistryStats',
          summary: 'How much the registry holds, up to half a minute old',
          tags,
          response: {
            200: z.object({
              brands: count,
              publishers: count,
              discovered: count.describe('Domains that only the files of others describe'),
              properties: count,
              authorizations: count,
              authorized_agents: count,
              registered_agents: count,
              counted_up_to: count.describe('A total that has reached it may be larger'),
            }),
            ...refusals(429),
          },
        },
      },
      async () => registryStats(),
    )
  }
}
