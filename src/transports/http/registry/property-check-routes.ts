// `/api/properties/check`: checks a list of properties; the counts are kept for a week.

import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { CATALOGUE_LIMITS } from '../../../registry/catalogue-limits.ts'
import {
  checkPropertyList,
  type PropertyCheckPorts,
  REPORT_RETENTION_DAYS,
} from '../../../registry/properties/check-property-list.ts'
import { refuse } from '../../../registry/refusal.ts'
import { sendRefusal } from './answers.ts'
import { refusals } from './schemas.ts'

export interface PropertyCheckRoutePorts extends PropertyCheckPorts {
  clock: Clock
  /** Checks of one address. */
  checks: RateLimit
}

const tags = ['Properties']
const DAY_MS = 24 * 60 * 60 * 1_000
const summary = z.object({
  total: z.number().int(),
  remove: z.number().int(),
  modify: z.number().int(),
  assess: z.number().int(),
  ok: z.number().int(),
})
const answer = z.object({
  summary,
  remove: z.array(
    z.object({
      input: z.string(),
      canonical: z.string(),
      reason: z.enum(['duplicate', 'blocked']),
      domain_type: z.enum(['ad_server', 'intermediary', 'cdn', 'tracker']).optional(),
      blocked_reason: z.string().optional(),
    }),
  ),
  modify: z.array(
    z.object({
      input: z.string(),
      canonical: z.string(),
      reason: z.enum(['www_stripped', 'm_stripped']),
    }),
  ),
  assess: z.array(z.object({ domain: z.string() })),
  ok: z.array(z.object({ domain: z.string(), source: z.string() })),
  report_id: z.string(),
})
const NOT_FOUND = refuse(404, 'Report not found')

export function propertyCheckRoutes(ports: PropertyCheckRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = plain.withTypeProvider<ZodTypeProvider>()
    const { clock, checks, propertyChecks } = ports
    app.post(
      '/api/properties/check',
      {
        schema: {
          operationId: 'checkPropertyList',
          summary: 'What to remove from a list of properties, to change in it and to look at',
          description:
            'Each domain is in exactly one of remove, ok and assess; one whose www. or m. was dropped is in ' +
            'modify as well.',
          tags,
          body: z.object({
            domains: z
              .array(z.string().max(500))
              .min(1)
              .max(CATALOGUE_LIMITS.propertiesChecked.value),
          }),
          response: { 200: answer, ...refusals(400, 413, 429) },
        },
      },
      async (request, reply) => {
        const taken = checks.take(request.address)
        if (taken.ok) return checkPropertyList(ports, request.body.domains)
        return sendRefusal(
          reply,
          refuse(429, 'Too many requests', {
            message: 'too many checks of property lists: retry after Retry-After seconds',
            retryAfter: taken.retryAfterSeconds,
          }),
        )
      },
    )
    app.get(
      '/api/properties/check/:reportId',
      {
        schema: {
          operationId: 'getPropertyCheckReport',
          summary: 'What a check counted',
          tags,
          params: z.object({ reportId: z.string().max(100) }),
          response: { 200: z.object({ summary }), ...refusals(400, 404, 429) },
        },
      },
      async (request, reply) => {
        const { reportId } = request.params
        if (!UUID.test(reportId)) return sendRefusal(reply, NOT_FOUND)
        const since = clock.now() - REPORT_RETENTION_DAYS * DAY_MS
        const found = await propertyChecks.report(reportId.toLowerCase(), since)
        return found ? { summary: found } : sendRefusal(reply, NOT_FOUND)
      },
    )
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
