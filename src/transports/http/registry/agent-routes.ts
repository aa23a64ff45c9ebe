// `/api/registry/agents`: the agents that organisations publish, a single agent, and the search for agents.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import { stringifyPaced } from '../../../lib/paced-json.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { AGENT_TYPES } from '../../../protocol/brand-entry.ts'
import { knownOrganization } from '../../../registry/caller.ts'
import { CATALOGUE_LIMITS } from '../../../registry/catalogue-limits.ts'
import type { ComplianceStore } from '../../../registry/compliance/store.ts'
import { listPublishedAgents, publishedAgent } from '../../../registry/directory/list-agents.ts'
import { PROFILE_FILTERS, searchAgents } from '../../../registry/directory/search-agents.ts'
import type { AgentDirectory } from '../../../registry/directory/store.ts'
import type { ProfileStore } from '../../../registry/profiles/store.ts'
import {
  lookUpOperator,
  type OperatorPorts,
} from '../../../registry/publishers/look-up-operator.ts'
import { refuse } from '../../../registry/refusal.ts'
import type { OrganizationStore } from '../../../registry/store.ts'
import { authenticated, type GatePorts, sendRefusal } from './answers.ts'
import { summary } from './compliance-shapes.ts'
import { publicReader } from './public-reader.ts'
import { refusals } from './schemas.ts'

export interface AgentRoutePorts extends Pick<GatePorts, 'access'>, OperatorPorts {
  directory: AgentDirectory
  profiles: ProfileStore
  compliance: Pick<ComplianceStore, 'some'>
  clock: Clock
  organizations: OrganizationStore
  /** Reads of one address. */
  reads: RateLimit
  resourceMetadataUrl: () => string
}

const tags = ['Agents']
const typed = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()
type TypedApp = ReturnType<typeof typed>

const agentType = z.enum([...AGENT_TYPES, 'unknown'])
const yes = z.literal('true').optional()
const atMostTwenty = z.union([z.string().max(200), z.array(z.string().max(200)).max(20)]).optional()
const agent = z.object({
  url: z.string(),
  name: z.string(),
  type: z.string(),
  added_date: z.string(),
  source: z.literal('registered'),
  member: z.object({ display_name: z.string() }).optional(),
  publisher_domains: z.array(z.string()).optional().describe('The first 100'),
  property_summary: z
    .object({
      total_count: z.number().int(),
      count_by_type: z.record(z.string(), z.number().int()),
      tags: z.array(z.string()),
      publisher_count: z.number().int(),
    })
    .optional(),
  compliance: z.object(summary).optional().describe('How it does in examinations'),
  protocol: z.enum(['mcp', 'a2a']).optional(),
  description: z.string().optional(),
  health: z
    .object({
      online: z.boolean(),
      checked_at: z.string(),
      response_time_ms: z.number(),
      tools_count: z.number().int().optional(),
      error: z.string().optional(),
    })
    .optional()
    .describe('As of its last examination'),
  stats: z
    .object({
      property_count: z.number().int(),
      publisher_count: z.number().int(),
      publishers: z.array(z.string()),
      creative_formats: z.number().int().optional(),
    })
    .optional(),
  capabilities: z.looseObject({ tools_count: z.number().int() }).optional(),
})
const inventory = {
  channels: z.array(z.string()),
  property_types: z.array(z.string()),
  markets: z.array(z.string()),
  categories: z.array(z.string()),
  category_taxonomy: z.string().nullable(),
  tags: z.array(z.string()),
  delivery_types: z.array(z.string()),
  format_ids: z.array(z.string()),
  format_kinds: z.array(z.string()),
  property_count: z.number().int(),
  publisher_count: z.number().int(),
  has_tmp: z.boolean(),
}
const foundAgent = z.object({
  url: z.string(),
  name: z.string(),
  type: z.string(),
  inventory_profile: z.object(inventory),
  match: z.object({ score: z.number(), matched_filters: z.array(z.string()) }),
  agent_url: z.string(),
  ...inventory,
  relevance_score: z.number(),
  matched_filters: z.array(z.string()),
  updated_at: z.string(),
  compliance_summary: z.object(summary).optional(),
})
const list = z.string().max(10_000).optional()
const lists = Object.fromEntries(PROFILE_FILTERS.map((name) => [name, list])) as Record<
  (typeof PROFILE_FILTERS)[number],
  typeof list
>

export function agentRoutes(ports: AgentRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = typed(plain)
    listAgentsRoute(app, ports)
    searchAgentsRoute(app, ports)
    agentRoute(app, ports)
    operatorRoute(app, ports)
  }
}

function listAgentsRoute(app: TypedApp, ports: AgentRoutePorts): void {
  const filters = {
    type: agentType.optional(),
    health: yes,
    capabilities: yes,
    properties: yes,
    compliance: yes,
    metric_id: atMostTwenty.describe('Of measurement agents'),
    accreditation: atMostTwenty.describe('Of measurement agents'),
    q: z
      .string()
      .max(64)
      .regex(/^[^%_]*$/)
      .optional()
      .describe('Of measurement agents: a part of the name or URL'),
    verification_mode: atMostTwenty,
    verified: yes,
  }
  app.get(
    '/api/registry/agents',
    {
      schema: {
        operationId: 'listAgents',
        summary: 'Agents that organisations publish',
        description:
          'Those for everybody; with a credential also those for members. What has not been found out about an ' +
          'agent is left out, also where it is requested.',
        tags,
        querystring: z.strictObject(filters),
        response: {
          200: z.object({
            agents: z.array(agent),
            count: z.number().int(),
            sources: z.object({ registered: z.number().int(), discovered: z.number().int() }),
          }),
          ...refusals(400, 429),
        },
      },
    },
    async (request, reply) => {
      const tooMany = taken(ports, request, LIST_COUNTS_AS)
      if (tooMany) return sendRefusal(reply, tooMany)
      const { isMember } = await publicReader(ports, request)
      const agents = await listPublishedAgents(ports, { isMember }, request.query)
      const full = request.hold?.resize(request, agents.length * AGENT_BYTES)
      if (full) throw full
      const body = {
        agents,
        count: agents.length,
        sources: { registered: agents.length, discovered: 0 },
      }
      const text = await stringifyPaced(body, Number.POSITIVE_INFINITY)
      return reply.type('application/json; charset=utf-8').send(text as never)
    },
  )
}

/** Assumed size of an agent in the list while the response is built. */
const AGENT_BYTES = 600
const LIST_COUNTS_AS = 4

function searchAgentsRoute(app: TypedApp, ports: AgentRoutePorts): void {
  app.get(
    '/api/registry/agents/search',
    {
      schema: {
        operationId: 'searchAgentProfiles',
        summary: 'Agents by their inventory, page by page',
        description:
          'All filters must match, and one of the values of each is enough. The best match comes first, and what ' +
          'matches alike in the order of its URLs. Each agent is in the answer in both shapes that clients read.',
        tags,
        security: [{ bearerAuth: [] }],
        querystring: z.object({
          type: agentType.optional(),
          ...lists,
          has_tmp: z.enum(['true', 'false']).optional(),
          min_properties: z.coerce.number().int().min(0).max(1_000_000_000).optional(),
          sort: z.literal('relevance').optional(),
          cursor: z.string().max(5_000).optional(),
          limit: z.coerce.number().int().min(1).max(CATALOGUE_LIMITS.agentsFound.value).default(50),
        }),
        response: {
          200: z.object({
            results: z.array(foundAgent),
            cursor: z.string().nullable(),
            has_more: z.boolean(),
          }),
          ...refusals(400, 401, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await authenticated(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const tooMany = taken(ports, request)
      if (tooMany) return sendRefusal(reply, tooMany)
      const by = await knownOrganization(ports, who.caller)
      const reader = { isMember: true, organizationId: by?.organizationId }
      const { sort, ...search } = request.query
      const found = await searchAgents(ports, reader, search)
      return found.ok ? found.page : sendRefusal(reply, found)
    },
  )
}

function agentRoute(app: TypedApp, ports: AgentRoutePorts): void {
  app.get(
    '/api/registry/agents/:encodedUrl',
    {
      schema: {
        operationId: 'getAgent',
        summary: 'An agent by its URL',
        tags,
        params: z.object({ encodedUrl: z.string().describe('The agent URL, percent-encoded') }),
        response: { 200: agent, ...refusals(400, 404, 429) },
      },
    },
    async (request, reply) => {
      const tooMany = taken(ports, request)
      if (tooMany) return sendRefusal(reply, tooMany)
      const reader = await publicReader(ports, request)
      const found = await publishedAgent(ports.directory, reader, request.params.encodedUrl)
      return found.ok ? found.agent : sendRefusal(reply, found)
    },
  )
}

function operatorRoute(app: TypedApp, ports: AgentRoutePorts): void {
  app.get(
    '/api/registry/operator',
    {
      schema: {
        operationId: 'lookupOperator',
        summary: 'The agents that a domain operates, and the publishers that name each',
        tags,
        querystring: z.object({
          domain: z.string().max(2_048),
          scope: z.enum(['public', 'member', 'private', 'all']).optional(),
        }),
        response: {
          200: z.object({
            domain: z.string(),
            member: z.object({ slug: z.string().optional(), display_name: z.string() }).nullable(),
            agents: z.array(
              z.object({
                url: z.string(),
                name: z.string(),
                type: z.string(),
                authorized_by: z.array(
                  z.object({
                    publisher_domain: z.string(),
                    authorized_for: z.string().optional(),
                    source: z.enum(['adagents_json', 'agent_claim']),
                  }),
                ),
              }),
            ),
          }),
          ...refusals(400, 429),
        },
      },
    },
    async (request, reply) => {
      const tooMany = taken(ports, request)
      if (tooMany) return sendRefusal(reply, tooMany)
      const reader = await publicReader(ports, request)
      const found = await lookUpOperator(ports, reader, request.query.domain)
      return found.ok ? found.operator : sendRefusal(reply, found)
    },
  )
}

function taken({ reads }: AgentRoutePorts, request: FastifyRequest, tokens = 1) {
  const answer = reads.take(request.address, tokens)
  if (answer.ok) return undefined
  return refuse(429, 'Too many requests', {
    message: 'too many reads of agents: retry after Retry-After seconds',
    retryAfter: answer.retryAfterSeconds,
  })
}
