// The minimum cost of a package: the minimum spend of its pricing option, and at least the whole price if that is a
// flat rate.

import type { ProductPricingOption } from '../protocol/schemas/product.ts'

export function leastSpend({
  min_spend_per_package: least = 0,
  pricing_model,
  fixed_price = 0,
}: Pick<ProductPricingOption, 'min_spend_per_package' | 'pricing_model' | 'fixed_price'>): number {
  return pricing_model === 'flat_rate' ? Math.max(least, fixed_price) : least
}
