// `/api/registry/resolve` and `/api/registry/catalog`: the properties that identifiers belong to, and all properties.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import { stringifyPaced } from '../../../lib/paced-json.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { callerOrganization } from '../../../registry/caller.ts'
import {
  CLASSIFICATIONS,
  PROPERTY_SOURCES,
  PROPERTY_STATUSES,
} from '../../../registry/catalog/property.ts'
import {
  lookUpIdentifiers,
  type ResolvePorts,
  resolveIdentifiers,
} from '../../../registry/catalog/resolve-identifiers.ts'
import type { CatalogEntry } from '../../../registry/catalog/store.ts'
import { CATALOGUE_LIMITS } from '../../../registry/catalogue-limits.ts'
import type { OrganizationPorts } from '../../../registry/organizations.ts'
import { refuse } from '../../../registry/refusal.ts'
import { type GatePorts, mayWrite, sendRefusal, writersOnly } from './answers.ts'
import { refusals } from './schemas.ts'

export interface CatalogRoutePorts extends ResolvePorts, GatePorts, OrganizationPorts {
  resourceMetadataUrl: () => string
  clock: Clock
  /** Reads of one address. */
  publisherReads: RateLimit
}

const tags = ['Property catalogue']
const security = [{ bearerAuth: [] }]
const typed = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()
type TypedApp = ReturnType<typeof typed>

const IDENTIFIER_TYPES = [
  'domain',
  'subdomain',
  'network_id',
  'ios_bundle',
  'android_package',
  'apple_app_store_id',
  'google_play_id',
  'roku_store_id',
  'fire_tv_asin',
  'samsung_app_id',
  'apple_tv_bundle',
  'bundle_id',
  'venue_id',
  'screen_id',
  'openooh_venue_type',
  'rss_url',
  'apple_podcast_id',
  'spotify_collection_id',
  'podcast_guid',
] as const
const PROVENANCES = [
  'agency_allowlist',
  'publisher_declaration',
  'impression_log',
  'ssp_inventory',
  'deal_history',
  'crawl',
  'data_partner',
  'member_assertion',
] as const

const text = (max: number) =>
  z.string().min(1).max(max).refine(isStorable, 'has a character that no text has')
const identifier = z.object({ type: z.string(), value: z.string() })
const nullable = z.string().nullable()
const entry = z.object({
  property_rid: z.string(),
  property_id: nullable,
  publisher_domain: nullable,
  classification: z.enum(CLASSIFICATIONS),
  source: z.enum(PROPERTY_SOURCES),
  status: z.enum(PROPERTY_STATUSES),
  identifiers: z.array(identifier),
})
const changedEntry = z.object({
  property_rid: z.string(),
  property_id: nullable,
  classification: z.enum(CLASSIFICATIONS),
  source: z.enum(PROPERTY_SOURCES),
  status: z.enum(PROPERTY_STATUSES),
  adagents_url: nullable,
  created_by: nullable,
  created_at: z.string(),
  updated_at: z.string(),
  source_updated_at: z.string(),
})

export function catalogRoutes(ports: CatalogRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = typed(plain)
    resolveRoute(app, ports)
    listRoute(app, ports)
    entryRoute(app, ports)
    syncRoute(app, ports)
  }
}

function resolveRoute(app: TypedApp, ports: CatalogRoutePorts): void {
  const count = z.number().int()
  app.post(
    '/api/registry/resolve',
    {
      onRequest: writersOnly(ports),
      bodyLimit: RESOLVE_BYTES,
      schema: {
        operationId: 'resolveIdentifiers',
        summary: 'The properties that identifiers belong to',
        description:
          'With mode "resolve", unknown identifiers are contributed: each becomes a property. With mode "lookup", ' +
          'nothing is stored.',
        tags,
        security,
        body: z.object({
          identifiers: z
            .array(z.object({ type: z.enum(IDENTIFIER_TYPES), value: text(500) }))
            .min(1)
            .max(CATALOGUE_LIMITS.identifiersAtOnce.value),
          provenance: z.object({ type: z.enum(PROVENANCES), context: z.unknown().optional() }),
          mode: z.enum(['resolve', 'lookup']).default('resolve'),
        }),
        response: {
          200: z.object({
            resolved: z.array(
              z.object({
                identifier,
                property_rid: nullable,
                classification: z.enum(CLASSIFICATIONS),
                status: z.enum(['existing', 'created', 'excluded', 'not_found']),
                source: nullable,
              }),
            ),
            summary: z.object({
              total: count,
              resolved: count,
              created: count,
              excluded: count,
              not_found: count,
            }),
            server_timestamp: z.string(),
          }),
          ...refusals(400, 401, 413, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await mayWrite(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const { identifiers, mode } = request.body
      const found =
        mode === 'lookup'
          ? await lookUpIdentifiers(ports, identifiers)
          : await resolveIdentifiers(
              ports,
              identifiers,
              await callerOrganization(ports, who.caller),
            )
      if (!found.ok) return sendRefusal(reply, found)
      const { resolved, summary } = found
      const body = { resolved, summary, server_timestamp: watermark(ports.clock) }
      const answer = await stringifyPaced(body, Number.POSITIVE_INFINITY)
      return reply.type('application/json; charset=utf-8').send(answer as never)
    },
  )
}

const RESOLVE_BYTES = 6_000_000

function listRoute(app: TypedApp, ports: CatalogRoutePorts): void {
  app.get(
    '/api/registry/catalog',
    {
      schema: {
        operationId: 'browseCatalog',
        summary: 'The properties of the catalogue, in the order of their ids',
        tags,
        querystring: z.object({
          classification: z.enum(CLASSIFICATIONS).optional(),
          source: z.enum(PROPERTY_SOURCES).optional(),
          status: z.enum(PROPERTY_STATUSES).optional(),
          identifier_type: z.enum(IDENTIFIER_TYPES).optional(),
          search: text(500).optional().describe('What the value of an identifier begins with'),
          limit: z.coerce.number().int().min(1).max(MOST_LISTED).default(100),
          cursor: z.uuid().optional(),
        }),
        response: {
          200: z.object({
            entries: z.array(entry),
            total: z.number().int().describe('Counted up to 10000'),
            next_cursor: nullable,
          }),
          ...refusals(400, 429),
        },
      },
    },
    async (request, reply) => {
      const { classification, cursor = '', limit, search, ...rest } = request.query
      const tooMany = taken(ports, request, Math.ceil(limit / LISTED_PER_READ))
      if (tooMany) return sendRefusal(reply, tooMany)
      // Only properties have ids, and nothing else is kept.
      if (classification !== undefined && classification !== 'property') {
        return { entries: [], total: 0, next_cursor: null }
      }
      const filter = { ...rest, search: search?.toLowerCase() }
      const found = await ports.catalog.list({ filter, after: cursor, limit: limit + 1 })
      const page = found.slice(0, limit)
      const next = found.length > limit ? (page.at(-1)?.property_rid ?? null) : null
      return {
        entries: page.map(entryOf),
        total: await ports.catalog.count(filter, MOST_COUNTED),
        next_cursor: next,
      }
    },
  )
}

const MOST_LISTED = 1_000
const MOST_COUNTED = 10_000
const LISTED_PER_READ = 50

function entryRoute(app: TypedApp, ports: CatalogRoutePorts): void {
  app.get(
    '/api/registry/catalog/properties/:rid',
    {
      schema: {
        operationId: 'getCatalogProperty',
        summary: 'One property, by its id or by the id of one that was merged into it',
        tags,
        params: z.object({ rid: z.string().max(100) }),
        response: {
          200: entry.extend({
            alias_rid: nullable.describe('The requested id, if it is an alias'),
          }),
          ...refusals(404, 429),
        },
      },
    },
    async (request, reply) => {
      const tooMany = taken(ports, request)
      if (tooMany) return sendRefusal(reply, tooMany)
      const { rid } = request.params
      const found = await ports.catalog.get(rid)
      if (!found)
        return sendRefusal(reply, refuse(404, 'Property not found', { property_rid: rid }))
      return { ...entryOf(found), alias_rid: found.property_rid === rid ? null : rid }
    },
  )
}

function syncRoute(app: TypedApp, ports: CatalogRoutePorts): void {
  app.get(
    '/api/registry/catalog/sync',
    {
      schema: {
        operationId: 'syncCatalog',
        summary: 'The properties that have changed since a time, in the order of their changes',
        tags,
        querystring: z.object({
          since: z.iso.datetime({ offset: true }),
          limit: z.coerce.number().int().min(1).max(MOST_SYNCED).default(1_000),
          cursor: z.string().max(100).optional(),
        }),
        response: {
          200: z.object({
            entries: z.array(changedEntry),
            server_timestamp: z.string().describe('The `since` of the next sync'),
            next_cursor: nullable,
          }),
          ...refusals(400, 429),
        },
      },
    },
    async (request, reply) => {
      const { since, limit, cursor } = request.query
      const tooMany = taken(ports, request, Math.ceil(limit / LISTED_PER_READ))
      if (tooMany) return sendRefusal(reply, tooMany)
      const after = cursor === undefined ? undefined : readCursor(cursor)
      if (cursor !== undefined && !after) return sendRefusal(reply, refuse(400, 'Invalid cursor'))
      const server_timestamp = watermark(ports.clock)
      const found = await ports.catalog.changed({
        since: Date.parse(since),
        after,
        limit: limit + 1,
      })
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : undefined
      return {
        entries: page.map(changedOf),
        server_timestamp,
        next_cursor: last ? `${last.updated_at}.${last.property_rid}` : null,
      }
    },
  )
}

const MOST_SYNCED = 10_000
/** Changes whose transactions were open at that time are sent again, and not missed. */
const OVERLAP_MS = 60_000

function watermark(clock: Clock): string {
  return new Date(clock.now() - OVERLAP_MS).toISOString()
}

function readCursor(cursor: string): { updated_at: number; property_rid: string } | undefined {
  const [updated_at = '', property_rid = ''] = cursor.split('.')
  const isValid = /^\d{1,15}$/.test(updated_at) && /^[0-9a-f-]{36}$/.test(property_rid)
  return isValid ? { updated_at: Number(updated_at), property_rid } : undefined
}

function entryOf({ property_rid, property_id, publisher_domain, ...property }: CatalogEntry) {
  return {
    property_rid,
    property_id,
    publisher_domain,
    classification: 'property' as const,
    source: property.source,
    status: property.status,
    identifiers: property.identifiers.map(({ type, value }) => ({ type, value })),
  }
}

function changedOf(property: Omit<CatalogEntry, 'identifiers'>) {
  const { property_rid, property_id, source, status, adagents_url, created_by } = property
  const isoOf = (time: number) => new Date(time).toISOString()
  return {
    property_rid,
    property_id,
    classification: 'property' as const,
    source,
    status,
    adagents_url,
    created_by,
    created_at: isoOf(property.created_at),
    updated_at: isoOf(property.updated_at),
    source_updated_at: isoOf(property.source_updated_at),
  }
}

function taken({ publisherReads }: CatalogRoutePorts, request: FastifyRequest, tokens = 1) {
  const answer = publisherReads.take(request.address, tokens)
  if (answer.ok) return undefined
  return refuse(429, 'Too many requests', {
    message: 'too many reads of publishers: wait and try again',
    retryAfter: answer.retryAfterSeconds,
  })
}
