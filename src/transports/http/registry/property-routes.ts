// `/api/properties`: the properties of domains (one, many or all), and the errors in the file of one.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { normaliseDomain } from '../../../lib/host-name.ts'
import { stringifyPaced } from '../../../lib/paced-json.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { tryJson } from '../../../lib/try-json.ts'
import { CATALOGUE_LIMITS } from '../../../registry/catalogue-limits.ts'
import type { Inspection } from '../../../registry/publishers/inspect-publisher.ts'
import { listProperties } from '../../../registry/publishers/list-publishers.ts'
import {
  type PropertyPorts,
  resolveProperties,
  resolveProperty,
} from '../../../registry/publishers/resolve-property.ts'
import type { RegistryTotals } from '../../../registry/publishers/store.ts'
import { refuse } from '../../../registry/refusal.ts'
import { sendRefusal } from './answers.ts'
import { pageOf } from './catalogue-schemas.ts'
import { type ReaderPorts, readerOf } from './contributor-gate.ts'
import { refusals } from './schemas.ts'

export interface PropertyRoutePorts extends PropertyPorts, ReaderPorts {
  totals: () => Promise<RegistryTotals>
  /** Reads of one address. */
  publisherReads: RateLimit
  /** Files of third parties that one caller may have fetched. */
  fetches: RateLimit
  inspect(domain: string, owner: string): Promise<Inspection>
}

const tags = ['Properties']
const typed = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()
type TypedApp = ReturnType<typeof typed>

const domain = z.string().min(1).max(2_048).describe('Host name, such as news.example')
const identifier = z.object({ type: z.string(), value: z.string() })
const property = z.object({
  publisher_domain: z.string(),
  source: z.enum(['adagents_json', 'hosted', 'discovered']),
  authorized_agents: z.array(z.object({ url: z.string(), authorized_for: z.string().optional() })),
  properties: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      name: z.string(),
      identifiers: z.array(identifier),
      tags: z.array(z.string()),
    }),
  ),
  contact: z.object({ name: z.string().optional(), email: z.string().optional() }).optional(),
  verified: z.boolean().describe('Whether the domain itself says so'),
})

export function propertyRoutes(ports: PropertyRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = typed(plain)
    resolveRoutes(app, ports)
    listRoute(app, ports)
    validateRoutes(app, ports)
  }
}

function resolveRoutes(app: TypedApp, ports: PropertyRoutePorts): void {
  app.get(
    '/api/properties/resolve',
    {
      schema: {
        operationId: 'resolveProperty',
        summary: 'The properties of a domain, and the agents that it authorizes',
        description:
          'From the file that speaks for the domain (adagents_json), from what was saved for it (hosted), or from ' +
          'the files of others alone (discovered), which authorize no agent.',
        tags,
        querystring: z.object({ domain }),
        response: { 200: property, ...refusals(400, 404, 429) },
      },
    },
    async (request, reply) => {
      const tooMany = taken(ports, request)
      if (tooMany) return sendRefusal(reply, tooMany)
      const found = await resolveProperty(ports, request.query.domain, readerOf(ports, request))
      if (!found.ok) return sendRefusal(reply, found)
      const text = await stringifyPaced(found.property, Number.POSITIVE_INFINITY)
      return reply.type('application/json; charset=utf-8').send(text as never)
    },
  )
  app.post(
    '/api/properties/resolve/bulk',
    {
      schema: {
        operationId: 'resolvePropertiesBulk',
        summary: 'The properties of many domains',
        description:
          'At most 20000 properties together: the domains behind them have no properties here.',
        tags,
        body: z.object({
          domains: z.array(z.string().max(2_048)).min(1).max(CATALOGUE_LIMITS.brandsAtOnce.value),
        }),
        response: {
          200: z.object({
            results: z
              .record(z.string(), property.nullable())
              .describe('By each domain as it was sent; null for an unknown one'),
          }),
          ...refusals(400, 413, 429),
        },
      },
    },
    async (request, reply) => {
      const { domains } = request.body
      const tooMany = taken(ports, request, Math.ceil(domains.length / DOMAINS_PER_READ))
      if (tooMany) return sendRefusal(reply, tooMany)
      const results = await resolveProperties(ports, domains)
      const text = await stringifyPaced({ results }, Number.POSITIVE_INFINITY)
      return reply.type('application/json; charset=utf-8').send(text as never)
    },
  )
}

/** Domains of a bulk call, and of a page of the list, that count as one read. */
const DOMAINS_PER_READ = 10
const LISTED_PER_READ = 50

function listRoute(app: TypedApp, ports: PropertyRoutePorts): void {
  app.get(
    '/api/properties/registry',
    {
      schema: {
        operationId: 'listProperties',
        summary: 'Publishers in the order of their domains',
        tags,
        querystring: z.object({
          search: z.string().max(200).optional().describe('What the domain begins with'),
          ...pageOf({ max: CATALOGUE_LIMITS.brandsListed.value, standard: 100 }),
        }),
        response: {
          200: z.object({
            properties: z.array(
              z.object({
                domain: z.string(),
                source: z.enum(['adagents_json', 'hosted', 'community', 'discovered']),
                property_count: z.number().int(),
                agent_count: z.number().int(),
                verified: z.boolean(),
              }),
            ),
            stats: z
              .object({
                total: z.number().int(),
                adagents_json: z.number().int(),
                hosted: z.number().int(),
                community: z.number().int(),
                discovered: z.number().int(),
                properties: z.number().int(),
              })
              .describe('Of all, up to half a minute old; each counted up to 100000'),
          }),
          ...refusals(400, 429),
        },
      },
    },
    async (request, reply) => {
      const tooMany = taken(ports, request, Math.ceil(request.query.limit / LISTED_PER_READ))
      if (tooMany) return sendRefusal(reply, tooMany)
      const properties = await listProperties(ports, request.query)
      const { publishers, discovered, properties: count } = await ports.totals()
      const { hosted, community } = await ports.saved.counts('property')
      const stats = {
        total: publishers + hosted + community + discovered,
        adagents_json: publishers,
        hosted,
        community,
        discovered,
        properties: count,
      }
      const text = await stringifyPaced({ properties, stats }, Number.POSITIVE_INFINITY)
      return reply.type('application/json; charset=utf-8').send(text as never)
    },
  )
}

const inspected = {
  valid: z.boolean(),
  domain: z.string(),
  url: z.string().describe('Where the file is that speaks for the domain'),
  discovery_method: z.enum(['direct', 'authoritative_location', 'ads_txt_managerdomain']),
  manager_domain: z.string().optional(),
  errors: z.array(z.string()),
  warnings: z.array(z.string()),
}

function validateRoutes(app: TypedApp, ports: PropertyRoutePorts): void {
  app.get(
    '/api/properties/validate',
    {
      schema: {
        operationId: 'validateProperty',
        summary: 'Fetches and checks the adagents.json of a domain, its pointer followed',
        tags,
        querystring: z.object({ domain }),
        response: {
          200: z.object({
            ...inspected,
            status_code: z.number().int().optional(),
            raw_data: z
              .record(z.string(), z.unknown())
              .optional()
              .describe('The file, up to 256 KiB'),
          }),
          ...refusals(400, 429),
        },
      },
    },
    async (request, reply) => {
      const seen = await inspectedBy(ports, request, request.query.domain)
      if (!seen.ok) return sendRefusal(reply, seen)
      const { status_code, body } = seen.inspection
      const isKept = body !== undefined && body.byteLength <= MOST_RAW_BYTES
      const raw = isKept ? tryJson(body.toString('utf8')) : undefined
      return {
        ...viewOf(seen),
        ...(status_code === null ? {} : { status_code }),
        ...(raw === undefined ? {} : { raw_data: raw as Record<string, unknown> }),
      }
    },
  )
  app.get(
    '/api/public/validate-publisher',
    {
      schema: {
        operationId: 'validatePublisher',
        summary: 'What the adagents.json of a domain comes to, its pointer followed',
        tags,
        querystring: z.object({ domain }),
        response: {
          200: z.object({
            ...inspected,
            agent_count: z.number().int(),
            property_count: z.number().int(),
            property_type_counts: z.record(z.string(), z.number().int()),
            tag_count: z.number().int(),
          }),
          ...refusals(400, 429),
        },
      },
    },
    async (request, reply) => {
      const seen = await inspectedBy(ports, request, request.query.domain)
      if (!seen.ok) return sendRefusal(reply, seen)
      const { agent_count, property_count, property_type_counts, tag_count } = seen.inspection
      return { ...viewOf(seen), agent_count, property_count, property_type_counts, tag_count }
    },
  )
}

const MOST_RAW_BYTES = 262_144

function viewOf({ name, inspection }: { name: string; inspection: Inspection }) {
  const { valid, url, discovery_method, manager_domain, errors, warnings } = inspection
  return {
    valid,
    domain: name,
    url,
    discovery_method,
    ...(manager_domain === null ? {} : { manager_domain }),
    errors,
    warnings,
  }
}

async function inspectedBy(ports: PropertyRoutePorts, request: FastifyRequest, given: string) {
  const named = normaliseDomain(given)
  if (!named.ok) return refuse(400, named.reason)
  const answer = ports.fetches.take(request.account)
  if (!answer.ok) return tooManyOf('too many checks of files', answer.retryAfterSeconds)
  const inspection = await ports.inspect(named.domain, request.account)
  return { ok: true as const, name: named.domain, inspection }
}

function taken({ publisherReads }: PropertyRoutePorts, request: FastifyRequest, tokens = 1) {
  const answer = publisherReads.take(request.address, tokens)
  return answer.ok ? undefined : tooManyOf('too many reads of publishers', answer.retryAfterSeconds)
}

function tooManyOf(what: string, retryAfter: number) {
  return refuse(429, 'Too many requests', { message: `${what}: wait and try again`, retryAfter })
}
