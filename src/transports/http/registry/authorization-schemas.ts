// Response shapes of the authorization routes, for the OpenAPI description and the serialiser.

import { z } from 'zod'
import { DISCOVERY_METHODS } from '../../../registry/authorizations/authorization.ts'

const method = z.enum(DISCOVERY_METHODS)

export const publishersOfAgent = z.object({
  agent_url: z.string(),
  directory_indexed_at: z.string().nullable(),
  publishers: z.array(
    z.object({
      publisher_domain: z.string(),
      discovery_method: method,
      manager_domain: z.string().nullable(),
      properties_authorized: z.number(),
      properties_total: z.number(),
      property_ids: z.array(z.string()).optional(),
      signing_keys_pinned: z.boolean(),
      status: z.enum(['authorized', 'revoked']),
      last_verified_at: z.string(),
    }),
  ),
  next_cursor: z.string().nullable(),
})

const agent = z.object({ url: z.string(), authorized_for: z.string().optional() })
export const domainLookup = z.object({
  domain: z.string(),
  authorized_agents: z.array(agent),
  sales_agents_claiming: z.array(agent).describe('Agents that only another domain’s file names'),
})

const verdict = {
  authorized: z.boolean(),
  reason: z.string().describe('`authorized`, or why not'),
  publisher_domain: z.string().nullable(),
  property_id: z.string().nullable(),
}

export const propertyAnswer = z.object({
  agent_url: z.string(),
  identifier_type: z.string(),
  identifier_value: z.string(),
  ...verdict,
  authorization_type: z.string().optional(),
  discovery_method: method.optional(),
  manager_domain: z.string().nullable().optional(),
  last_verified_at: z.string().optional(),
  checked_at: z.string(),
})

export const bulkAnswer = z.object({
  results: z.array(z.object(verdict)).describe('In the order of the pairs'),
  count: z.number(),
  authorized_count: z.number(),
  checked_at: z.string(),
})

export const productAnswer = z.object({
  agent_url: z.string(),
  authorized: z.boolean().describe('Whether all of it may be sold'),
  coverage_percentage: z.number(),
  total_requested: z.number(),
  total_authorized: z.number(),
  selectors: z.array(
    z.object({
      publisher_domain: z.string(),
      selection_type: z.enum(['all', 'by_id', 'by_tag']),
      requested_count: z.number(),
      authorized_count: z.number(),
      unauthorized_items: z.array(z.string()),
      source: z.string(),
    }),
  ),
  checked_at: z.string(),
})

export const expansion = z.object({
  agent_url: z.string(),
  properties: z.array(
    z.object({
      property_id: z.string(),
      property_type: z.string(),
      name: z.string(),
      publisher_domain: z.string(),
      tags: z.array(z.string()),
    }),
  ),
  identifiers: z.array(
    z.object({
      type: z.string(),
      value: z.string(),
      property_id: z.string(),
      publisher_domain: z.string(),
    }),
  ),
  property_count: z.number(),
  identifier_count: z.number(),
  generated_at: z.string(),
})

export const publisherAuthorization = z.object({
  publisher_domain: z.string(),
  agent_url: z.string(),
  authorized: z.number(),
  total: z.number(),
  publisher_wide: z.boolean(),
  source: z.enum(['adagents_json', 'agent_claim']),
  authorized_for: z.string(),
  unauthorized_properties: z.array(
    z.object({ id: z.string(), name: z.string(), type: z.string() }),
  ),
})

export const publisherPage = z.object({
  domain: z.string(),
  member: z.null(),
  adagents_valid: z.boolean().nullable(),
  discovery_method: method.nullable(),
  manager_domain: z.string().nullable(),
  hosting: z.object({
    mode: z.enum(['self', 'self_invalid', 'self_redirected', 'none']),
    expected_url: z.string(),
    resolved_url: z.string().nullable(),
    last_validated: z.string().nullable(),
    last_http_status: z.number().nullable(),
    last_bytes: z.number().nullable(),
  }),
  crawl: z
    .object({
      status: z.enum(['never', 'valid', 'invalid', 'absent', 'failed']),
      since: z.string().nullable(),
      last_attempt_at: z.string().nullable(),
      next_attempt_at: z.string().nullable(),
      is_stale: z.boolean().describe('No success for more than a day'),
      failures: z.number(),
      error_code: z.string().nullable(),
      error: z.string().nullable(),
      held_location: z.string().nullable().describe('A changed pointer that is not followed yet'),
      faults: z.array(z.looseObject({ pointer: z.string(), message: z.string() })),
    })
    .describe('What the crawler knows of the domain’s file'),
  files: z.object({
    adagents_json: z.object({
      status: z.enum(['valid', 'invalid', 'unknown']),
      expected_url: z.string(),
    }),
    brand_json: z.object({ status: z.enum(['present', 'unknown']), name: z.string().nullable() }),
  }),
  properties: z.array(
    z.looseObject({
      id: z.string(),
      type: z.string(),
      name: z.string(),
      source: z
        .enum(['adagents_json', 'discovered', 'community'])
        .describe('The file that speaks for the domain, the files of others, or what was saved'),
    }),
  ),
  authorized_agents: z.array(
    z.object({
      url: z.string(),
      authorized_for: z.string(),
      source: z.enum(['adagents_json', 'agent_claim']),
      properties_authorized: z.number(),
      properties_total: z.number(),
      publisher_wide: z.boolean(),
    }),
  ),
  rollup_truncated: z.boolean(),
})
