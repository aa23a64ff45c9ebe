// Makes a media plan from the products found for a brief (spec 4.5): the best ones that can be bought together at a
// fixed price, each with its share of the budget. Auctioned products have no price that could be guaranteed.

import type { CatalogueProduct, ProductPricingOption } from '../../protocol/schemas/product.ts'
import { leastSpend } from '../least-spend.ts'
import type { FoundProduct } from '../product-search.ts'
import type { Allocation, ProposalPlan } from './proposal-store.ts'

/** Products of one plan. */
const MOST_PRODUCTS = 4

interface Chosen {
  product: CatalogueProduct
  option: ProductPricingOption & { fixed_price: number }
  weight: number
  matched: readonly string[]
}

/** Undefined if no product found has a fixed price. */
export function makePlan(found: readonly FoundProduct[]): ProposalPlan | undefined {
  const chosen = chooseTogether(found)
  if (chosen.length === 0) return undefined
  const words = [...new Set(chosen.flatMap(({ matched }) => matched))]
  const parts = inPerCent(chosen.map(({ weight }) => weight))
  const allocations = chosen.map(
    ({ product, option, matched }, index): Allocation => ({
      product_id: product.product_id,
      pricing_option_id: option.pricing_option_id,
      allocation_percentage: parts[index] as number,
      held: option,
      rationale:
        matched.length > 0
          ? `it shares these words with the brief: ${matched.join(', ')}`
          : 'it is offered to you at a fixed price',
    }),
  )
  const { currency } = (chosen[0] as Chosen).option
  return {
    name: chosen.length === 1 ? 'One product' : `Balanced over ${chosen.length} products`,
    description: 'The budget goes to the products that match the brief, the best match first.',
    ...(words.length > 0 ? { brief_alignment: `it has these words: ${words.join(', ')}` } : {}),
    currency,
    least_budget: leastBudget(allocations),
    allocations,
  }
}

/** One buy has one currency and one time zone: those of the best product. */
function chooseTogether(found: readonly FoundProduct[]): Chosen[] {
  const chosen: Chosen[] = []
  for (const { product, score, matched } of found) {
    const [first] = chosen
    const option = product.pricing_options.find(
      (one): one is Chosen['option'] =>
        one.fixed_price !== undefined && (!first || one.currency === first.option.currency),
    )
    const zone = product.reporting_capabilities.timezone
    if (!option || (first && first.product.reporting_capabilities.timezone !== zone)) continue
    chosen.push({ product, option, matched, weight: Math.max(score, Number.EPSILON) })
    if (chosen.length === MOST_PRODUCTS) break
  }
  return chosen
}

/** Whole per cent, at least one each; the rounding remainder goes to the first one. */
export function inPerCent(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, one) => total + one, 0)
  const parts = weights.map((one) => Math.max(1, Math.floor((100 * one) / sum)))
  const rest = 100 - parts.reduce((total, one) => total + one, 0)
  return parts.map((one, index) => (index === 0 ? one + rest : one))
}

/** So that no package is below the minimum of its pricing option. */
export function leastBudget(
  allocations: readonly Pick<Allocation, 'allocation_percentage' | 'held'>[],
): number {
  const each = allocations.map(({ allocation_percentage, held }) =>
    Math.ceil((100 * leastSpend(held)) / allocation_percentage),
  )
  return Math.max(1, ...each)
}
