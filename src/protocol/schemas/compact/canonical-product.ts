// A product as the tasks of 3.2 return it: its id and name always, the other members on request, and no names from
// earlier releases.

import { z } from 'zod'
import { currency, ext, isoTime, opaqueId, quantity } from '../common.ts'
import { DELIVERY_TYPES, PRICING_MODELS } from '../product.ts'

export const canonicalPricing = z.looseObject({
  pricing_option_id: opaqueId.describe('Id used by purchases.'),
  pricing_model: z.enum(PRICING_MODELS).describe('What is paid for.'),
  currency,
  fixed_price: quantity.optional().describe('The price, where it is fixed.'),
  floor_price: quantity.optional().describe('Minimum bid, if the price is not fixed.'),
})
export type CanonicalPricing = z.infer<typeof canonicalPricing>

export const canonicalProduct = z.strictObject({
  product_id: opaqueId.describe('Id used by purchases.'),
  name: z.string().describe('Display name.'),
  description: z.string().optional(),
  publisher_properties: z.array(z.looseObject({ publisher_domain: z.string() })).optional(),
  channels: z.array(z.string()).optional(),
  format_options: z
    .array(z.looseObject({ format_option_id: opaqueId.optional(), format_kind: z.string() }))
    .optional()
    .describe('The creatives that it takes, by their canonical kinds.'),
  delivery_type: z.enum(DELIVERY_TYPES).optional(),
  pricing_options: z.array(canonicalPricing).optional(),
  reporting_capabilities: z.looseObject({ timezone: z.string() }).optional(),
  brief_relevance: z.string().optional().describe('Why it was found.'),
  expires_at: isoTime.optional().describe('Can be bought until this time.'),
  ext: ext.optional(),
})
export type CanonicalProduct = z.infer<typeof canonicalProduct>
