// Who may sell for whom: look-ups by agent, publisher and property, and the checks of products. All public, except the
// export of everything.

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { normaliseDomain } from '../../../lib/host-name.ts'
import { canonicalAgentUrl } from '../../../protocol/agent-url.ts'
import { cursorOf, readCursor } from '../../../protocol/cursor.ts'
import { isInEffect } from '../../../registry/authorizations/authorization.ts'
import { AUTHORIZATION_LIMITS } from '../../../registry/authorizations/limits.ts'
import { agentsOfIdentifier } from '../../../registry/authorizations/look-up.ts'
import { refuse } from '../../../registry/refusal.ts'
import { unchecked } from '../unchecked.ts'
import { sendRefusal } from './answers.ts'
import { authorizationChecks, productChecks } from './authorization-checks.ts'
import { authorizationExports } from './authorization-exports.ts'
import { NO_AGENT } from './authorization-owners.ts'
import type { AuthorizationRoutePorts } from './authorization-ports.ts'
import {
  domainLookup,
  publisherAuthorization,
  publisherPage,
  publishersOfAgent,
} from './authorization-schemas.ts'
import { publisherRollup, publisherView } from './publisher-view.ts'
import { refusals } from './schemas.ts'

const tags = ['Authorization lookups']
type Query = Record<string, string | string[] | undefined>

export function authorizationRoutes(ports: AuthorizationRoutePorts) {
  return (app: FastifyInstance): void => {
    for (const path of [
      '/v1/agents/:encodedUrl/publishers',
      '/api/v1/agents/:encodedUrl/publishers',
    ]) {
      inverseLookup(app, ports, path)
    }
    byDomain(app, ports)
    byAgent(app, ports)
    byProperty(app, ports)
    authorizationChecks(app, ports)
    productChecks(app, ports)
    publishers(app, ports)
    authorizationExports(app, ports)
  }
}

function inverseLookup(app: FastifyInstance, ports: AuthorizationRoutePorts, path: string): void {
  app.get(
    path,
    {
      validatorCompiler: unchecked,
      schema: {
        operationId: path.startsWith('/api') ? 'listPublishersOfAgent' : 'listPublishersOfAgentV1',
        summary: 'The publishers that name an agent',
        description: 'For discovery: the file of the publisher stays the authority.',
        tags,
        params: z.object({ encodedUrl: z.string() }),
        querystring: z.object({
          since: z.string().optional().describe('ISO 8601; only what was verified then or later'),
          status: z
            .string()
            .optional()
            .describe('authorized (default) or revoked; may be repeated'),
          include: z.string().optional().describe('properties'),
          cursor: z.string().optional(),
          limit: z.string().optional().describe('1 to 1000, default 200'),
        }),
        response: { 200: publishersOfAgent, ...refusals(400, 404, 429) },
      },
    },
    async (request, reply) => {
      const { encodedUrl } = request.params as { encodedUrl: string }
      const agent_url = canonicalAgentUrl(encodedUrl)
      if (agent_url === undefined)
        return sendRefusal(reply, refuse(400, 'the agent must be an http(s) URL, percent-encoded'))
      const query = parseInverse(request.query as Query, agent_url)
      if (!query.ok) return sendRefusal(reply, query)
      const rows = await ports.authorizations.publishersOf(agent_url, {
        ...query,
        limit: query.limit + 1,
        now: ports.clock.now(),
      })
      if (rows.length === 0 && !(await ports.authorizations.isKnown(agent_url))) {
        return sendRefusal(
          reply,
          refuse(404, 'no publisher was ever seen naming this agent', { agent_url }),
        )
      }
      const page = rows.slice(0, query.limit)
      const last = rows.length > query.limit ? page.at(-1) : undefined
      const newest = page.reduce((latest, { verified_at }) => Math.max(latest, verified_at), 0)
      const body = {
        agent_url,
        directory_indexed_at: newest === 0 ? null : new Date(newest).toISOString(),
        publishers: page.map((row) => {
          const isRevoked = row.status === 'revoked'
          return {
            publisher_domain: row.publisher_domain,
            discovery_method: row.discovery_method,
            manager_domain: row.discovery_method === 'direct' ? null : row.manager_domain,
            properties_authorized: isRevoked ? 0 : row.properties_authorized,
            properties_total: isRevoked ? 0 : row.properties_total,
            ...(query.withProperties ? { property_ids: isRevoked ? [] : row.property_ids } : {}),
            signing_keys_pinned: !isRevoked && row.is_pinned,
            status: isRevoked ? ('revoked' as const) : ('authorized' as const),
            last_verified_at: new Date(row.verified_at).toISOString(),
          }
        }),
        next_cursor: last ? cursorOf(`publishers ${agent_url}`, [last.publisher_domain]) : null,
      }
      return sendTagged(request, reply, body)
    },
  )
}

function parseInverse(query: Query, agentUrl: string) {
  const several = (name: string) =>
    [given(query, name) ?? []].flat().filter((value) => value !== '')
  for (const name of ['since', 'cursor', 'limit']) {
    if (Array.isArray(given(query, name)))
      return refuse(400, `${name} was given twice: send it once`)
  }
  const { since, cursor, limit = '200' } = query as Record<string, string | undefined>
  const requested = several('status')
  const statuses = requested.filter((one) => one === 'authorized' || one === 'revoked')
  if (statuses.length < requested.length)
    return refuse(400, 'status must be authorized or revoked; repeat the parameter for both')
  const include = several('include')
  if (include.some((one) => one !== 'properties')) return refuse(400, 'include must be properties')
  const count = Number(limit)
  const most = AUTHORIZATION_LIMITS.publishersOfAgent.value
  if (!Number.isInteger(count) || count < 1 || count > most)
    return refuse(400, `limit must be a whole number from 1 to ${most}`)
  const time = since === undefined ? null : Date.parse(since)
  if (time !== null && (!/^\d{4}-\d{2}-\d{2}/.test(since ?? '') || !Number.isSafeInteger(time))) {
    return refuse(400, 'since must be an ISO 8601 time')
  }
  const place =
    cursor === undefined ? [''] : readCursor(`publishers ${agentUrl}`, cursor, ['text'] as const)
  if (!place) return refuse(400, 'cursor does not belong to this list: start without one')
  return {
    ok: true as const,
    statuses: statuses.length > 0 ? statuses : (['authorized'] as const),
    withProperties: include.length > 0,
    since: time,
    after: place[0] ?? '',
    limit: count,
  }
}

function given(query: Query, name: string): string | string[] | undefined {
  return new Map(Object.entries(query)).get(name)
}

function sendTagged(request: FastifyRequest, reply: FastifyReply, body: object): FastifyReply {
  const text = JSON.stringify(body)
  const etag = `"${createHash('sha256').update(request.url).update(text).digest('base64url').slice(0, 32)}"`
  reply.header('etag', etag).header('cache-control', 'public, max-age=60')
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(text)
}

function byDomain(app: FastifyInstance, { authorizations, clock }: AuthorizationRoutePorts): void {
  app.get(
    '/api/registry/lookup/domain/:domain',
    {
      validatorCompiler: unchecked,
      schema: {
        operationId: 'lookupDomain',
        summary: 'The agents of a domain',
        deprecated: true,
        tags,
        params: z.object({ domain: z.string() }),
        response: { 200: domainLookup, ...refusals(400, 429) },
      },
    },
    async (request, reply) => {
      const named = normaliseDomain((request.params as { domain: string }).domain)
      if (!named.ok) return sendRefusal(reply, refuse(400, named.reason))
      const { domain } = named
      const rows = await authorizations.ofPublisher(
        domain,
        AUTHORIZATION_LIMITS.agentsOfPublisher.value,
      )
      const now = clock.now()
      const current = rows.filter(({ terms }) => isInEffect(terms, now))
      const agents = new Map(current.map((row) => [row.agent_url, row]))
      const listed = (status: string) =>
        [...agents.values()]
          .filter((row) => row.status === status)
          .map((row) => ({
            url: row.agent_url,
            authorized_for: row.terms.authorized_for,
          }))
      reply.header('deprecation', 'true')
      reply.header('link', `</api/registry/publisher?domain=${domain}>; rel="successor-version"`)
      return { domain, authorized_agents: listed('live'), sales_agents_claiming: listed('claimed') }
    },
  )
}

function byAgent(app: FastifyInstance, { authorizations, clock }: AuthorizationRoutePorts): void {
  app.get(
    '/api/registry/lookup/agent/:agentUrl/domains',
    {
      validatorCompiler: unchecked,
      schema: {
        operationId: 'getAgentDomains',
        summary: 'The domains of an agent',
        tags,
        params: z.object({ agentUrl: z.string() }),
        response: {
          200: z.object({ agent_url: z.string(), domains: z.array(z.string()), count: z.number() }),
          ...refusals(400, 429),
        },
      },
    },
    async (request, reply) => {
      const agent_url = canonicalAgentUrl((request.params as { agentUrl: string }).agentUrl)
      if (agent_url === undefined) return sendRefusal(reply, NO_AGENT)
      const limit = AUTHORIZATION_LIMITS.domainsOfAgent.value
      const now = clock.now()
      const page = { statuses: ['authorized'] as const, since: null, after: '', limit, now }
      const rows = await authorizations.publishersOf(agent_url, page)
      const domains = rows.map(({ publisher_domain }) => publisher_domain)
      return { agent_url, domains, count: domains.length }
    },
  )
}

function byProperty(app: FastifyInstance, ports: AuthorizationRoutePorts): void {
  app.get(
    '/api/registry/lookup/property',
    {
      validatorCompiler: unchecked,
      schema: {
        operationId: 'lookupProperty',
        summary: 'The agents of a property, by one of its identifiers',
        tags,
        querystring: z.object({ type: z.string(), value: z.string() }),
        response: {
          200: z.object({
            type: z.string(),
            value: z.string(),
            agents: z.array(z.looseObject({})),
            count: z.number(),
          }),
          ...refusals(400, 429),
        },
      },
    },
    async (request, reply) => {
      const { type, value } = request.query as Query
      if (typeof type !== 'string' || typeof value !== 'string' || type === '' || value === '') {
        return sendRefusal(reply, refuse(400, 'type and value are required, each once'))
      }
      const agents = await agentsOfIdentifier(ports, { type, value, now: ports.clock.now() })
      return { type, value, agents, count: agents.length }
    },
  )
}

function publishers(app: FastifyInstance, ports: AuthorizationRoutePorts): void {
  app.get(
    '/api/registry/publisher',
    {
      validatorCompiler: unchecked,
      schema: {
        operationId: 'lookupPublisher',
        summary: 'What is known of a publisher: its file, properties and agents',
        tags,
        querystring: z.object({ domain: z.string() }),
        response: { 200: publisherPage, ...refusals(400, 429) },
      },
    },
    async (request, reply) => {
      const { domain } = request.query as Query
      const named = normaliseDomain(typeof domain === 'string' ? domain : '')
      if (!named.ok) return sendRefusal(reply, refuse(400, named.reason))
      return publisherView(ports, named.domain)
    },
  )
  app.get(
    '/api/registry/publisher/authorization',
    {
      validatorCompiler: unchecked,
      schema: {
        operationId: 'getPublisherAuthorization',
        summary: 'What one agent may sell of a publisher',
        tags,
        querystring: z.object({ domain: z.string(), agent: z.string() }),
        response: { 200: publisherAuthorization, ...refusals(400, 404, 429) },
      },
    },
    async (request, reply) => {
      const { domain, agent } = request.query as Query
      const named = normaliseDomain(typeof domain === 'string' ? domain : '')
      if (!named.ok) return sendRefusal(reply, refuse(400, named.reason))
      const url = typeof agent === 'string' ? canonicalAgentUrl(agent) : undefined
      if (url === undefined) return sendRefusal(reply, NO_AGENT)
      const view = await publisherRollup(ports, { domain: named.domain, agent_url: url })
      return (
        view ??
        sendRefusal(reply, refuse(404, 'no authorization of this agent by this publisher is known'))
      )
    },
  )
}
