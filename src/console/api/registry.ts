// The registry: which files and agents describe a domain, how each was verified, what has changed, and what is wrong
// with a pasted file.

import { z } from 'zod'
import { FILE_TYPES } from '../../protocol/adagents/file-types.ts'
import {
  MANIFEST_TYPES,
  REFERENCE_TYPES,
  VERIFICATION_STATUSES,
} from '../../protocol/manifest-reference.ts'
import { PROOFS } from '../../protocol/proof.ts'
import { pageOf, pageQuery, textFilter, time } from './common.ts'

const referenceItem = z.strictObject({
  id: z.string(),
  domain: z.string(),
  manifest_type: z.enum(MANIFEST_TYPES),
  reference_type: z.enum(REFERENCE_TYPES),
  manifest_url: z.string().optional(),
  agent_url: z.string().optional(),
  agent_id: z.string().optional(),
  verification_status: z.enum(VERIFICATION_STATUSES),
  /** How the domain confirms it; missing unless it is valid. */
  proved_by: z.enum(PROOFS).optional(),
  completeness_score: z.number(),
  organization_id: z.string(),
  organization_name: z.string().optional(),
  last_verified_at: time.optional(),
  created_at: time,
})
export type ReferenceItem = z.infer<typeof referenceItem>

export const referencesQuery = z.strictObject({
  ...pageQuery,
  /** What the domain begins with. */
  q: textFilter.optional(),
  status: z.enum(VERIFICATION_STATUSES).optional(),
  manifest_type: z.enum(MANIFEST_TYPES).optional(),
})
export type ReferencesQuery = z.infer<typeof referencesQuery>

export const referencesPage = pageOf(referenceItem)
export type ReferencesPage = z.infer<typeof referencesPage>

const issue = z.strictObject({ pointer: z.string(), message: z.string() })

const reference = z.strictObject({
  ...referenceItem.shape,
  /** Asked for, and not begun. */
  is_queued: z.boolean(),
  is_under_way: z.boolean(),
  next_verification_at: time.optional(),
  /** Consecutive verifications that did not end as valid. */
  failures: z.number(),
  /** Whether verifications check for the contributor's challenge. */
  is_proof_asked: z.boolean(),
  /** What the domain could publish to confirm it. */
  ways_to_prove: z.array(z.string()),
  /** Verifications, the newest first. */
  history: z.array(
    z.strictObject({
      verified_at: time,
      verification_status: z.enum(VERIFICATION_STATUSES),
      proved_by: z.enum(PROOFS).optional(),
      completeness_score: z.number(),
      reason: z.string(),
      issues: z.array(issue),
      duration_ms: z.number(),
    }),
  ),
})
export type Reference = z.infer<typeof reference>

export const registryDomain = z.strictObject({
  /** As it is kept. */
  domain: z.string(),
  /** What a public lookup returns, for each type of file; missing if it finds none. */
  lookup: z.array(
    z.strictObject({
      manifest_type: z.enum(MANIFEST_TYPES),
      reference: z
        .strictObject({
          reference_type: z.enum(REFERENCE_TYPES),
          manifest_url: z.string().nullable(),
          agent_url: z.string().nullable(),
          agent_id: z.string().nullable(),
          verification_status: z.enum(VERIFICATION_STATUSES),
        })
        .optional(),
    }),
  ),
  /** The best first; at most 50. */
  references: z.array(reference),
  has_more: z.boolean(),
  /** The organisation whose members have addresses there, with the agents that it lists. */
  organization: z
    .strictObject({
      organization_id: z.string(),
      name: z.string(),
      agents: z.array(
        z.strictObject({
          url: z.string(),
          type: z.string(),
          name: z.string().optional(),
          visibility: z.string(),
        }),
      ),
    })
    .optional(),
})
export type RegistryDomain = z.infer<typeof registryDomain>

export const domainParams = z.strictObject({ domain: z.string().min(1).max(2_048) })

export const referenceParams = z.strictObject({ reference_id: z.string().min(1).max(256) })

const feedEvent = z.strictObject({
  event_id: z.string(),
  event_type: z.string(),
  entity_type: z.string(),
  entity_id: z.string(),
  domain: z.string().optional(),
  payload: z.looseObject({}),
  actor: z.string(),
  created_at: time,
})
export type SerializedFeedEvent = z.infer<typeof feedEvent>

export const feedQuery = z.strictObject({
  ...pageQuery,
  domain: textFilter.optional(),
  about: z.enum(['manifest_ref', 'agent', 'organization']).optional(),
})
export type ConsoleFeedQuery = z.infer<typeof feedQuery>

export const feedPage = pageOf(feedEvent)
export type ConsoleFeedPage = z.infer<typeof feedPage>

/** Longer than any manifest that is worth pasting, and below the size limit of a request. */
const MAX_PASTED = 400_000

export const checkBody = z.strictObject({
  type: z.enum(FILE_TYPES),
  text: z.string().min(1).max(MAX_PASTED),
  /** Whether it speaks of this domain. */
  domain: z.string().max(2_048).optional(),
})
export type CheckBody = z.infer<typeof checkBody>

const authorizes = z.strictObject({
  /** At most 200. */
  rows: z.array(
    z.strictObject({
      agent_url: z.string(),
      publisher_domain: z.string(),
      authorized_for: z.string(),
      properties_authorized: z.number(),
      properties_total: z.number(),
      property_ids: z.array(z.string()),
      countries: z.array(z.string()).optional(),
      effective_from: z.string().optional(),
      effective_until: z.string().optional(),
      is_exclusive: z.boolean(),
      is_pinned: z.boolean(),
      /** Whether it is valid without confirmation from another domain. */
      is_own: z.boolean(),
    }),
  ),
  total: z.number(),
  /** Agents that the file lists without effect; at most 200. */
  idle: z.array(z.strictObject({ agent_url: z.string(), reason: z.string() })),
})

export const checkAnswer = z.strictObject({
  ok: z.boolean(),
  /** What was seen, in a sentence. */
  reason: z.string(),
  /** At most 100. */
  issues: z.array(
    z.strictObject({
      ...issue.shape,
      severity: z.enum(['error', 'warning']).optional(),
      line: z.number().optional(),
    }),
  ),
  /** All faults, listed or not. */
  total_issues: z.number(),
  /** What an adagents.json would authorize. */
  authorizes: authorizes.optional(),
  /** The manager that an ads.txt declares. */
  manager_domain: z.string().optional(),
  /** Which variant of the file format it uses. */
  variant: z.string().optional(),
  /** From 0 to 100. */
  completeness: z.number().optional(),
  name: z.string().optional(),
  /** Files that it points to. */
  points_to: z.string().optional(),
  names_domain: z.boolean().optional(),
})
export type CheckAnswer = z.infer<typeof checkAnswer>
