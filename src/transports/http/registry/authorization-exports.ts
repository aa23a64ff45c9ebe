// Whole lists of authorizations, for callers with a key: those of an agent or a publisher, and all of them as JSON lines.

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { defined } from '../../../lib/defined.ts'
import { AUTHORIZATION_LIMITS } from '../../../registry/authorizations/limits.ts'
import { unchecked } from '../unchecked.ts'
import { authenticated, sendRefusal } from './answers.ts'
import { authorizationsOf, parseOwners } from './authorization-owners.ts'
import type { AuthorizationRoutePorts } from './authorization-ports.ts'
import { refusals } from './schemas.ts'
import { parseSnapshot, sendSnapshot, snapshotRow } from './snapshot.ts'

const tags = ['Authorization lookups']
type Query = Record<string, string | string[] | undefined>

export function authorizationExports(app: FastifyInstance, ports: AuthorizationRoutePorts): void {
  const security = [{ bearerAuth: [] }]
  app.get(
    '/api/registry/authorizations',
    {
      validatorCompiler: unchecked,
      schema: {
        operationId: 'getAuthorizations',
        summary: 'The authorizations of an agent, of a publisher, or of both',
        tags,
        security,
        querystring: z.object({
          agent_url: z.string().optional(),
          publisher_domain: z.string().optional(),
        }),
        response: { 200: z.looseObject({}), ...refusals(400, 401, 429) },
      },
    },
    async (request, reply) => {
      const who = await authenticated(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const requested = parseOwners(request.query as Query)
      if (!requested.ok) return sendRefusal(reply, requested)
      const { agent_url, publisher_domain } = requested
      const rows = await authorizationsOf(ports, requested)
      const live = rows.filter(({ status }) => status === 'live').map(snapshotRow)
      return {
        ...defined({ agent_url, publisher_domain }),
        evidence: ['adagents_json'],
        include: 'effective',
        rows: live,
        count: live.length,
        has_more: rows.length >= AUTHORIZATION_LIMITS.agentsOfPublisher.value,
      }
    },
  )
  app.get(
    '/api/registry/authorizations/snapshot',
    {
      validatorCompiler: unchecked,
      schema: {
        operationId: 'getAuthorizationSnapshot',
        summary:
          'Every authorization, as JSON lines, to follow in the change feed from X-Sync-Cursor',
        tags,
        security,
        querystring: z.object({
          limit: z.string().optional().describe('1 to 10000 rows; all of them without it'),
          after: z.string().optional().describe('X-Next-After of the page before'),
        }),
        response: { 200: z.string().describe('application/x-ndjson'), ...refusals(400, 401, 429) },
      },
    },
    async (request, reply) => {
      const who = await authenticated(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const requested = parseSnapshot(request.query as Query)
      if (!requested.ok) return sendRefusal(reply, requested)
      return sendSnapshot(ports, reply, requested.part)
    },
  )
}
