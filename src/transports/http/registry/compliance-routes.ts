// How agents do in examinations: now, before, and group by group. What failed first is for the owner of the agent.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { canonicalAgentUrl } from '../../../protocol/agent-url.ts'
import { knownOrganization, type RegistryCaller } from '../../../registry/caller.ts'
import { CATALOGUE_LIMITS } from '../../../registry/catalogue-limits.ts'
import {
  CHECK_INTERVAL_HOURS,
  type CheckPorts,
  checkAgent,
  isoOf,
  passingOf,
  summaryOf,
} from '../../../registry/compliance/check-agent.ts'
import { COMPLIANCE_STATUSES } from '../../../registry/compliance/compliance.ts'
import type { StoredCompliance } from '../../../registry/compliance/store.ts'
import { refuse } from '../../../registry/refusal.ts'
import type { OrganizationStore } from '../../../registry/store.ts'
import { authenticated, type GatePorts, mayWrite, sendRefusal, writersOnly } from './answers.ts'
import { refusals } from './schemas.ts'

export interface ComplianceRoutePorts extends GatePorts, CheckPorts {
  organizations: OrganizationStore
  clock: Clock
  /** Examinations that one caller may request. */
  examinations: RateLimit
  resourceMetadataUrl: () => string
  stopping: AbortSignal
}

const tags = ['Agent compliance']
const security = [{ bearerAuth: [] }]
const typed = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()
type TypedApp = ReturnType<typeof typed>

const params = z.object({
  encodedUrl: z.string().max(6_144).describe('The agent URL, percent-encoded'),
})
const status = z.enum(COMPLIANCE_STATUSES)
const time = z.string().nullable()
const count = z.number().int()
const tracks = z.record(z.string(), z.string())
const summary = {
  status,
  lifecycle_stage: z.literal('production'),
  tracks,
  streak_days: count,
  last_checked_at: time,
  headline: z.string().nullable().describe('Why the status is what it is'),
}
const storyboard = z.object({
  storyboard_id: z.string(),
  title: z.string(),
  category: z.string().nullable(),
  track: z.string().nullable(),
  status: z.enum(['passing', 'failing', 'partial', 'untested']),
  steps_passed: count,
  steps_total: count,
  failure_count: count,
  skipped_count: count,
  first_failed_step_id: z.string().nullable(),
  first_failed_step_title: z.string().nullable(),
  first_failed_step_task: z.string().nullable(),
  first_failure_message: z.string().nullable().describe('For the owner of the agent alone'),
  last_tested_at: time,
  last_passed_at: time,
})
const detail = z.object({
  agent_url: z.string(),
  ...summary,
  compliance_opt_out: z.literal(false),
  last_passed_at: time,
  last_failed_at: time,
  status_changed_at: time,
  storyboards_passing: count,
  storyboards_total: count,
  check_interval_hours: count,
  storyboard_statuses: z.array(storyboard),
})

export function complianceRoutes(ports: ComplianceRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = typed(plain)
    detailRoute(app, ports)
    historyRoute(app, ports)
    storyboardRoutes(app, ports)
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
        tags,
        params,
        response: { 200: detail, ...refusals(400, 429) },
      },
    },
    async (request, reply) => {
      const agent_url = canonicalAgentUrl(request.params.encodedUrl)
      if (agent_url === undefined) return sendRefusal(reply, NO_AGENT)
      const stored = (await ports.compliance.get(agent_url)) ?? neverExamined(agent_url)
      return detailOf(stored, { now: ports.clock.now(), isOwner: false })
    },
  )
}

function historyRoute(app: TypedApp, { compliance }: ComplianceRoutePorts): void {
  app.get(
    '/api/registry/agents/:encodedUrl/compliance/history',
    {
      schema: {
        operationId: 'getAgentComplianceHistory',
        summary: 'The last examinations of an agent, the newest first',
        tags,
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
      const agent_url = canonicalAgentUrl(request.params.encodedUrl)
      if (agent_url === undefined) return sendRefusal(reply, NO_AGENT)
      const runs = await compliance.runs(agent_url, request.query.limit)
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

function storyboardRoutes(app: TypedApp, ports: ComplianceRoutePorts): void {
  app.get(
    '/api/registry/agents/:encodedUrl/storyboard-status',
    {
      schema: {
        operationId: 'getAgentStoryboardStatus',
        summary: 'How each group of checks of an agent ended',
        tags,
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
      const stored = (await ports.compliance.get(agent_url)) ?? neverExamined(agent_url)
      const isOwner = await owns(ports, who.caller, agent_url)
      return {
        agent_url,
        storyboards: storyboardsOf(stored, isOwner),
        passing_count: passingOf(stored),
        total_count: stored.storyboards.length,
      }
    },
  )
  app.post(
    '/api/registry/agents/storyboard-status',
    {
      schema: {
        operationId: 'bulkAgentStoryboardStatus',
        summary: 'The same for many agents',
        tags,
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
      const agents: [string, ReturnType<typeof storyboardsOf>][] = []
      for (const [given, url] of named) {
        if (url === undefined) continue
        const stored = found.get(url)
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
        description: 'Takes up to two minutes.',
        tags,
        security,
        params,
        response: {
          200: z.object({ checked_at: z.string(), online: z.boolean(), compliance: detail }),
          ...refusals(400, 401, 403, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const who = await mayWrite(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const agent_url = canonicalAgentUrl(request.params.encodedUrl)
      if (agent_url === undefined) return sendRefusal(reply, NO_AGENT)
      if (!(await owns(ports, who.caller, agent_url))) return sendRefusal(reply, NOT_YOURS)
      const tooMany = taken(ports, request)
      if (tooMany) return sendRefusal(reply, tooMany)
      const stored = await checkAgent(ports, agent_url, {
        triggeredBy: 'owner',
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
const STOPPING = refuse(503, 'the server is stopping: try again', { retryAfter: 10 })

function taken({ examinations }: ComplianceRoutePorts, request: FastifyRequest) {
  const answer = examinations.take(request.account)
  if (answer.ok) return undefined
  return refuse(429, 'Too many requests', {
    message: `at most ${CATALOGUE_LIMITS.examinationsPerMinute.value} examinations a minute`,
    retryAfter: answer.retryAfterSeconds,
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

function neverExamined(agent_url: string): StoredCompliance {
  return {
    agent_url,
    status: 'unknown',
    headline: null,
    tracks: {},
    storyboards: [],
    last_checked_at: 0,
    last_passed_at: 0,
    last_failed_at: 0,
    status_since: 0,
  }
}

function detailOf(stored: StoredCompliance, { now, isOwner }: { now: number; isOwner: boolean }) {
  return {
    agent_url: stored.agent_url,
    ...summaryOf(stored, now),
    compliance_opt_out: false as const,
    last_passed_at: isoOf(stored.last_passed_at),
    last_failed_at: isoOf(stored.last_failed_at),
    status_changed_at: isoOf(stored.status_since),
    storyboards_passing: passingOf(stored),
    storyboards_total: stored.storyboards.length,
    check_interval_hours: CHECK_INTERVAL_HOURS,
    storyboard_statuses: storyboardsOf(stored, isOwner),
  }
}

function storyboardsOf({ storyboards }: StoredCompliance, isOwner: boolean) {
  return storyboards.map((one) => ({
    ...one,
    category: 'doctor',
    track: one.storyboard_id.replace(/^doctor_/, ''),
    first_failed_step_id: isOwner ? one.first_failed_step_id : null,
    first_failed_step_title: isOwner ? one.first_failed_step_title : null,
    first_failed_step_task: null,
    first_failure_message: isOwner ? one.first_failure_message : null,
    last_tested_at: isoOf(one.last_tested_at),
    last_passed_at: isoOf(one.last_passed_at),
  }))
}
