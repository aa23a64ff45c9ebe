// `/api/registry/domains/{domain}`: how an organisation proves that a domain is its own.

import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { refuse } from '../../../registry/refusal.ts'
import {
  askOwnership,
  type OwnerPorts,
  proveOwnership,
} from '../../../registry/saved/prove-owner.ts'
import { callerName, type GatePorts, mayWrite, sendRefusal, writersOnly } from './answers.ts'
import { challenge } from './proof-routes.ts'
import { refusals } from './schemas.ts'

export interface OwnerRoutePorts extends OwnerPorts, GatePorts {
  resourceMetadataUrl: () => string
  /** Looks for proofs, of one caller. */
  ownerChecks: RateLimit
}

const tags = ['Domains']
const security = [{ bearerAuth: [] }]
const params = z.object({ domain: z.string().min(1).max(2_048) })
const typed = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()
type TypedApp = ReturnType<typeof typed>

export function ownerRoutes(ports: OwnerRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = typed(plain)
    askRoute(app, ports)
    verifyRoute(app, ports)
  }
}

function askRoute(app: TypedApp, ports: OwnerRoutePorts): void {
  app.post(
    '/api/registry/domains/:domain/proof',
    {
      onRequest: writersOnly(ports),
      schema: {
        operationId: 'askDomainProof',
        summary: 'What to publish to prove that a domain is mine',
        description: 'The values are of the caller’s organisation, and the same at every call.',
        tags,
        security,
        params,
        response: {
          200: challenge.extend({ success: z.literal(true), parent: challenge.nullable() }),
          ...refusals(400, 401, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await mayWrite(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const asked = await askOwnership(ports, who.caller, request.params.domain)
      if (!asked.ok) return sendRefusal(reply, asked)
      return { success: true as const, ...asked.own, parent: asked.parent }
    },
  )
}

function verifyRoute(app: TypedApp, ports: OwnerRoutePorts): void {
  app.post(
    '/api/registry/domains/:domain/verify',
    {
      onRequest: writersOnly(ports),
      schema: {
        operationId: 'proveDomain',
        summary: 'Look for the proof now',
        description:
          'Once it is found, only the caller’s organisation saves entries for the domain, and they are public at ' +
          'once. An organisation that proves it later takes its place.',
        tags,
        security,
        params,
        response: {
          200: z.object({
            domain: z.string(),
            verified: z.boolean(),
            proved_by: z.string().nullable().describe('dns, file, parent_dns or parent_file'),
            tried: z.array(z.string()).describe('What was looked for, if nothing was found'),
          }),
          ...refusals(400, 401, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await mayWrite(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const answer = ports.ownerChecks.take(callerName(who.caller))
      if (!answer.ok) {
        const message = 'too many looks for proofs: retry after Retry-After seconds'
        const retryAfter = answer.retryAfterSeconds
        return sendRefusal(reply, refuse(429, 'Too many requests', { message, retryAfter }))
      }
      const result = await proveOwnership(ports, who.caller, request.params.domain)
      if (!result.ok) return sendRefusal(reply, result)
      const { domain, verified, proved_by, tried } = result
      return { domain, verified, proved_by, tried }
    },
  )
}
