// A signal as get_signals returns it (spec 2.6): the members of the specification, and those that 3.x callers use to
// identify and price it.

import { z } from 'zod'
import { withRule } from './checks.ts'
import {
  countries,
  currency,
  domain,
  ext,
  isoTime,
  opaqueId,
  percentage,
  quantity,
  text,
  webUrl,
} from './common.ts'
import { deployment } from './deployment.ts'

export const SIGNAL_TYPES = ['marketplace', 'custom', 'owned'] as const

/** Long enough for the id of any segment, written in this character set. */
const localId = z
  .string()
  .max(1_100)
  .regex(/^[a-zA-Z0-9_-]+$/, 'This must be letters, digits, _ and -.')

/** Who vouches for a signal, by its older 3.x name. */
export const signalId = z.discriminatedUnion('source', [
  z.looseObject({ source: z.literal('catalog'), data_provider_domain: domain, id: localId }),
  z.looseObject({ source: z.literal('agent'), agent_url: webUrl, id: localId }),
])
export type SignalId = z.infer<typeof signalId>

export const signalRef = z.discriminatedUnion('scope', [
  z.looseObject({ scope: z.literal('product'), signal_id: localId }),
  z.looseObject({
    scope: z.literal('data_provider'),
    data_provider_domain: domain,
    signal_id: localId,
  }),
  z.looseObject({
    scope: z.literal('signal_source'),
    signal_source_url: webUrl,
    signal_id: localId,
  }),
])
export type SignalRef = z.infer<typeof signalRef>

const option = {
  pricing_option_id: opaqueId.describe('Named when activating.'),
  ext: ext.optional(),
}

export const pricingOption = z.discriminatedUnion('model', [
  z.strictObject({ model: z.literal('cpm'), cpm: quantity, currency, ...option }),
  z.strictObject({
    model: z.literal('percent_of_media'),
    percent: percentage,
    max_cpm: quantity.optional(),
    currency,
    ...option,
  }),
  z.strictObject({
    model: z.literal('flat_fee'),
    amount: quantity,
    period: z.enum(['monthly', 'quarterly', 'annual', 'campaign']),
    currency,
    ...option,
  }),
  z.strictObject({
    model: z.literal('per_unit'),
    unit: text(100),
    unit_price: quantity,
    currency,
    ...option,
  }),
  z.strictObject({
    model: z.literal('custom'),
    description: text(1000),
    metadata: z.looseObject({}),
    currency: currency.optional(),
    ...option,
  }),
])
export type PricingOption = z.infer<typeof pricingOption>

export const pricing = z.strictObject({
  cpm: quantity.describe('Price of a thousand impressions; 0 for owned signals.'),
  currency: currency.describe('ISO 4217 currency.'),
})

/** Categories of personal data that a signal may touch. */
const RESTRICTED_ATTRIBUTES = [
  'racial_ethnic_origin',
  'political_opinions',
  'religious_beliefs',
  'trade_union_membership',
  'health_data',
  'sex_life_sexual_orientation',
  'genetic_data',
  'biometric_data',
  'age',
  'familial_status',
] as const

const years = z.int().min(0).max(150)

const ageRange = withRule(
  z.strictObject({
    min: years.optional().describe('From this age, included.'),
    max: years.optional().describe('Up to this age, included.'),
    include_unknown: z.boolean().describe('Whether people of unknown age are in it.'),
  }),
  ({ min, max }, report) => {
    if (min === undefined && max === undefined) {
      report(['min'], 'Give min, max or both.', 'required')
    }
    if (typeof min === 'number' && typeof max === 'number' && min > max) {
      report(['max'], 'This must not be less than min.', 'minimum')
    }
  },
)

/** The age range of a signal's audience, in machine-readable form. */
const demographicPredicate = z.strictObject({ age: ageRange })

export const signal = z.strictObject({
  signal_agent_segment_id: opaqueId.describe('Names the signal to activate_signal.'),
  name: z.string().describe('Display name.'),
  description: z.string().describe('Whom or what it describes.'),
  signal_type: z.enum(SIGNAL_TYPES).describe('Licensed, built for an account, or private.'),
  data_provider: z.string().describe('Source of the data.'),
  coverage_percentage: percentage.describe('Reach relative to the agent’s population.'),
  deployments: z.array(deployment).describe('Status on each requested target.'),
  pricing: pricing.describe('CPM and currency.'),
  pricing_options: z.array(pricingOption).min(1).optional().describe('Every way to pay.'),
  signal_id: signalId.optional().describe('Who vouches for it.'),
  signal_ref: signalRef.optional().describe('The same, under its newer name.'),
  value_type: z.enum(['binary', 'categorical', 'numeric']).optional().describe('Kind of value.'),
  categories: z.array(z.string()).min(1).optional().describe('Its values, if categorical.'),
  range: z
    .strictObject({ min: z.number(), max: z.number() })
    .optional()
    .describe('Its values, if numeric.'),
  countries: countries.optional().describe('Where it can be used.'),
  taxonomy: z.looseObject({}).optional().describe('Its place in a public taxonomy.'),
  methodology: z.string().optional().describe('How it was made.'),
  refresh_cadence: z.string().optional().describe('How often it is renewed.'),
  last_updated: isoTime.optional().describe('When it was renewed.'),
  restricted_attributes: z
    .array(z.enum(RESTRICTED_ATTRIBUTES))
    .min(1)
    .optional()
    .describe('Categories of personal data that it touches.'),
  demographic_predicate: demographicPredicate.optional().describe('Its people by age; since 3.2.'),
  ext: ext.optional().describe('match_reason and relevance, among others.'),
})
export type Signal = z.infer<typeof signal>
