// `list_products`, of 3.2: the products available to buy, by structured criteria and without free text.

import { z } from 'zod'
import { withRule } from '../checks.ts'
import { atLeastOne, brandRef, ext, MAX_PAGE, text } from '../common.ts'
import { taskStatus } from '../task-status.ts'
import { checkBrand } from './brand-source.ts'
import { canonicalProduct } from './canonical-product.ts'
import { productCriteria } from './product-criteria.ts'

export const listProductsRequest = withRule(
  z.looseObject({
    brand: brandRef.optional().describe('The brand that advertises.'),
    criteria: productCriteria.optional().describe('Default: all products.'),
    fields: z
      .array(text(100))
      .min(1)
      .max(100)
      .optional()
      .describe('Members of products to return beside product_id and name; default all.'),
    cursor: text(4096).optional().describe('next_cursor of the page before.'),
    max_results: atLeastOne.max(MAX_PAGE).optional().describe('Products per page; default 25.'),
    if_feed_version: text(255)
      .optional()
      .describe('feed_version of an earlier answer: products come only if they have changed.'),
    if_pricing_version: text(255).optional().describe('Prices have no version of their own.'),
  }),
  (request, report) => {
    checkBrand(request, report, { isNeeded: false })
    if (request.if_pricing_version !== undefined && request.if_feed_version === undefined) {
      const message = 'Give if_feed_version as well, or leave if_pricing_version out.'
      report(['if_pricing_version'], message, 'dependencies')
    }
  },
)
export type ListProductsRequest = z.infer<typeof listProductsRequest>

export const listProductsResponse = z.strictObject({
  status: taskStatus.optional().describe('Of a call that failed; others have none.'),
  outcome: z.enum(['listed', 'unchanged']).describe('Whether the products are here.'),
  products: z.array(canonicalProduct).optional(),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent on the last page.'),
  feed_version: z.string().describe('Of all products together; buy_products takes it.'),
  cache_scope: z.enum(['public', 'account']).describe('For whom this answer holds.'),
  ext: ext.optional(),
})
export type ListProductsResponse = z.infer<typeof listProductsResponse>
