// A release 3.3 that there is not: what one more file of `protocol/releases` would be.

import { newCode, newMember, newName } from '../../src/protocol/releases/features.ts'
import type { Members, Release } from '../../src/protocol/releases/release.ts'

export const v3_3: Release = {
  name: '3.3',
  build: '3.3.0',
  about: 'Calls with `"3.3"`.',
  adds: {
    count_of_products: {
      ...newMember(
        { task: 'get_products', name: 'product_count' },
        '`get_products` has `product_count`.',
      ),
      up: { task: 'get_products', answer: withCount },
    },
    withdrawn_products: newCode(
      { name: 'PRODUCT_WITHDRAWN', before: 'PRODUCT_NOT_FOUND', of: () => true },
      'A product that is not sold is `PRODUCT_WITHDRAWN`.',
    ),
  },
  renames: {
    titles: newName(
      { task: 'get_products', in: 'products[]', from: 'name', to: 'title' },
      'The `name` of a product is its `title`.',
    ),
    preferences: newName(
      { task: 'get_products', from: 'brief', to: 'objective' },
      'The `brief` of `get_products` is `objective`.',
    ),
  },
}

function withCount(answer: Members): Members {
  const { products } = answer
  return Array.isArray(products) ? { ...answer, product_count: products.length } : answer
}
