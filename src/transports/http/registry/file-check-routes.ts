// Tools for people who write adagents.json, brand.json or ads.txt: every fault of a file, with line and pointer.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import { fetchHops } from '../../../lib/fetch-hops.ts'
import { normaliseDomain } from '../../../lib/host-name.ts'
import type { Egress } from '../../../lib/safe-fetch/safe-fetch.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import type { FileReport, FileToCheck } from '../../../protocol/adagents/check-file.ts'
import { createAdagents } from '../../../protocol/adagents/create-file.ts'
import { FILE_TYPES } from '../../../protocol/adagents/file-types.ts'
import { wellKnownUrl } from '../../../registry/crawler/find-file.ts'
import { CRAWL_MS } from '../../../registry/crawler/limits.ts'
import { refuse } from '../../../registry/refusal.ts'
import { sendRefusal } from './answers.ts'
import { refusals } from './schemas.ts'

export interface FileCheckPorts {
  check(file: FileToCheck, owner: string): Promise<FileReport>
  fetch: Egress['fetch']
  clock: Clock
  /** Files of others that one caller may have fetched. */
  fetches: RateLimit
  maxBytes: number
  maxProperties: number
  allowHttp: boolean
  /** What `$schema` of a created file is. */
  schemaUrl: string
}

const tags = ['Validation tools']

const report = z.object({
  type: z.enum(FILE_TYPES),
  valid: z.boolean(),
  faults: z.array(
    z.object({
      pointer: z.string().describe('RFC 6901'),
      message: z.string(),
      severity: z.enum(['error', 'warning']),
      line: z.number().optional(),
    }),
  ),
  total_faults: z.number(),
  summary: z.looseObject({ variant: z.string() }),
})

export function fileCheckRoutes(ports: FileCheckPorts) {
  return (plain: FastifyInstance): void => {
    const app = plain.withTypeProvider<ZodTypeProvider>()
    app.post(
      '/api/registry/validate/file',
      {
        schema: {
          operationId: 'validateFile',
          summary: 'Every fault of an adagents.json, brand.json or ads.txt',
          tags,
          body: z.object({
            type: z.enum(FILE_TYPES),
            content: z.string().describe('The text of the file, as it would be served'),
            domain: z.string().max(253).optional().describe('Where it would be served'),
          }),
          response: { 200: report, ...refusals(400, 413, 429) },
        },
      },
      async (request, reply) => {
        const { type, content, domain } = request.body
        const named = domain === undefined ? undefined : normaliseDomain(domain)
        if (named && !named.ok) return sendRefusal(reply, refuse(400, named.reason))
        const { maxProperties, allowHttp } = ports
        const file = {
          type,
          bytes: Buffer.from(content),
          domain: named?.domain ?? null,
          maxProperties,
          allowHttp,
        }
        const { summary, ...rest } = await ports.check(file, request.account)
        return { ...rest, summary: { ...summary } }
      },
    )
    app.post(
      '/api/adagents/validate',
      {
        schema: {
          operationId: 'validateAdagents',
          summary: 'Fetches and checks the adagents.json of a domain',
          tags,
          body: z.object({ domain: z.string().max(2_048) }),
          response: {
            200: z.object({
              success: z.boolean(),
              data: z.object({
                domain: z.string(),
                found: z.boolean(),
                validation: z.looseObject({ valid: z.boolean() }),
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
          return sendRefusal(
            reply,
            refuse(429, 'Too many requests', { retryAfter: taken.retryAfterSeconds }),
          )
        }
        const { found, validation } = await checkSite(ports, request, named.domain)
        return {
          success: true,
          data: { domain: named.domain, found, validation },
          timestamp: new Date(ports.clock.now()).toISOString(),
        }
      },
    )
    app.post(
      '/api/adagents/create',
      {
        schema: {
          operationId: 'createAdagents',
          summary: 'Makes an adagents.json from its parts, and checks it',
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
                validation: z.looseObject({ valid: z.boolean() }),
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
        const { summary, ...checked } = await ports.check(file, request.account)
        const [first] = checked.faults.filter(({ severity }) => severity === 'error')
        if (first) {
          const { faults } = checked
          return sendRefusal(
            reply,
            refuse(400, `${first.pointer} ${first.message}`.trim(), { faults }),
          )
        }
        return {
          success: true as const,
          data: {
            success: true as const,
            adagents_json: created.document,
            validation: { ...checked, summary },
          },
          timestamp,
        }
      },
    )
  }
}

async function checkSite(ports: FileCheckPorts, request: FastifyRequest, domain: string) {
  const url = wellKnownUrl(domain)
  const { maxProperties, allowHttp, maxBytes } = ports
  const fetched = await fetchHops(ports.fetch, {
    url,
    headers: { accept: 'application/json' },
    maxBytes,
    totalTimeoutMs: CRAWL_MS,
    owner: request.account,
  })
  const fault = (message: string, status_code?: number) => ({
    found: false,
    validation: {
      valid: false,
      domain,
      url,
      errors: [{ field: '', message, severity: 'error' }],
      warnings: [],
      ...(status_code === undefined ? {} : { status_code }),
    },
  })
  if (!fetched.ok) return fault(fetched.message)
  if (fetched.status !== 200)
    return fault(`the server answered ${fetched.status}, not 200`, fetched.status)
  const file = {
    type: 'adagents.json' as const,
    bytes: fetched.body,
    domain,
    maxProperties,
    allowHttp,
  }
  const { valid, faults, summary } = await ports.check(file, request.account)
  const of = (severity: string) =>
    faults
      .filter((one) => one.severity === severity)
      .map(({ pointer, message, line }) => ({ field: pointer, message, severity, line }))
  return {
    found: true,
    validation: {
      valid,
      domain,
      url,
      errors: of('error'),
      warnings: of('warning'),
      status_code: fetched.status,
      response_bytes: fetched.body.byteLength,
      summary,
    },
  }
}
