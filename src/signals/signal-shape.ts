// The shape of a signal in the operator's file (spec 2.6): what is required, what may be omitted, and what is
// tolerated. Unknown members are dropped.

import { z } from 'zod'
import { canonicalUrl } from '../lib/canonical-url.ts'
import { isObject, withRule } from '../protocol/schemas/checks.ts'
import {
  currency,
  domain,
  opaqueId,
  percentage,
  quantity,
  webUrl,
} from '../protocol/schemas/common.ts'
import { activationKey } from '../protocol/schemas/deployment.ts'
import { pricingOption, SIGNAL_TYPES, signal } from '../protocol/schemas/signal.ts'
import { ANY_PLACE } from '../protocol/target-place.ts'

const MAX_DEPLOYMENTS = 500
const MAX_TAGS = 100
const MAX_OPTIONS = 20
const MAX_PRINCIPALS = 1_000

const line = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(/^[^\p{Cc}\p{Surrogate}]*$/u, 'This must not contain line breaks or control characters.')

const paragraph = z
  .string()
  .trim()
  .min(1)
  .max(5_000)
  .regex(/^(?:[\n\r\t]|[^\p{Cc}\p{Surrogate}])*$/u, 'This must not contain control characters.')

const country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'This must be an ISO 3166 country code of two letters, such as US.')

const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?<zone>Z|[+-]\d\d:?\d\d)?)?$/i

/** A date without a time is its first moment, and a time without a zone is in UTC. */
const time = z
  .string()
  .trim()
  .transform((text, context) => {
    const found = TIME.exec(text)
    const isBare = text.length > '2026-01-31'.length && found?.groups?.zone === undefined
    const at = found ? Date.parse(isBare ? `${text.replace(' ', 'T')}Z` : text) : Number.NaN
    if (!Number.isNaN(at)) return new Date(at).toISOString()
    const message = 'This must be an ISO 8601 time, such as 2026-01-31T12:00:00Z.'
    context.addIssue({ code: 'custom', message, params: { keyword: 'format' } })
    return z.NEVER
  })

const price = z.object({ cpm: quantity, currency })

const deployed = {
  account: opaqueId.optional(),
  is_live: z.boolean().default(false),
  activation_key: activationKey.optional(),
  estimated_activation_duration_minutes: quantity.optional(),
}

const deployment = z.discriminatedUnion('type', [
  z.object({ type: z.literal('platform'), platform: line(255), ...deployed }),
  z.object({
    type: z.literal('agent'),
    agent_url: z.literal(ANY_PLACE).or(webUrl),
    ...deployed,
  }),
])

const { value_type, categories, range, taxonomy, methodology, refresh_cadence } = signal.shape
const { restricted_attributes, demographic_predicate } = signal.shape

const members = z.object({
  signal_agent_segment_id: line(255),
  name: line(300),
  description: paragraph,
  signal_type: z.enum(SIGNAL_TYPES),
  data_provider: line(200),
  data_provider_domain: domain.optional(),
  coverage_percentage: percentage,
  countries: z.array(country).max(250).default([]),
  pricing: price.optional(),
  pricing_options: z.array(pricingOption).min(1).max(MAX_OPTIONS).optional(),
  deployments: z.array(deployment).max(MAX_DEPLOYMENTS),
  visibility: z.object({ principals: z.array(line(255)).min(1).max(MAX_PRINCIPALS) }).optional(),
  custom_pricing: z.record(line(255), price).optional(),
  tags: z.array(line(100)).max(MAX_TAGS).default([]),
  updated_at: time.optional(),
  value_type,
  categories,
  range,
  taxonomy,
  methodology,
  refresh_cadence,
  restricted_attributes,
  demographic_predicate,
})

export type SignalMembers = z.infer<typeof members>

/** For a row with normalized names and omitted members. */
export const signalShape = withRule(members, (row, report) => {
  const { pricing, pricing_options, signal_type } = row
  if (pricing === undefined && pricing_options === undefined && signal_type !== 'owned') {
    const message = 'pricing (with cpm and currency) or pricing_options is required.'
    report(['pricing'], message, 'required')
  }
  const { demographic_predicate: who, restricted_attributes: touched } = row
  if (
    isObject(who) &&
    who.age !== undefined &&
    !(Array.isArray(touched) && touched.includes('age'))
  ) {
    const message = 'Include age here: demographic_predicate restricts the signal by age.'
    report(['restricted_attributes'], message, 'contains')
  }
  for (const index of repeated(pricing_options, optionId)) {
    report(['pricing_options', index, 'pricing_option_id'], 'Another option has this id.', 'unique')
  }
  for (const [index, { is_live, agent_url, platform }] of listed(row.deployments).entries()) {
    if (is_live !== true || ![agent_url, platform].includes(ANY_PLACE)) continue
    const message = 'A signal for any agent or platform is not live anywhere yet: omit is_live.'
    report(['deployments', index, 'is_live'], message, 'not')
  }
  for (const index of repeated(row.deployments, targetOf)) {
    report(['deployments', index], 'Another deployment has this target.', 'unique')
  }
})

function listed(deployments: unknown): Record<string, unknown>[] {
  return Array.isArray(deployments) ? deployments.map((one) => (isObject(one) ? one : {})) : []
}

/** The positions at which a list repeats an earlier item. */
function repeated(list: unknown, keyOf: (item: Record<string, unknown>) => string): number[] {
  if (!Array.isArray(list)) return []
  const seen = new Set<string>()
  return list.flatMap((item: unknown, index) => {
    if (!isObject(item)) return []
    const key = keyOf(item)
    if (seen.has(key)) return [index]
    seen.add(key)
    return []
  })
}

function optionId({ pricing_option_id }: Record<string, unknown>): string {
  return String(pricing_option_id)
}

function targetOf({ type, platform, agent_url, account }: Record<string, unknown>): string {
  const place = type === 'platform' ? platform : (canonicalUrl(String(agent_url)) ?? agent_url)
  return account === undefined ? `${type} ${place}` : JSON.stringify([type, place, account])
}
