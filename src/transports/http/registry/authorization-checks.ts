// Whether an agent may sell a property, many properties, or a product. Public.

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import { canonicalAgentUrl } from '../../../protocol/agent-url.ts'
import { AUTHORIZATION_LIMITS } from '../../../registry/authorizations/limits.ts'
import {
  type AuthorizationVerdict,
  checkPairs,
  checkSelectors,
  type LookUpPorts,
  mayDescribe,
  type ProductSelector,
} from '../../../registry/authorizations/look-up.ts'
import { refuse } from '../../../registry/refusal.ts'
import { unchecked } from '../unchecked.ts'
import { sendRefusal } from './answers.ts'
import { bulkAnswer, expansion, productAnswer, propertyAnswer } from './authorization-schemas.ts'
import { refusals } from './schemas.ts'

interface CheckPorts extends LookUpPorts {
  clock: Clock
}

const tags = ['Authorization lookups']
type Query = Record<string, string | string[] | undefined>
const NO_AGENT = refuse(400, 'agent_url must be an http(s) URL')

/** The part of a verdict that a caller receives. */
function toWire({ authorized, reason, publisher_domain, property_id, by }: AuthorizationVerdict) {
  return {
    authorized,
    reason,
    publisher_domain,
    property_id,
    ...(by
      ? {
          authorization_type: by.authorization_type,
          discovery_method: by.discovery_method,
          manager_domain: by.manager_domain,
          last_verified_at: new Date(by.verified_at).toISOString(),
        }
      : {}),
  }
}

const pairShape = z.object({
  agent_url: z.string().max(2_048),
  identifier_type: z.string().max(64),
  identifier_value: z.string().max(1_024),
})

export function authorizationChecks(app: FastifyInstance, ports: CheckPorts): void {
  pairRoute(app, ports)
  pairsRoute(app, ports)
}

function pairRoute(app: FastifyInstance, ports: CheckPorts): void {
  const now = () => ports.clock.now()
  app.get(
    '/api/registry/validate/property-authorization',
    {
      validatorCompiler: unchecked,
      schema: {
        operationId: 'validatePropertyAuthorization',
        summary: 'Whether an agent may sell a property, and why not',
        tags,
        querystring: z.object({
          agent_url: z.string(),
          identifier_type: z.string(),
          identifier_value: z.string(),
          country: z.string().optional().describe('ISO 3166 alpha-2'),
        }),
        response: { 200: propertyAnswer, ...refusals(400, 429) },
      },
    },
    async (request, reply) => {
      const { agent_url, identifier_type, identifier_value, country } = request.query as Query
      const isWhole = [agent_url, identifier_type, identifier_value].every(
        (one) => typeof one === 'string' && one !== '',
      )
      if (!isWhole || Array.isArray(country)) {
        return sendRefusal(
          reply,
          refuse(400, 'agent_url, identifier_type and identifier_value are required, each once'),
        )
      }
      const pair = { agent_url, identifier_type, identifier_value } as Record<
        keyof typeof pairShape.shape,
        string
      >
      if (canonicalAgentUrl(pair.agent_url) === undefined) return sendRefusal(reply, NO_AGENT)
      const [verdict] = await checkPairs(ports, [pair], { now: now(), country })
      return {
        ...pair,
        ...toWire(verdict as AuthorizationVerdict),
        checked_at: new Date(now()).toISOString(),
      }
    },
  )
}

function pairsRoute(app: FastifyInstance, ports: CheckPorts): void {
  const now = () => ports.clock.now()
  const most = AUTHORIZATION_LIMITS.pairs.value
  app.post(
    '/api/registry/validate/property-authorizations',
    {
      schema: {
        operationId: 'validatePropertyAuthorizations',
        summary: 'The same for many pairs at once',
        tags,
        body: z.object({
          pairs: z.array(pairShape).min(1).max(most),
          country: z.string().length(2).optional(),
        }),
        response: { 200: bulkAnswer, ...refusals(400, 413, 429) },
      },
    },
    async (request) => {
      const { pairs, country } = request.body as {
        pairs: z.infer<typeof pairShape>[]
        country?: string
      }
      const verdicts = await checkPairs(ports, pairs, { now: now(), country })
      const results = verdicts.map(({ authorized, reason, publisher_domain, property_id }) => ({
        authorized,
        reason,
        publisher_domain,
        property_id,
      }))
      const authorized_count = results.filter(({ authorized }) => authorized).length
      return {
        results,
        count: results.length,
        authorized_count,
        checked_at: new Date(now()).toISOString(),
      }
    },
  )
}

const selectorShape = z.object({
  publisher_domain: z.string().max(253).optional(),
  selection_type: z.string().max(16).optional(),
  property_types: z.array(z.string().max(64)).max(100).optional(),
  property_ids: z.array(z.string().max(255)).max(10_000).optional(),
  tags: z.array(z.string().max(255)).max(1_000).optional(),
  property_tags: z.array(z.string().max(255)).max(1_000).optional(),
})
const productBody = z.object({
  agent_url: z.string().max(2_048),
  publisher_properties: z.array(selectorShape).max(AUTHORIZATION_LIMITS.selectors.value),
})

/** A selector that matches no known property counts as one item that is not covered. */
function coverageOf(
  verdicts: readonly { requested_count: number; authorized_count: number }[],
): number {
  let requested = 0
  let covered = 0
  for (const { requested_count, authorized_count } of verdicts) {
    requested += Math.max(1, requested_count)
    covered += authorized_count
  }
  return requested === 0 ? 0 : Math.floor((covered / requested) * 100)
}

async function checkedProduct(ports: CheckPorts, body: unknown) {
  const { agent_url, publisher_properties } = body as {
    agent_url: string
    publisher_properties: ProductSelector[]
  }
  const now = ports.clock.now()
  const of = { agentUrl: agent_url, selectors: publisher_properties, now }
  return { agent_url, verdicts: await checkSelectors(ports, of), at: new Date(now).toISOString() }
}

export function productChecks(app: FastifyInstance, ports: CheckPorts): void {
  productRoute(app, ports)
  expandRoute(app, ports)
}

function productRoute(app: FastifyInstance, ports: CheckPorts): void {
  app.post(
    '/api/registry/validate/product-authorization',
    {
      schema: {
        operationId: 'validateProductAuthorization',
        summary: 'Whether an agent may sell all properties of a product',
        tags,
        body: productBody,
        response: { 200: productAnswer, ...refusals(400, 429) },
      },
    },
    async (request) => {
      const { agent_url, verdicts, at } = await checkedProduct(ports, request.body)
      const sum = (count: (verdict: (typeof verdicts)[number]) => number) =>
        verdicts.reduce((total, verdict) => total + count(verdict), 0)
      const total_requested = sum(({ requested_count }) => requested_count)
      const total_authorized = sum(({ authorized_count }) => authorized_count)
      const authorized =
        verdicts.length > 0 &&
        verdicts.every(
          (one) => one.requested_count > 0 && one.authorized_count === one.requested_count,
        )
      return {
        agent_url,
        authorized,
        coverage_percentage: coverageOf(verdicts),
        total_requested,
        total_authorized,
        selectors: verdicts.map(({ properties: _, ...verdict }) => verdict),
        checked_at: at,
      }
    },
  )
}

function expandRoute(app: FastifyInstance, ports: CheckPorts): void {
  app.post(
    '/api/registry/expand/product-identifiers',
    {
      schema: {
        operationId: 'expandProductIdentifiers',
        summary: 'The identifiers of the properties that an agent may sell of a product',
        tags,
        body: productBody,
        response: { 200: expansion, ...refusals(400, 429) },
      },
    },
    async (request) => {
      const { agent_url, verdicts, at } = await checkedProduct(ports, request.body)
      const properties = verdicts.flatMap((verdict) => verdict.properties)
      const identifiers = properties.flatMap(
        ({ identifiers: own, property_id, publisher_domain }) =>
          own
            .map(({ type, value }) => ({ type, value, property_id, publisher_domain }))
            .filter(mayDescribe),
      )
      return {
        agent_url,
        properties: properties.map(
          ({ property_id, property_type, name, publisher_domain, tags: own }) => ({
            property_id,
            property_type,
            name,
            publisher_domain,
            tags: own,
          }),
        ),
        identifiers,
        property_count: properties.length,
        identifier_count: identifiers.length,
        generated_at: at,
      }
    },
  )
}
