// `/api/policies`: save, list, resolve, resolve many, history.

import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { CATALOGUE_LIMITS } from '../../../registry/catalogue-limits.ts'
import {
  ENFORCEMENTS,
  GOVERNANCE_DOMAINS,
  POLICY_CATEGORIES,
  policyInput,
} from '../../../registry/policies/policy.ts'
import {
  policyHistory,
  resolvePolicies,
  resolvePolicy,
} from '../../../registry/policies/read-policies.ts'
import { type PolicyPorts, savePolicy } from '../../../registry/policies/save-policy.ts'
import { sendRefusal } from './answers.ts'
import { historyPage, pageOf, revision } from './catalogue-schemas.ts'
import {
  type ContributorPorts,
  contributorsOnly,
  mayContribute,
  readerOf,
} from './contributor-gate.ts'
import { refusals } from './schemas.ts'

export type PolicyRoutePorts = PolicyPorts & ContributorPorts

const tags = ['Policies']
const security = [{ bearerAuth: [] }]
const typed = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()
type TypedApp = ReturnType<typeof typed>

const summary = z.object({
  policy_id: z.string(),
  version: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  category: z.enum(POLICY_CATEGORIES),
  enforcement: z.enum(ENFORCEMENTS),
  jurisdictions: z.array(z.string()),
  region_aliases: z.record(z.string(), z.array(z.string())),
  policy_categories: z.array(z.string()),
  channels: z.array(z.string()),
  governance_domains: z.array(z.string()),
  effective_date: z.string().nullable(),
  sunset_date: z.string().nullable(),
  source_url: z.string().nullable(),
  source_name: z.string().nullable(),
  source_type: z.enum(['registry', 'community']),
  review_status: z.enum(['pending', 'approved']),
  created_at: z.string(),
  updated_at: z.string(),
})
const policy = summary.extend({
  policy: z.string(),
  guidance: z.string().nullable(),
  exemplars: z.object({ pass: z.array(z.unknown()), fail: z.array(z.unknown()) }),
  ext: z.record(z.string(), z.unknown()).nullable(),
})
const policyId = z.string().max(200).describe('Such as eu_ai_disclosure')

export function policyRoutes(ports: PolicyRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = typed(plain)
    savePolicyRoute(app, ports)
    listPoliciesRoute(app, ports)
    resolvePolicyRoute(app, ports)
    resolvePoliciesRoute(app, ports)
    policyHistoryRoute(app, ports)
  }
}

function savePolicyRoute(app: TypedApp, ports: PolicyRoutePorts): void {
  app.post(
    '/api/policies/save',
    {
      onRequest: contributorsOnly(ports),
      schema: {
        operationId: 'savePolicy',
        summary: 'Contribute a policy, or edit my own',
        description:
          'A new policy waits for a moderator; until then its contributor alone can read it. A published ' +
          'version keeps its text: a changed text takes a new version.',
        tags,
        security,
        body: policyInput,
        response: {
          200: z.object({
            success: z.literal(true),
            message: z.string(),
            policy_id: z.string(),
            revision_number: z.number().int().nullable(),
          }),
          ...refusals(400, 401, 403, 409, 413, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await mayContribute(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const saved = await savePolicy(ports, who.contributor, request.body)
      if (!saved.ok) return sendRefusal(reply, saved)
      const { policy_id, message, revision_number } = saved
      return { success: true as const, message, policy_id, revision_number }
    },
  )
}

function listPoliciesRoute(app: TypedApp, ports: PolicyRoutePorts): void {
  app.get(
    '/api/policies/registry',
    {
      schema: {
        operationId: 'listPolicies',
        summary: 'Approved policies, without their texts',
        tags,
        querystring: z.object({
          search: z.string().max(200).optional(),
          category: z.enum(POLICY_CATEGORIES).optional(),
          enforcement: z.enum(ENFORCEMENTS).optional(),
          jurisdiction: z
            .string()
            .max(50)
            .optional()
            .describe('Also finds policies whose region alias names it'),
          policy_category: z.string().max(200).optional(),
          vertical: z.string().max(200).optional().describe('An older name of policy_category'),
          domain: z.enum(GOVERNANCE_DOMAINS).optional(),
          ...pageOf({ max: CATALOGUE_LIMITS.policiesListed.value, standard: 100 }),
        }),
        response: {
          200: z.object({
            policies: z.array(summary),
            stats: z.object({
              total: z.number().int(),
              regulation: z.number().int(),
              standard: z.number().int(),
            }),
          }),
          ...refusals(400, 429),
        },
      },
    },
    async (request) => {
      const { vertical, ...filter } = request.query
      return ports.policies.list({ policy_category: vertical, ...filter })
    },
  )
}

function resolvePolicyRoute(app: TypedApp, ports: PolicyRoutePorts): void {
  app.get(
    '/api/policies/resolve',
    {
      schema: {
        operationId: 'resolvePolicy',
        summary: 'A policy by its id, or a version of it',
        description: 'Every version that was ever approved can be resolved.',
        tags,
        querystring: z.object({ policy_id: policyId, version: z.string().max(50).optional() }),
        response: { 200: policy, ...refusals(400, 404, 429) },
      },
    },
    async (request, reply) => {
      const { policy_id, version } = request.query
      const wanted = { policyId: policy_id, version }
      const found = await resolvePolicy(ports, wanted, readerOf(ports, request))
      return found.ok ? found.policy : sendRefusal(reply, found)
    },
  )
}

function resolvePoliciesRoute(app: TypedApp, ports: PolicyRoutePorts): void {
  app.post(
    '/api/policies/resolve/bulk',
    {
      schema: {
        operationId: 'resolvePoliciesBulk',
        summary: 'Many policies by their ids',
        tags,
        body: z.object({
          policy_ids: z.array(policyId).min(1).max(CATALOGUE_LIMITS.policiesAtOnce.value),
        }),
        response: {
          200: z.object({
            results: z.record(z.string(), policy.nullable()).describe('Null for an unknown id'),
          }),
          ...refusals(400, 413, 429),
        },
      },
    },
    async (request) => ({ results: await resolvePolicies(ports, request.body.policy_ids) }),
  )
}

function policyHistoryRoute(app: TypedApp, ports: PolicyRoutePorts): void {
  app.get(
    '/api/policies/history',
    {
      schema: {
        operationId: 'getPolicyHistory',
        summary: 'The edits of a policy, the newest first',
        tags,
        querystring: z.object({ policy_id: policyId, ...historyPage }),
        response: {
          200: z.object({
            policy_id: z.string(),
            total: z.number().int(),
            revisions: z.array(revision),
          }),
          ...refusals(400, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const { policy_id, ...page } = request.query
      const wanted = { policyId: policy_id, ...page }
      const found = await policyHistory(ports, wanted, readerOf(ports, request))
      if (!found.ok) return sendRefusal(reply, found)
      return { policy_id, total: found.total, revisions: found.revisions }
    },
  )
}
