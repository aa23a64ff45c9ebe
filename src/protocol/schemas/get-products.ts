// `get_products` (spec 4.5): what can be bought, found by text and filters. buying_mode is a 3.x member; without it,
// a call that has a brief searches, and one that has none lists everything.

import { z } from 'zod'
import {
  brandRef,
  countries,
  currency,
  ext,
  isoDate,
  opaqueId,
  paginationRequest,
  paginationResponse,
  quantity,
  text,
} from './common.ts'
import { errorList } from './error-object.ts'
import { DELIVERY_TYPES, PRICING_MODELS, product } from './product.ts'
import { proposal } from './proposal.ts'

const MAX_BRIEF = 10_000

const words = (what: string) => z.array(text(100)).min(1).max(50).optional().describe(what)

const productFilters = z.looseObject({
  delivery_type: z.enum(DELIVERY_TYPES).optional().describe('guaranteed or non_guaranteed.'),
  is_fixed_price: z.boolean().optional().describe('Only products with a fixed price, or without.'),
  pricing_models: z.array(z.enum(PRICING_MODELS)).min(1).optional(),
  channels: words('Any of these channels.'),
  format_ids: z
    .array(z.looseObject({ id: text(255) }))
    .min(1)
    .max(50)
    .optional()
    .describe('Products that take any of these formats.'),
  format_kinds: words('Products that take a creative of any of these canonical kinds.'),
  format_option_refs: z
    .array(z.looseObject({ format_option_id: text(255) }))
    .min(1)
    .max(50)
    .optional()
    .describe('Products with any of these entries of format_options.'),
  countries: countries.min(1).optional().describe('Deliverable in any of these.'),
  publisher_domains: words('Of any of these publishers.'),
  required_metrics: words('Products that report all of these.'),
  start_date: isoDate.optional(),
  end_date: isoDate.optional(),
  budget_range: z
    .looseObject({
      min: quantity.optional(),
      max: quantity.optional(),
      currency: currency.optional(),
    })
    .optional()
    .describe('Products that such a budget can buy.'),
})
export type ProductFilters = z.infer<typeof productFilters>

const REFINED = ['applied', 'partial', 'unable'] as const

const refinement = z.union([
  z.looseObject({
    scope: z.literal('request'),
    ask: text(MAX_BRIEF).describe('In natural language.'),
  }),
  z.looseObject({
    scope: z.literal('product'),
    product_id: opaqueId,
    action: z.enum(['include', 'omit', 'more_like_this']).optional().describe('Default include.'),
    ask: text(MAX_BRIEF).optional(),
  }),
  z.looseObject({
    scope: z.literal('proposal'),
    proposal_id: opaqueId,
    action: z.enum(['include', 'omit', 'finalize']).optional(),
    ask: text(MAX_BRIEF).optional(),
  }),
])
export type Refinement = z.infer<typeof refinement>

const refined = z.strictObject({
  scope: z.enum(['request', 'product', 'proposal']),
  product_id: opaqueId.optional(),
  proposal_id: opaqueId.optional(),
  status: z.enum(REFINED).describe('Whether it was done.'),
  notes: z.string().optional().describe('What was done, and what was not.'),
})
export type Refined = z.infer<typeof refined>

export const getProductsRequest = z.looseObject({
  buying_mode: z
    .enum(['brief', 'wholesale', 'refine'])
    .optional()
    .describe('brief searches by words, wholesale lists all, refine changes an earlier answer.'),
  brief: text(MAX_BRIEF).optional().describe('What is requested, in natural language.'),
  promoted_offering: text(MAX_BRIEF)
    .optional()
    .describe('What is advertised, in natural language.'),
  brand: brandRef.optional().describe('The brand that advertises.'),
  filters: productFilters.optional().describe('All of them must hold.'),
  targeting_overlay: z
    .looseObject({ geo_countries: countries.optional() })
    .optional()
    .describe('Targeting that the products must allow.'),
  refine: z
    .array(refinement)
    .min(1)
    .max(50)
    .optional()
    .describe('With buying_mode refine: what to change about an earlier answer.'),
  pagination: paginationRequest.optional().describe('Pages; default 50 a page.'),
})
export type GetProductsRequest = z.infer<typeof getProductsRequest>

export const getProductsResponse = z.strictObject({
  products: z.array(product),
  proposals: z
    .array(proposal)
    .optional()
    .describe('Media plans over these products, for callers of 3.x.'),
  refinement_applied: z
    .array(refined)
    .optional()
    .describe('What became of each part of refine, in its order.'),
  cache_scope: z.enum(['public', 'account']).describe('For whom this answer holds.'),
  pagination: paginationResponse.optional(),
  errors: errorList.optional().describe('Warnings.'),
  sandbox: z.boolean().optional(),
  ext: ext.optional(),
})
export type GetProductsResponse = z.infer<typeof getProductsResponse>
