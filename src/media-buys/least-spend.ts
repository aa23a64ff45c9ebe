// The least that a package costs: what its pricing option asks for, and all of a price that is one for everything.

import type { ProductPricingOption } from '../protocol/schemas/product.ts'

export function leastSpend({
  min_spend_per_package: least = 0,
  pricing_model,
  fixed_price = 0,
}: Pick<ProductPricingOption, 'min_spend_per_package' | 'pricing_model' | 'fixed_price'>): number {
  return pricing_model === 'flat_rate' ? Math.max(least, fixed_price) : least
}
