// The product criteria in the tasks of 3.2: shared by list_products, request_proposals and refine_proposals.

import { z } from 'zod'
import { countries, currency, ext, isoDate, opaqueId, quantity, text } from '../common.ts'
import { DELIVERY_TYPES } from '../product.ts'

const words = (what: string) => z.array(text(100)).min(1).max(50).optional().describe(what)

const offerFilters = z.looseObject({
  delivery_type: z.enum(DELIVERY_TYPES).optional().describe('guaranteed or non_guaranteed.'),
  is_fixed_price: z.boolean().optional().describe('Only products with a fixed price, or without.'),
  pricing_currencies: z.array(currency).min(1).max(50).optional(),
  format_kinds: words('Products that take a creative of any of these canonical kinds.'),
  format_option_refs: z
    .array(z.looseObject({ format_option_id: text(255) }))
    .min(1)
    .max(50)
    .optional()
    .describe('Products with any of these entries of format_options.'),
  channels: words('Any of these channels.'),
  countries: countries.min(1).optional().describe('Deliverable in any of these.'),
  required_metrics: words('Products that report all of these.'),
  start_date: isoDate.optional().describe('First day of the flight.'),
  end_date: isoDate.optional().describe('Last day of the flight.'),
  budget_range: z
    .looseObject({
      min: quantity.optional(),
      max: quantity.optional(),
      currency: currency.optional(),
    })
    .optional()
    .describe('Products that such a budget can buy.'),
})
export type OfferFilters = z.infer<typeof offerFilters>

export const productCriteria = z.looseObject({
  product_ids: z.array(opaqueId).min(1).max(100).optional().describe('Only these.'),
  offer_filters: offerFilters.optional().describe('All of them must hold.'),
  targeting_overlay: z
    .looseObject({ geo_countries: countries.optional() })
    .optional()
    .describe('Targeting that the products must allow.'),
  ext: ext.optional(),
})
export type ProductCriteria = z.infer<typeof productCriteria>
