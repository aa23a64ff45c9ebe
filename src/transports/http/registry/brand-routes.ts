// `/api/brands`: brands by domain (one or many), by name, and all of them; and the brand.json itself.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { normaliseDomain } from '../../../lib/host-name.ts'
import { stringifyPaced } from '../../../lib/paced-json.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { KELLER_TYPES } from '../../../registry/brands/brand-identity.ts'
import { findBrands, listBrands } from '../../../registry/brands/list-brands.ts'
import {
  type BrandPorts,
  brandJson,
  RELATIONSHIPS,
  resolveBrand,
  resolveBrands,
} from '../../../registry/brands/resolve-brand.ts'
import { BRAND_SOURCES, type BrandStats } from '../../../registry/brands/store.ts'
import { CATALOGUE_LIMITS } from '../../../registry/catalogue-limits.ts'
import { refuse } from '../../../registry/refusal.ts'
import { sendRefusal } from './answers.ts'
import { pageOf } from './catalogue-schemas.ts'
import { type ReaderPorts, readerOf } from './contributor-gate.ts'
import { refusals } from './schemas.ts'

export interface BrandRoutePorts extends BrandPorts, ReaderPorts {
  brandStats: () => Promise<BrandStats>
  /** Reads of one address. */
  brandReads: RateLimit
}

const tags = ['Brands']
const typed = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()
type TypedApp = ReturnType<typeof typed>

const domain = z.string().min(1).max(2_048).describe('Host name, such as acme.example')
const fresh = z.enum(['true', 'false']).optional().describe('Taken and without effect')
const time = z.string().describe('ISO 8601')
const document = z.record(z.string(), z.unknown())
const brand = z.object({
  canonical_id: z.string(),
  canonical_domain: z.string(),
  brand_name: z.string(),
  names: z.array(z.record(z.string(), z.string())).optional(),
  keller_type: z.enum(KELLER_TYPES).optional(),
  parent_brand: z.string().optional(),
  house_domain: z.string().optional().describe('Only where the house itself names the brand'),
  claimed_house_domain: z.string().optional(),
  house_name: z.string().optional(),
  relationship_trust: z.enum(RELATIONSHIPS).optional(),
  relationship_verified_at: time.optional().describe('When both sides were last seen to agree'),
  relationship_declared_at: time.optional().describe('Since when the house names the brand'),
  brand_agent_url: z.string().optional(),
  brand_manifest: document.optional(),
  source: z.enum(BRAND_SOURCES),
})
const foundBrand = brand
  .pick({ canonical_domain: true, brand_name: true, house_domain: true, parent_brand: true })
  .extend({
    domain: z.string(),
    keller_type: z.enum(KELLER_TYPES),
    brand_agent_url: z.string().optional(),
    source: z.enum(BRAND_SOURCES),
  })
const count = z.number().int()
const listedBrand = z.object({
  domain: z.string(),
  brand_name: z.string(),
  source: z.enum(BRAND_SOURCES),
  has_manifest: z.boolean(),
  verified: z.boolean(),
  house_domain: z.string().optional(),
  claimed_house_domain: z.string().optional(),
  keller_type: z.enum(KELLER_TYPES).optional(),
  relationship_trust: z.enum(RELATIONSHIPS).optional(),
  relationship_verified_at: time.optional(),
})

export function brandRoutes(ports: BrandRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = typed(plain)
    resolveBrandRoute(app, ports)
    resolveBrandsRoute(app, ports)
    findBrandsRoute(app, ports)
    listBrandsRoute(app, ports)
    brandJsonRoutes(app, ports)
    enrichRoute(app)
  }
}

function resolveBrandRoute(app: TypedApp, ports: BrandRoutePorts): void {
  app.get(
    '/api/brands/resolve',
    {
      schema: {
        operationId: 'resolveBrand',
        summary: 'The brand of a domain',
        description:
          'By the brand.json that the domain vouches for. A house that the brand claims is house_domain when its ' +
          'own document names the domain, and else claimed_house_domain.',
        tags,
        querystring: z.object({ domain, fresh }),
        response: { 200: brand, ...refusals(400, 404, 429) },
      },
    },
    async (request, reply) => {
      const tooMany = taken(ports, request)
      if (tooMany) return sendRefusal(reply, tooMany)
      const found = await resolveBrand(ports, request.query.domain, readerOf(ports, request))
      return found.ok ? found.brand : sendRefusal(reply, found)
    },
  )
}

function resolveBrandsRoute(app: TypedApp, ports: BrandRoutePorts): void {
  app.post(
    '/api/brands/resolve/bulk',
    {
      schema: {
        operationId: 'resolveBrandsBulk',
        summary: 'The brands of many domains',
        description: 'The documents of the first ones come with them, up to 1 MiB together.',
        tags,
        body: z.object({
          domains: z.array(z.string().max(2_048)).min(1).max(CATALOGUE_LIMITS.brandsAtOnce.value),
        }),
        response: {
          200: z.object({
            results: z
              .record(z.string(), brand.nullable())
              .describe('By each domain as it was sent; null for an unknown one'),
          }),
          ...refusals(400, 413, 429),
        },
      },
    },
    async (request, reply) => {
      const { domains } = request.body
      const tooMany = taken(ports, request, domains.length)
      if (tooMany) return sendRefusal(reply, tooMany)
      const results = await resolveBrands(ports, domains)
      const text = await stringifyPaced({ results }, Number.POSITIVE_INFINITY)
      return reply.type('application/json; charset=utf-8').send(text as never)
    },
  )
}

function findBrandsRoute(app: TypedApp, ports: BrandRoutePorts): void {
  app.get(
    '/api/brands/find',
    {
      schema: {
        operationId: 'findBrands',
        summary: 'Brands whose domain, or a word of whose name, begins with a text',
        tags,
        querystring: z.object({
          q: z.string().trim().min(2).max(200),
          limit: z.coerce.number().int().min(1).max(50).default(10),
        }),
        response: { 200: z.object({ results: z.array(foundBrand) }), ...refusals(400, 429) },
      },
    },
    async (request, reply) => {
      const tooMany = taken(ports, request)
      if (tooMany) return sendRefusal(reply, tooMany)
      return { results: await findBrands(ports, request.query) }
    },
  )
}

function listBrandsRoute(app: TypedApp, ports: BrandRoutePorts): void {
  app.get(
    '/api/brands/registry',
    {
      schema: {
        operationId: 'listBrands',
        summary: 'Brands in the order of their domains',
        tags,
        querystring: z.object({
          search: z
            .string()
            .max(200)
            .optional()
            .describe('What the name or the domain begins with'),
          source: z.enum(['hosted', 'brand_json', 'enriched', 'community', 'stub']).optional(),
          ...pageOf({ max: CATALOGUE_LIMITS.brandsListed.value, standard: 100 }),
        }),
        response: {
          200: z.object({
            brands: z.array(listedBrand),
            stats: z
              .object({
                total: count,
                hosted: count,
                brand_json: count,
                community: count,
                enriched: count,
                stub: count,
                houses: count,
                sub_brands: count,
                with_manifest: count,
              })
              .describe('Of all brands, up to half a minute old'),
          }),
          ...refusals(400, 429),
        },
      },
    },
    async (request, reply) => {
      const page = request.query
      const tooMany = taken(ports, request, Math.ceil(page.limit / BRANDS_PER_READ))
      if (tooMany) return sendRefusal(reply, tooMany)
      const full = request.hold?.resize(request, page.limit * BRAND_BYTES)
      if (full) throw full
      const body = await listBrands(ports, page)
      const text = await stringifyPaced(body, Number.POSITIVE_INFINITY)
      return reply.type('application/json; charset=utf-8').send(text as never)
    },
  )
}

/** Assumed size of a brand in the list while the response is built. */
const BRAND_BYTES = 400
/** Brands of a page that count as one read. */
const BRANDS_PER_READ = 50

/** Facts about companies come from commercial services; no such service is part of this server. */
const NO_ENRICHER = refuse(503, 'No service that enriches brands is configured')

function enrichRoute(app: TypedApp): void {
  app.get(
    '/api/brands/enrich',
    {
      schema: {
        operationId: 'enrichBrand',
        summary: 'Facts about a company, from a service that provides them; this server has none',
        tags,
        querystring: z.object({ domain }),
        response: {
          200: z.looseObject({}).describe('Only where such a service is configured'),
          ...refusals(400, 503),
        },
      },
    },
    async (request, reply) => {
      const named = normaliseDomain(request.query.domain)
      if (!named.ok) return sendRefusal(reply, refuse(400, `domain: ${named.reason}`))
      return sendRefusal(reply, NO_ENRICHER)
    },
  )
}

function brandJsonRoutes(app: TypedApp, ports: BrandRoutePorts): void {
  app.get(
    '/api/brands/brand-json',
    {
      schema: {
        operationId: 'getBrandJson',
        summary: 'The brand.json of a domain, with where it was found',
        tags,
        querystring: z.object({ domain, fresh }),
        response: {
          200: z.object({
            domain: z.string(),
            url: z.string(),
            variant: z.string(),
            data: document,
          }),
          ...refusals(400, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const tooMany = taken(ports, request)
      if (tooMany) return sendRefusal(reply, tooMany)
      const found = await brandJson(ports, request.query.domain)
      return found.ok ? found.served : sendRefusal(reply, found)
    },
  )
  app.get(
    '/brands/:domain/brand.json',
    {
      schema: {
        operationId: 'serveBrandJson',
        summary: 'The brand.json of a domain: a valid one, or 404',
        tags,
        params: z.object({ domain }),
        response: { 200: document, ...refusals(400, 404, 429) },
      },
    },
    async (request, reply) => {
      const tooMany = taken(ports, request)
      if (tooMany) return sendRefusal(reply, tooMany)
      const found = await brandJson(ports, request.params.domain)
      if (!found.ok) return sendRefusal(reply, found)
      // Already the bytes of the answer.
      return reply.type('application/json; charset=utf-8').send(found.text as never)
    },
  )
}

function taken({ brandReads }: BrandRoutePorts, request: FastifyRequest, tokens = 1) {
  const answer = brandReads.take(request.address, tokens)
  if (answer.ok) return undefined
  return refuse(429, 'Too many requests', {
    message: 'too many reads of brands: retry after Retry-After seconds',
    retryAfter: answer.retryAfterSeconds,
  })
}
