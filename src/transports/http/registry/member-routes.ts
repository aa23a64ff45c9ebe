// `/api/me/agents` and `/api/organizations`: a member's own agents and organisation (spec 4.5).

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { defined } from '../../../lib/defined.ts'
import { AGENT_TYPES } from '../../../protocol/brand-entry.ts'
import {
  type AgentPorts,
  listAgents,
  registerAgent,
  removeAgent,
  updateAgent,
} from '../../../registry/agents.ts'
import { createOrAdoptOrganization } from '../../../registry/organizations.ts'
import { COMPANY_TYPES, REVENUE_TIERS } from '../../../registry/parse-organization.ts'
import { type Refusal, refuse } from '../../../registry/refusal.ts'
import { AGENT_VISIBILITIES } from '../../../registry/store.ts'
import { unchecked } from '../unchecked.ts'
import { authenticated, type GatePorts, mayWrite, sendRefusal, writersOnly } from './answers.ts'
import { memberAgent, refusals } from './schemas.ts'

export interface MemberRoutePorts extends AgentPorts, GatePorts {
  resourceMetadataUrl: () => string
}

const tags = ['Member agents']
const security = [{ bearerAuth: [] }]
const urlParams = z.object({ url: z.string().describe('The agent URL, percent-encoded') })
const agentChanges = {
  name: z.string().nullable().optional(),
  visibility: z.enum(AGENT_VISIBILITIES).optional(),
  health_check_url: z.string().nullable().optional(),
}
const agentAnswer = z.object({ agent: memberAgent })
const registered = agentAnswer.extend({
  org_auto_created: z.boolean().optional(),
  profile_auto_created: z.boolean().optional(),
})

export function memberRoutes(ports: MemberRoutePorts) {
  return (app: FastifyInstance): void => {
    listMyAgents(app, ports)
    registerMyAgent(app, ports)
    updateMyAgent(app, ports)
    removeMyAgent(app, ports)
    organizationRoute(app, ports)
  }
}

function listMyAgents(app: FastifyInstance, ports: MemberRoutePorts): void {
  const { resourceMetadataUrl } = ports
  app.get(
    '/api/me/agents',
    {
      schema: {
        operationId: 'listMyAgents',
        summary: "The caller's agents",
        tags,
        security,
        response: { 200: z.object({ agents: z.array(memberAgent) }), ...refusals(401) },
      },
    },
    async (request, reply) => {
      const who = await authenticated(ports, request)
      if (!who.ok) return sendRefusal(reply, who, resourceMetadataUrl)
      return { agents: await listAgents(ports, who.caller) }
    },
  )
}

function registerMyAgent(app: FastifyInstance, ports: MemberRoutePorts): void {
  const { resourceMetadataUrl } = ports
  app.post(
    '/api/me/agents',
    {
      onRequest: writersOnly(ports),
      validatorCompiler: unchecked,
      schema: {
        operationId: 'registerMyAgent',
        summary: 'Register an agent, or change it when it is known',
        tags,
        security,
        body: z.object({ url: z.string(), type: z.enum(AGENT_TYPES), ...agentChanges }),
        response: { 200: registered, 201: registered, ...refusals(400, 401, 409, 429) },
      },
    },
    async (request, reply) => {
      const who = await mayWrite(ports, request)
      if (!who.ok) return sendRefusal(reply, who, resourceMetadataUrl)
      const done = await registerAgent(ports, who.caller, request.body)
      if (!done.ok) return sendRefusal(reply, done)
      reply.code(done.created ? 201 : 200)
      return {
        agent: done.agent,
        ...defined({
          org_auto_created: done.org_auto_created ? true : undefined,
          profile_auto_created: done.profile_auto_created ? true : undefined,
        }),
      }
    },
  )
}

function updateMyAgent(app: FastifyInstance, ports: MemberRoutePorts): void {
  const { resourceMetadataUrl } = ports
  app.patch(
    '/api/me/agents/:url',
    {
      onRequest: writersOnly(ports),
      validatorCompiler: unchecked,
      schema: {
        operationId: 'updateMyAgent',
        summary: 'Change an agent',
        tags,
        security,
        params: urlParams,
        body: z.object({ type: z.enum(AGENT_TYPES).optional(), ...agentChanges }),
        response: { 200: agentAnswer, ...refusals(400, 401, 404, 429) },
      },
    },
    async (request, reply) => {
      const who = await mayWrite(ports, request)
      if (!who.ok) return sendRefusal(reply, who, resourceMetadataUrl)
      const { url } = request.params as { url: string }
      const done = await updateAgent(ports, who.caller, { url, changes: request.body })
      return done.ok ? { agent: done.agent } : sendRefusal(reply, done)
    },
  )
}

function removeMyAgent(app: FastifyInstance, ports: MemberRoutePorts): void {
  const { resourceMetadataUrl } = ports
  app.delete(
    '/api/me/agents/:url',
    {
      onRequest: writersOnly(ports),
      validatorCompiler: unchecked,
      schema: {
        operationId: 'removeMyAgent',
        summary: 'Remove an agent',
        tags,
        security,
        params: urlParams,
        response: { 204: z.null().describe('Removed'), ...refusals(401, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      const who = await mayWrite(ports, request)
      if (!who.ok) return sendRefusal(reply, who, resourceMetadataUrl)
      const { url } = request.params as { url: string }
      const done = await removeAgent(ports, who.caller, url)
      return done.ok ? reply.code(204).send(null) : sendRefusal(reply, done)
    },
  )
}

const organizationAnswer = z.object({
  success: z.literal(true),
  organization: z.object({ id: z.string(), name: z.string() }),
  adopted: z.boolean().optional(),
})

function organizationRoute(app: FastifyInstance, ports: MemberRoutePorts): void {
  app.post(
    '/api/organizations',
    {
      onRequest: writersOnly(ports),
      validatorCompiler: unchecked,
      schema: {
        operationId: 'createOrganization',
        summary: 'Create my organisation, or rename the one that was created for me',
        tags: ['Onboarding'],
        security,
        body: z.object({
          organization_name: z.string().min(1).max(200),
          is_personal: z.boolean().optional(),
          company_type: z.enum(COMPANY_TYPES).optional(),
          revenue_tier: z.enum(REVENUE_TIERS).optional(),
          marketing_opt_in: z.boolean().optional(),
        }),
        response: {
          200: organizationAnswer,
          201: organizationAnswer,
          ...refusals(400, 401, 403, 409, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await mayWrite(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      if (who.caller.kind !== 'user') return sendRefusal(reply, ONLY_USERS)
      const done = await createOrAdoptOrganization(ports, who.caller, request.body)
      if (!done.ok) return sendRefusal(reply, done)
      const { organization_id: id, name } = done.organization
      reply.code(done.adopted ? 200 : 201)
      return {
        success: true as const,
        organization: { id, name },
        ...defined({ adopted: done.adopted ? true : undefined }),
      }
    },
  )
}

const ONLY_USERS: Refusal = refuse(
  403,
  'an organization key already belongs to an organization: create one with a user token',
)
