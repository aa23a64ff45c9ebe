// `/api/registry/reviews`: entries that wait for a moderator, and the decision.

import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { listReviews, REVIEWED_KINDS, type Reviews } from '../../../registry/reviews.ts'
import { sendRefusal } from './answers.ts'
import { type ContributorPorts, mayModerate, moderatorsOnly } from './contributor-gate.ts'
import { refusals } from './schemas.ts'

export interface ReviewRoutePorts extends ContributorPorts {
  reviews: Reviews
}

const tags = ['Moderation']
const security = [{ bearerAuth: [] }]
const reviewed = z.object({ kind: z.enum(REVIEWED_KINDS), key: z.string().max(300) })
const DECISIONS = ['approve', 'reject'] as const

export function reviewRoutes(ports: ReviewRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = plain.withTypeProvider<ZodTypeProvider>()
    app.get(
      '/api/registry/reviews',
      {
        onRequest: moderatorsOnly(ports),
        schema: {
          operationId: 'listReviews',
          summary: 'Contributions that wait for a moderator, the oldest first',
          tags,
          security,
          querystring: z.object({
            kind: z.enum(REVIEWED_KINDS).optional(),
            limit: z.coerce.number().int().min(1).max(100).default(50),
          }),
          response: {
            200: z.object({
              reviews: z.array(
                z.object({
                  kind: z.enum(REVIEWED_KINDS),
                  key: z.string(),
                  name: z.string(),
                  contributed_by_org_id: z.string().nullable(),
                  submitted_at: z.string(),
                  content: z.looseObject({}),
                }),
              ),
            }),
            ...refusals(400, 401, 403, 429),
          },
        },
      },
      async (request) => {
        const { kind, limit } = request.query
        const items = await listReviews(ports.reviews, { kind, limit })
        return { reviews: items.map((item) => ({ ...item, content: { ...item.content } })) }
      },
    )
    for (const decision of DECISIONS) {
      app.post(
        `/api/registry/reviews/:kind/:key/${decision}`,
        {
          onRequest: moderatorsOnly(ports),
          schema: {
            operationId: `${decision}Review`,
            summary:
              decision === 'approve' ? 'Make a contribution public' : 'Reject a contribution',
            tags,
            security,
            params: reviewed,
            response: {
              200: z.object({ success: z.literal(true) }),
              ...refusals(400, 401, 403, 404, 409, 429),
            },
          },
        },
        async (request, reply) => {
          const who = await mayModerate(ports, request)
          if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
          const { kind, key } = request.params
          const decided = await ports.reviews[kind][decision](key, who.moderator)
          return decided.ok ? { success: true as const } : sendRefusal(reply, decided)
        },
      )
    }
  }
}
