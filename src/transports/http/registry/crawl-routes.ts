// `/api/registry/crawl-request`: requests a crawl of a domain now, and reports the outcome.

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { CRAWL_LIMITS } from '../../../registry/crawler/limits.ts'
import { type RequestCrawlPorts, requestCrawl } from '../../../registry/crawler/request-crawl.ts'
import { CRAWL_REQUEST_STATUSES, type CrawlRequest } from '../../../registry/crawler/store.ts'
import { refuse } from '../../../registry/refusal.ts'
import { unchecked } from '../unchecked.ts'
import {
  authenticated,
  callerName,
  type GatePorts,
  mayWrite,
  sendRefusal,
  writersOnly,
} from './answers.ts'
import { refusals } from './schemas.ts'

export interface CrawlRoutePorts extends RequestCrawlPorts, GatePorts {
  resourceMetadataUrl: () => string
}

const tags = ['Agent discovery']
const security = [{ bearerAuth: [] }]
const time = z.string().nullable()

const statusBody = z.object({
  crawl_request_id: z.string(),
  domain: z.string(),
  status: z.enum(CRAWL_REQUEST_STATUSES),
  attempts: z.number(),
  max_attempts: z.number(),
  requested_at: z.string(),
  started_at: time,
  last_attempted_at: time,
  completed_at: time,
  next_attempt_at: time,
  last_error_code: z.string().nullable(),
})

export function crawlRoutes(ports: CrawlRoutePorts) {
  return (app: FastifyInstance): void => {
    requestRoute(app, ports)
    brandRequestRoute(app, ports)
    statusRoute(app, ports)
  }
}

function requestRoute(app: FastifyInstance, ports: CrawlRoutePorts): void {
  app.post(
    '/api/registry/crawl-request',
    {
      onRequest: writersOnly(ports),
      validatorCompiler: unchecked,
      schema: {
        operationId: 'requestCrawl',
        summary: 'Crawl a domain now',
        tags,
        security,
        body: z.object({ domain: z.string() }),
        response: {
          202: z.object({
            message: z.string(),
            domain: z.string(),
            crawl_request_id: z.string(),
          }),
          ...refusals(400, 401, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const who = await mayWrite(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const requested = await requestCrawl(ports, callerName(who.caller), request.body)
      if (!requested.ok) return sendRefusal(reply, requested)
      const { domain, crawl_request_id } = requested.request
      reply.code(202)
      return { message: 'Crawl request accepted', domain, crawl_request_id }
    },
  )
}

function brandRequestRoute(app: FastifyInstance, ports: CrawlRoutePorts): void {
  app.post(
    '/api/registry/brand-crawl-request',
    {
      onRequest: writersOnly(ports),
      validatorCompiler: unchecked,
      schema: {
        operationId: 'requestBrandCrawl',
        summary: 'Read the brand.json of a domain now',
        description:
          'The domain is crawled: its adagents.json is read as well, under the same limits.',
        tags,
        security,
        body: z.object({ domain: z.string() }),
        response: {
          202: z.object({ message: z.string(), domain: z.string() }),
          ...refusals(400, 401, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const who = await mayWrite(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const requested = await requestCrawl(ports, callerName(who.caller), request.body)
      if (!requested.ok) return sendRefusal(reply, requested)
      reply.code(202)
      return { message: 'Brand crawl request accepted', domain: requested.request.domain }
    },
  )
}

function statusRoute(app: FastifyInstance, ports: CrawlRoutePorts): void {
  app.get(
    '/api/registry/crawl-request/:crawlRequestId',
    {
      validatorCompiler: unchecked,
      schema: {
        operationId: 'getCrawlRequest',
        summary: 'Status of a crawl request',
        tags,
        security,
        params: z.object({ crawlRequestId: z.string() }),
        response: { 200: statusBody, ...refusals(401, 404, 429) },
      },
    },
    async (request, reply) => {
      const who = await authenticated(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const { crawlRequestId } = request.params as { crawlRequestId: string }
      const found = UUID.test(crawlRequestId)
        ? await ports.crawl.getRequest(crawlRequestId)
        : undefined
      if (found?.requested_by !== callerName(who.caller)) {
        return sendRefusal(reply, refuse(404, 'Crawl request not found'))
      }
      reply.header('cache-control', 'no-store')
      return toWire(found)
    },
  )
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function toWire({ requested_by: _, ...request }: CrawlRequest) {
  const isoOf = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  return {
    ...request,
    max_attempts: CRAWL_LIMITS.crawlRequestAttempts.value,
    requested_at: new Date(request.requested_at).toISOString(),
    started_at: isoOf(request.started_at),
    last_attempted_at: isoOf(request.last_attempted_at),
    completed_at: isoOf(request.completed_at),
    next_attempt_at: isoOf(request.next_attempt_at),
  }
}
