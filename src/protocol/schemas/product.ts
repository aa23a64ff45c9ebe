// A product: what a seller offers, how it is paid for, and what is reported about it (spec 4.5, 2.11). One superset
// for both generations: fixed_price and rate, and format_ids in the form that older releases use.

import { z } from 'zod'
import { isObject, withRule } from './checks.ts'
import { currency, ext, isoTime, opaqueId, quantity, text, webUrl } from './common.ts'
import { REPORTING_FREQUENCIES } from './push-notification-config.ts'
import { timeZone } from './time-zone.ts'

export const PRICING_MODELS = [
  'cpm',
  'vcpm',
  'cpc',
  'cpcv',
  'cpv',
  'cpp',
  'cpa',
  'flat_rate',
] as const

export const DELIVERY_TYPES = ['guaranteed', 'non_guaranteed'] as const

export const PACINGS = ['even', 'asap', 'front_loaded'] as const

const pricingOption = withRule(
  z.looseObject({
    pricing_option_id: opaqueId.describe('Id used by packages.'),
    pricing_model: z.enum(PRICING_MODELS).describe('What is paid for.'),
    currency,
    fixed_price: quantity.optional().describe('The price, where it is fixed.'),
    floor_price: quantity.optional().describe('Minimum bid, if the price is not fixed.'),
    price_guidance: z
      .looseObject({ p25: quantity.optional(), p50: quantity.optional(), p75: quantity.optional() })
      .optional()
      .describe('Prices others paid.'),
    min_spend_per_package: quantity.optional().describe('Minimum budget of a package.'),
  }),
  ({ fixed_price, floor_price }, report) => {
    if ((fixed_price === undefined) === (floor_price === undefined)) {
      report(['fixed_price'], 'Give fixed_price, or floor_price, and not both.', 'oneOf')
    }
  },
)
export type ProductPricingOption = z.infer<typeof pricingOption>

/** One year: no one waits longer than that for late figures. */
const MAX_DELAY_MINUTES = 525_600

const reportingCapabilities = z.looseObject({
  available_reporting_frequencies: z.array(z.enum(REPORTING_FREQUENCIES)).min(1).max(3),
  expected_delay_minutes: quantity
    .max(MAX_DELAY_MINUTES)
    .describe('How late figures are, as a rule.'),
  timezone: timeZone.describe('In which days and months are cut.'),
  supports_webhooks: z.boolean(),
  available_metrics: z.array(text(100)).min(1).max(100),
  date_range_support: z.enum(['date_range', 'lifetime_only']),
  windowed_pull_granularities: z.array(z.enum(REPORTING_FREQUENCIES)).max(3).optional(),
})

const publisherProperties = z.looseObject({
  publisher_domain: text(253).describe('Whose pages, apps or stations.'),
  selection_type: z.enum(['all', 'by_id', 'by_tag']).optional(),
})

const members = {
  product_id: opaqueId.describe('Id used by packages.'),
  name: text(200).describe('Display name.'),
  description: text(4_000).describe('What it is, for people.'),
  publisher_properties: z.array(publisherProperties).min(1).max(100),
  delivery_type: z.enum(DELIVERY_TYPES),
  pricing_options: z.array(pricingOption).min(1).max(20),
  reporting_capabilities: reportingCapabilities,
  channels: z.array(text(50)).max(20).optional().describe('Such as display, video, audio, ctv.'),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, 'This must be a country in capitals, such as US.'))
    .max(250)
    .optional()
    .describe('Where it can be delivered; default everywhere.'),
  keywords: z.array(text(100)).max(100).optional().describe('Search keywords.'),
  expires_at: isoTime.optional().describe('Can be bought until this time.'),
  ext: ext.optional(),
}

/** As an operator describes it; formats without agent_url are ours. */
export const catalogueProduct = withRule(
  z.strictObject({
    ...members,
    format_ids: z
      .array(z.looseObject({ agent_url: webUrl.optional(), id: opaqueId }))
      .min(1)
      .max(200)
      .describe('Formats of creatives that it takes.'),
    requires_approval: z
      .boolean()
      .optional()
      .describe('Whether an operator decides on every buy of it; default false.'),
    visible_to: z
      .array(opaqueId)
      .min(1)
      .max(1_000)
      .optional()
      .describe('Principals that may see and buy it; default all.'),
  }),
  ({ pricing_options }, report) => {
    const ids = new Set<string>()
    const options: unknown[] = Array.isArray(pricing_options) ? pricing_options : []
    for (const [index, option] of options.entries()) {
      const { pricing_option_id } = isObject(option) ? option : {}
      if (typeof pricing_option_id !== 'string') continue
      if (ids.has(pricing_option_id)) {
        const where = ['pricing_options', String(index), 'pricing_option_id']
        report(where, 'Each pricing option needs an id of its own.', 'uniqueItems')
      }
      ids.add(pricing_option_id)
    }
  },
)
export type CatalogueProduct = z.infer<typeof catalogueProduct>

/** As it is offered. */
export const product = z.strictObject({
  ...members,
  format_ids: z.array(z.looseObject({ agent_url: webUrl, id: opaqueId })),
  pricing_options: z.array(
    z.looseObject({
      pricing_option_id: opaqueId,
      pricing_model: z.enum(PRICING_MODELS),
      currency,
      fixed_price: quantity.optional(),
      floor_price: quantity.optional(),
      is_fixed: z.boolean().describe('Whether the price is fixed.'),
      rate: quantity.optional().describe('The fixed price, under its older name.'),
    }),
  ),
  format_options: z
    .array(z.looseObject({ format_option_id: opaqueId, format_kind: z.string() }))
    .optional()
    .describe('The formats by their canonical kinds, for callers of 3.2.'),
  is_custom: z.boolean().optional(),
  requires_approval: z.boolean().optional().describe('Whether a buy of it waits for the seller.'),
  brief_relevance: z.string().optional().describe('Why it was found.'),
})
export type Product = z.infer<typeof product>
