// Shapes of the registry's answers, for the OpenAPI description and the serialiser.

import { z } from 'zod'
import {
  MANIFEST_TYPES,
  REFERENCE_TYPES,
  VERIFICATION_STATUSES,
} from '../../../protocol/manifest-reference.ts'
import { PROOFS } from '../../../protocol/proof.ts'
import { AGENT_VISIBILITIES } from '../../../registry/store.ts'

export const errorBody = z
  .object({ error: z.string() })
  .catchall(z.unknown())
  .describe('What was wrong and what would be right')

/** The error responses of a route, for its `response` table. */
export function refusals(...statuses: number[]): Record<number, typeof errorBody> {
  return Object.fromEntries(statuses.map((status) => [status, errorBody]))
}

const referenceFields = {
  reference_type: z.enum(REFERENCE_TYPES),
  manifest_url: z.string().nullable(),
  agent_url: z.string().nullable(),
  agent_id: z.string().nullable(),
  verification_status: z.enum(VERIFICATION_STATUSES),
}

export const lookupAnswer = z.union([
  z.object({
    success: z.literal(true),
    found: z.literal(true),
    reference: z.object(referenceFields),
  }),
  z.object({ success: z.literal(false), found: z.literal(false) }),
])

export const referenceRecord = z.object({
  id: z.string(),
  domain: z.string(),
  manifest_type: z.enum(MANIFEST_TYPES),
  ...referenceFields,
  proved_by: z.enum(PROOFS).nullable().describe('How the domain vouches for it; null unless valid'),
  completeness_score: z.number().int().min(0).max(100),
  contributed_by_org_id: z.string(),
  last_verified_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})

export const referencePage = z.object({
  references: z.array(referenceRecord),
  total: z.number().describe('How many match; a lower bound unless it is exact'),
  total_is_exact: z.boolean(),
  has_more: z.boolean().describe('Whether another page may follow; a filtered one may be short'),
  cursor: z.string().nullable().describe('Where the next page begins'),
})

export const referenceInput = z
  .object({
    domain: z.string(),
    manifest_type: z.enum(MANIFEST_TYPES).optional(),
    reference_type: z.enum(REFERENCE_TYPES),
    manifest_url: z.string().optional(),
    agent_url: z.string().optional(),
    agent_id: z.string().optional(),
  })
  .describe('A url reference has manifest_url; an agent reference has agent_url and agent_id')

export const historyEntry = z.object({
  verified_at: z.string(),
  verification_status: z.enum(VERIFICATION_STATUSES),
  proved_by: z.enum(PROOFS).nullable(),
  completeness_score: z.number(),
  reason: z.string(),
  issues: z.array(z.object({ pointer: z.string(), message: z.string() })).readonly(),
  duration_ms: z.number(),
})

export const statsBody = z.object({
  success: z.literal(true),
  stats: z.object({
    total_references: z.number(),
    brand_json_count: z.number(),
    adagents_json_count: z.number(),
    verified_count: z.number(),
    pending_count: z.number(),
    invalid_count: z.number(),
    unreachable_count: z.number(),
    url_refs_count: z.number(),
    agent_refs_count: z.number(),
    unique_domains: z.number(),
    unique_orgs: z.number(),
  }),
})

const found = z.object({
  name: z.string(),
  domain: z.string(),
  verification_status: z.enum(VERIFICATION_STATUSES),
})

export const searchAnswer = z.object({
  brands: z.array(found),
  publishers: z.array(found),
  properties: z.array(found),
})

export const memberAgent = z.object({
  url: z.string(),
  type: z.string(),
  name: z.string().nullable(),
  visibility: z.enum(AGENT_VISIBILITIES),
  health_check_url: z.string().nullable(),
})

const feedEvent = z.object({
  event_id: z.string(),
  event_type: z.string(),
  entity_type: z.string(),
  entity_id: z.string(),
  payload: z.record(z.string(), z.unknown()),
  actor: z.string(),
  created_at: z.string(),
})

export const feedPage = z.object({
  events: z.array(feedEvent),
  cursor: z.string().nullable(),
  has_more: z.boolean(),
  freshness: z.object({
    generated_at: z.string(),
    latest_event_created_at: z.string().nullable(),
    lag_seconds: z.number().nullable(),
    retention_days: z.number(),
  }),
})
