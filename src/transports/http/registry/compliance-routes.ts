// Examination results of agents: current, past, and by group. Only the owner of the agent sees what failed first.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import { siteOf } from '../../../lib/host-name.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { canonicalAgentUrl } from '../../../protocol/agent-url.ts'
import { knownOrganization, type RegistryCaller } from '../../../registry/caller.ts'
import { CATALOGUE_LIMITS } from '../../../registry/catalogue-limits.ts'
import { roleOf } from '../../../registry/compliance/badges.ts'
import {
  type CheckPorts,
  checkAgent,
  EXAMINATION_LEASE_MS,
  EXAMINATION_RETRY_MS,
  passingOf,
} from '../../../registry/compliance/check-agent.ts'
import { neverExamined, type StoredCompliance } from '../../../registry/compliance/store.ts'
import type { AgentDirectory, DirectoryReader } from '../../../registry/directory/store.ts'
import { refuse } from '../../../registry/refusal.ts'
import type { OrganizationStore } from '../../../registry/store.ts'
import { authenticated, type GatePorts, mayWrite, sendRefusal, writersOnly } from './answers.ts'
import {
  count,
  detail,
  detailOf,
  status,
  storyboard,
  storyboardsOf,
  tracks,
} from './compliance-shapes.ts'
import { publicReader } from './public-reader.ts'
import { refusals } from './schemas.ts'

export interface ComplianceRoutePorts extends GatePorts, CheckPorts {
  organizations: OrganizationStore
  directory: Pick<AgentDirectory, 'get'>
  clock: Clock
  /** Reads of one address. */
  reads: RateLimit
  /** Examinations that one caller may request. */
  examinations: RateLimit
  /** Such examinations of the agents of one site. */
  ofSite: RateLimit
  resourceMetadataUrl: () => string
  stopping: AbortSignal
}

const TAGS = ['Agent compliance']
const security = [{ bearerAuth: [] }]
const typed = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()
type TypedApp = ReturnType<typeof typed>

const params = z.object({
  encodedUrl: z.string().max(6_144).describe('The agent URL, percent-encoded'),
})
export function complianceRoutes(ports: ComplianceRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = typed(plain)
    detailRoute(app, ports)
    historyRoute(app, ports)
    storyboardRoute(app, ports)
    manyStoryboardsRoute(app, ports)
    refreshRoute(app, ports)
  }
}

const NO_AGENT = refuse(400, 'the agent must be an http(s) URL, percent-encoded')

function detailRoute(app: TypedApp, ports: ComplianceRoutePorts): void {
  app.get(
    '/api/registry/agents/:encodedUrl/compliance',
    {
      schema: {
        operationId: 'getAgentCompliance',
        summary: 'How an agent does in examinations',
        description: 'One that was never examined is unknown.',
        tags: TAGS,
        params,
        response: { 200: detail, ...refusals(400, 429) },
      },
    },
    async (request, reply) => {
      const tooMany = readTaken(ports, request)
      if (tooMany) return sendRefusal(reply, tooMany)
      const agent_url = canonicalAgentUrl(request.params.encodedUrl)
      if (agent_url === undefined) return sendRefusal(reply, NO_AGENT)
      const reader = await publicReader(ports, request)
      const stored = await seenBy(ports, reader, agent_url)
      return detailOf(stored, { now: ports.clock.now(), isOwner: false })
    },
  )
}

function historyRoute(app: TypedApp, ports: ComplianceRoutePorts): void {
  app.get(
    '/api/registry/agents/:encodedUrl/compliance/history',
    {
      schema: {
        operationId: 'getAgentComplianceHistory',
        summary: 'The last examinations of an agent, the newest first',
        tags: TAGS,
        params,
        querystring: z.object({ limit: z.coerce.number().int().min(1).max(100).default(30) }),
        response: {
          200: z.object({
            agent_url: z.string(),
            runs: z.array(
              z.object({
                id: z.string(),
                overall_status: status,
                headline: z.string(),
                tracks_passed: count,
                tracks_failed: count,
                tracks_skipped: count,
                tracks_partial: count,
                tracks_json: tracks,
                total_duration_ms: z.number(),
                triggered_by: z.string(),
                tested_at: z.string(),
              }),
            ),
            count,
          }),
          ...refusals(400, 429),
        },
      },
    },
    async (request, reply) => {
      const tooMany = readTaken(ports, request)
      if (tooMany) return sendRefusal(reply, tooMany)
      const agent_url = canonicalAgentUrl(request.params.encodedUrl)
      if (agent_url === undefined) return sendRefusal(reply, NO_AGENT)
      const isSeen = await ports.directory.get(await publicReader(ports, request), agent_url)
      const runs = isSeen ? await ports.compliance.runs(agent_url, request.query.limit) : []
      return {
        agent_url,
        runs: runs.map((run) => {
          const ended = (as: string) => Object.values(run.tracks).filter((one) => one === as).length
          return {
            id: run.id,
            overall_status: run.status,
            headline: run.headline,
            tracks_passed: ended('pass'),
            tracks_failed: ended('fail'),
            tracks_skipped: ended('skip'),
            tracks_partial: ended('partial'),
            tracks_json: run.tracks,
            total_duration_ms: run.duration_ms,
            triggered_by: run.triggered_by,
            tested_at: new Date(run.tested_at).toISOString(),
          }
        }),
        count: runs.length,
      }
    },
  )
}

function storyboardRoute(app: TypedApp, ports: ComplianceRoutePorts): void {
  app.get(
    '/api/registry/agents/:encodedUrl/storyboard-status',
    {
      schema: {
        operationId: 'getAgentStoryboardStatus',
        summary: 'How each group of checks of an agent ended',
        tags: TAGS,
        security,
        params,
        response: {
          200: z.object({
            agent_url: z.string(),
            storyboards: z.array(storyboard),
            passing_count: count,
            total_count: count,
          }),
          ...refusals(400, 401, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await authenticated(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const agent_url = canonicalAgentUrl(request.params.encodedUrl)
      if (agent_url === undefined) return sendRefusal(reply, NO_AGENT)
      const by = await knownOrganization(ports, who.caller)
      const reader = { isMember: true, organizationId: by?.organizationId }
      const stored = await seenBy(ports, reader, agent_url)
      const isOwner = await owns(ports, who.caller, agent_url)
      return {
        agent_url,
        storyboards: storyboardsOf(stored, isOwner),
        passing_count: passingOf(stored),
        total_count: stored.storyboards.length,
      }
    },
  )
}

function manyStoryboardsRoute(app: TypedApp, ports: ComplianceRoutePorts): void {
  app.post(
    '/api/registry/agents/storyboard-status',
    {
      schema: {
        operationId: 'bulkAgentStoryboardStatus',
        summary: 'The same for many agents',
        tags: TAGS,
        security,
        body: z.object({ agent_urls: z.array(z.string().max(2_048)).min(1).max(100) }),
        response: {
          200: z.object({
            agents: z
              .record(z.string(), z.array(storyboard))
              .describe('By each URL as it was sent'),
            invalid_urls: count,
          }),
          ...refusals(400, 401, 413, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await authenticated(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const { agent_urls } = request.body
      const named = agent_urls.map((given) => [given, canonicalAgentUrl(given)] as const)
      const found = await ports.compliance.some(named.flatMap(([, url]) => url ?? []))
      const by = await knownOrganization(ports, who.caller)
      const reader = { isMember: true, organizationId: by?.organizationId }
      const agents: [string, ReturnType<typeof storyboardsOf>][] = []
      for (const [given, url] of named) {
        if (url === undefined) continue
        const isSeen = found.has(url) && (await ports.directory.get(reader, url)) !== undefined
        const stored = isSeen ? found.get(url) : undefined
        const isOwner = stored !== undefined && (await owns(ports, who.caller, url))
        agents.push([given, stored ? storyboardsOf(stored, isOwner) : []])
      }
      return {
        agents: Object.fromEntries(agents),
        invalid_urls: named.filter(([, url]) => url === undefined).length,
      }
    },
  )
}

function refreshRoute(app: TypedApp, ports: ComplianceRoutePorts): void {
  app.post(
    '/api/registry/agents/:encodedUrl/refresh',
    {
      onRequest: writersOnly(ports),
      schema: {
        operationId: 'refreshAgent',
        summary: 'Examine an agent of yours now',
        description: 'Takes up to two minutes. An agent is examined once at a time.',
        tags: TAGS,
        security,
        params,
        response: {
          200: z.object({ checked_at: z.string(), online: z.boolean(), compliance: detail }),
          ...refusals(400, 401, 403, 409, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const who = await mayWrite(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const agent_url = canonicalAgentUrl(request.params.encodedUrl)
      if (agent_url === undefined) return sendRefusal(reply, NO_AGENT)
      if (!(await owns(ports, who.caller, agent_url))) return sendRefusal(reply, NOT_YOURS)
      const tooMany = taken(ports, request, agent_url)
      if (tooMany) return sendRefusal(reply, tooMany)
      const claimed = await ports.transact((tx) => ports.compliance.claim(tx, agent_url, PACE))
      if (!claimed) return sendRefusal(reply, UNDER_WAY)
      const listed = await ports.directory.get({ isMember: false }, agent_url)
      const by = listed ? undefined : await knownOrganization(ports, who.caller)
      const stored = await checkAgent(ports, claimed, {
        triggeredBy: 'owner',
        visibleTo: by?.organizationId ?? null,
        role: listed && roleOf(listed.type),
        signal: ports.stopping,
      })
      if (!stored) return sendRefusal(reply, STOPPING)
      const now = ports.clock.now()
      return {
        checked_at: new Date(stored.last_checked_at).toISOString(),
        online: stored.storyboards.some(({ steps_passed }) => steps_passed > 0),
        compliance: detailOf(stored, { now, isOwner: true }),
      }
    },
  )
}

const NOT_YOURS = refuse(
  403,
  'your organization does not list this agent: only one that lists it may',
)
const PACE = { leaseMs: EXAMINATION_LEASE_MS, retryMs: EXAMINATION_RETRY_MS }
const UNDER_WAY = refuse(409, 'the agent is being examined', {
  message: 'an examination of this agent is under way: read its compliance when that has ended',
  retryAfter: 30,
})
const STOPPING = refuse(503, 'the examination was stopped: try again', { retryAfter: 10 })

function readTaken({ reads }: ComplianceRoutePorts, request: FastifyRequest) {
  const answer = reads.take(request.address)
  if (answer.ok) return undefined
  return refuse(429, 'Too many requests', {
    message: 'too many reads of agents: retry after Retry-After seconds',
    retryAfter: answer.retryAfterSeconds,
  })
}

/** An agent that the reader may not see looks like one that was never examined. */
async function seenBy(
  { directory, compliance }: ComplianceRoutePorts,
  reader: DirectoryReader,
  agentUrl: string,
): Promise<StoredCompliance> {
  const isSeen = (await directory.get(reader, agentUrl)) !== undefined
  return (isSeen ? await compliance.get(agentUrl) : undefined) ?? neverExamined(agentUrl)
}

function taken(
  { examinations, ofSite }: ComplianceRoutePorts,
  request: FastifyRequest,
  agentUrl: string,
) {
  const own = examinations.take(request.account)
  if (!own.ok) {
    return refuse(429, 'Too many requests', {
      message: `at most ${CATALOGUE_LIMITS.examinationsPerMinute.value} examinations a minute`,
      retryAfter: own.retryAfterSeconds,
    })
  }
  const site = siteOf(new URL(agentUrl).hostname)
  const theirs = ofSite.take(site)
  if (theirs.ok) return undefined
  return refuse(429, 'Too many requests', {
    message: `at most ${CATALOGUE_LIMITS.examinationsOfSite.value} examinations a minute of agents of ${site}`,
    retryAfter: theirs.retryAfterSeconds,
  })
}

async function owns(
  ports: ComplianceRoutePorts,
  caller: RegistryCaller,
  agentUrl: string,
): Promise<boolean> {
  const by = await knownOrganization(ports, caller)
  return by !== undefined && ports.compliance.isListedBy(by.organizationId, agentUrl)
}
