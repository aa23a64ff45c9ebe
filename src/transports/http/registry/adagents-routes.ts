// `/api/adagents`: validates the adagents.json of a domain as served, and builds one from its parts.

import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { normaliseDomain } from '../../../lib/host-name.ts'
import { createAdagents } from '../../../protocol/adagents/create-file.ts'
import type { FileFault } from '../../../protocol/adagents/faults.ts'
import { type Refusal, refuse } from '../../../registry/refusal.ts'
import { sendRefusal } from './answers.ts'
import { checkSite, listedFaults, type SiteCheckPorts } from './check-site.ts'
import { refusals } from './schemas.ts'

export interface AdagentsRoutePorts extends SiteCheckPorts {
  /** The value of `$schema` in a created file. */
  schemaUrl: string
}

const tags = ['Validation tools']
const fault = z.object({
  field: z.string().describe('RFC 6901'),
  message: z.string(),
  severity: z.enum(['error', 'warning']),
  line: z.number().optional(),
})
const validation = z.looseObject({
  valid: z.boolean(),
  errors: z.array(fault),
  warnings: z.array(fault),
})
const typed = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()
type TypedApp = ReturnType<typeof typed>

export function adagentsRoutes(ports: AdagentsRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = typed(plain)
    validateRoute(app, ports)
    createRoute(app, ports)
  }
}

function validateRoute(app: TypedApp, ports: AdagentsRoutePorts): void {
  app.post(
    '/api/adagents/validate',
    {
      schema: {
        operationId: 'validateAdagents',
        summary: 'Fetches and checks the adagents.json of a domain',
        description:
          'A pointer is followed, and a domain without a file is looked for in ads.txt: the file that speaks for the ' +
          'domain decides whether it is valid.',
        tags,
        body: z.object({ domain: z.string().max(2_048) }),
        response: {
          200: z.object({
            success: z.boolean(),
            data: z.object({
              domain: z.string(),
              found: z.boolean().describe('Whether a file speaks for the domain'),
              validation,
            }),
            timestamp: z.string(),
          }),
          ...refusals(400, 429),
        },
      },
    },
    async (request, reply) => {
      const named = normaliseDomain(request.body.domain)
      if (!named.ok) return sendRefusal(reply, refuse(400, named.reason))
      const taken = ports.fetches.take(request.account)
      if (!taken.ok) {
        const retryAfter = taken.retryAfterSeconds
        return sendRefusal(reply, refuse(429, 'Too many requests', { retryAfter }))
      }
      const data = await checkSite(ports, request.account, named.domain)
      return {
        success: true,
        data: { domain: named.domain, ...data },
        timestamp: new Date(ports.clock.now()).toISOString(),
      }
    },
  )
}

function createRoute(app: TypedApp, ports: AdagentsRoutePorts): void {
  app.post(
    '/api/adagents/create',
    {
      schema: {
        operationId: 'createAdagents',
        summary: 'Makes an adagents.json from its parts, and checks it',
        description:
          'An entry without authorization_type gets the one that its other members mean; one that names no properties ' +
          'gets those of the file. What is still missing is in `validation`; what is wrong is 400.',
        tags,
        body: z.looseObject({
          authorized_agents: z.array(z.looseObject({})),
          properties: z.array(z.looseObject({})).optional(),
          domain: z.string().max(253).optional().describe('Where it would be served'),
          include_schema: z.boolean().optional(),
          include_timestamp: z.boolean().optional().describe('Default true'),
        }),
        response: {
          200: z.object({
            success: z.literal(true),
            data: z.object({
              success: z.literal(true),
              adagents_json: z.looseObject({}),
              validation,
            }),
            timestamp: z.string(),
          }),
          ...refusals(400, 413, 429),
        },
      },
    },
    async (request, reply) => {
      const { domain, include_schema, include_timestamp, ...parts } = request.body
      const named = domain === undefined ? undefined : normaliseDomain(domain)
      if (named && !named.ok) return sendRefusal(reply, refuse(400, named.reason))
      const timestamp = new Date(ports.clock.now()).toISOString()
      const created = createAdagents(parts, {
        timestamp: include_timestamp === false ? undefined : timestamp,
        schemaUrl: include_schema === true ? ports.schemaUrl : undefined,
      })
      if (!created.ok) return sendRefusal(reply, refuse(400, created.error))
      const { maxProperties, allowHttp } = ports
      const file = {
        type: 'adagents.json' as const,
        bytes: Buffer.from(created.text),
        domain: named?.domain ?? null,
        maxProperties,
        allowHttp,
      }
      const { summary, faults, valid, total_faults } = await ports.check(file, request.account)
      const wrong = firstWrong(faults, created.missing)
      if (wrong) return sendRefusal(reply, wrong)
      return {
        success: true as const,
        data: {
          success: true as const,
          adagents_json: created.document,
          validation: { valid, ...listedFaults(faults), total_faults, summary },
        },
        timestamp,
      }
    },
  )
}

/** Missing parts can be added to the file; invalid ones are rejected. */
function firstWrong(
  faults: readonly FileFault[],
  missing: ReadonlySet<string>,
): Refusal | undefined {
  const first = faults.find(
    ({ pointer, severity }) => severity === 'error' && !missing.has(pointer),
  )
  return first && refuse(400, `${first.pointer} ${first.message}`.trim(), { faults })
}
