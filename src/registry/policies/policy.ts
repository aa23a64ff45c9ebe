// A governance policy of the registry: what may be saved, what is returned, and what a list filters by.

import { z } from 'zod'
import { isStorable } from '../../lib/storable-text.ts'
import { isHttpUrl } from '../http-url.ts'

export const POLICY_CATEGORIES = ['regulation', 'standard'] as const
export const ENFORCEMENTS = ['must', 'should', 'may'] as const
export const GOVERNANCE_DOMAINS = ['campaign', 'property', 'creative', 'content_standards'] as const

const POLICY_ID = /^[a-z][a-z0-9_]*$/
const MAX_ID_CHARS = 128

export function isPolicyId(value: string): boolean {
  return value.length <= MAX_ID_CHARS && POLICY_ID.test(value)
}

const text = (maxChars: number) =>
  z
    .string()
    .min(1)
    .max(maxChars)
    .refine(isStorable, { message: 'must hold no NUL and no half of a surrogate pair' })
const texts = z.array(text(200)).max(200)
const day = z
  .string()
  .max(40)
  .refine((value) => !Number.isNaN(Date.parse(value)), { message: 'must be a date' })
const exemplar = z.looseObject({ scenario: text(5_000), explanation: text(5_000) })

export const policyInput = z.object({
  policy_id: z.string().max(MAX_ID_CHARS).regex(POLICY_ID),
  version: text(50),
  name: text(300),
  category: z.enum(POLICY_CATEGORIES),
  enforcement: z.enum(ENFORCEMENTS),
  policy: text(100_000),
  description: text(10_000).nullable().optional(),
  jurisdictions: texts.optional(),
  region_aliases: z.record(text(50), z.array(text(50)).max(300)).optional(),
  policy_categories: texts.optional(),
  channels: texts.optional(),
  governance_domains: z.array(z.enum(GOVERNANCE_DOMAINS)).max(10).optional(),
  effective_date: day.nullable().optional(),
  sunset_date: day.nullable().optional(),
  source_url: z
    .string()
    .max(2_048)
    .refine(isHttpUrl, { message: 'must be an http or https URL' })
    .nullable()
    .optional(),
  source_name: text(300).nullable().optional(),
  guidance: text(50_000).nullable().optional(),
  exemplars: z
    .object({ pass: z.array(exemplar).max(100), fail: z.array(exemplar).max(100) })
    .partial()
    .optional(),
  ext: z.record(z.string().max(200), z.unknown()).nullable().optional(),
})
export type PolicyInput = z.infer<typeof policyInput>

/** The text of a policy version; it never changes while the version is served. */
export interface PolicyBody {
  policy_id: string
  version: string
  name: string
  description: string | null
  category: (typeof POLICY_CATEGORIES)[number]
  enforcement: (typeof ENFORCEMENTS)[number]
  jurisdictions: string[]
  region_aliases: Record<string, string[]>
  policy_categories: string[]
  channels: string[]
  governance_domains: string[]
  effective_date: string | null
  sunset_date: string | null
  source_url: string | null
  source_name: string | null
  policy: string
  guidance: string | null
  exemplars: { pass: unknown[]; fail: unknown[] }
  ext: Record<string, unknown> | null
}

export interface Policy extends PolicyBody {
  source_type: 'registry' | 'community'
  review_status: 'pending' | 'approved'
  created_at: string
  updated_at: string
}

export function bodyOf(input: PolicyInput): PolicyBody {
  return {
    policy_id: input.policy_id,
    version: input.version,
    name: input.name,
    description: input.description ?? null,
    category: input.category,
    enforcement: input.enforcement,
    jurisdictions: input.jurisdictions ?? [],
    region_aliases: input.region_aliases ?? {},
    policy_categories: input.policy_categories ?? [],
    channels: input.channels ?? [],
    governance_domains: input.governance_domains ?? [],
    effective_date: input.effective_date ?? null,
    sunset_date: input.sunset_date ?? null,
    source_url: input.source_url ?? null,
    source_name: input.source_name ?? null,
    policy: input.policy,
    guidance: input.guidance ?? null,
    exemplars: { pass: input.exemplars?.pass ?? [], fail: input.exemplars?.fail ?? [] },
    ext: input.ext ?? null,
  }
}

/** Where it applies: its jurisdictions, with aliases resolved. */
export function placesOf({ jurisdictions, region_aliases }: PolicyBody): string[] {
  const aliases = new Map(Object.entries(region_aliases))
  const places = jurisdictions.flatMap((place) => [place, ...(aliases.get(place) ?? [])])
  return [...new Set(places.map((place) => place.toUpperCase()))]
}
