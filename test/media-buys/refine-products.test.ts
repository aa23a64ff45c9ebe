import { expect, test } from 'vitest'
import type { ProductSearch } from '../../src/media-buys/product-search.ts'
import { refineProducts } from '../../src/media-buys/refine-products.ts'
import type { CatalogueProduct } from '../../src/protocol/schemas/product.ts'

const product = (product_id: string, words: string, delivery_type = 'guaranteed') =>
  ({
    product_id,
    name: words,
    description: words,
    delivery_type,
    pricing_options: [{ fixed_price: 1 }],
  }) as unknown as CatalogueProduct

const ALL = [
  product('news', 'news morning'),
  product('sport', 'sport video'),
  product('games', 'games video', 'non_guaranteed'),
]

const search: ProductSearch = {
  find: async (words) =>
    ALL.flatMap((one) => {
      const matched = one.name.split(' ').filter((word) => words?.includes(word))
      if (words !== undefined && matched.length === 0) return []
      return [{ product: one, score: matched.length, matched }]
    }),
}
const refine = async (...parts: Parameters<typeof refineProducts>[1]) => {
  const { found, applied } = await refineProducts(search, parts, { mayHave: () => true })
  return { ids: found.map(({ product: { product_id } }) => product_id), applied }
}

test('spec 4.5: products are named, left out, and followed by those like them', async () => {
  expect((await refine({ scope: 'product', product_id: 'news' })).ids).toEqual(['news'])
  const omitted = await refine({ scope: 'product', product_id: 'news', action: 'omit' })
  expect(omitted.ids).toEqual(['sport', 'games'])
  const more = await refine({ scope: 'product', product_id: 'sport', action: 'more_like_this' })
  expect(more.ids).toEqual(['sport', 'games'])
})

test('a request about the whole keeps and orders products, and reports what was not read', async () => {
  const { ids, applied } = await refine({ scope: 'request', ask: 'only guaranteed video' })
  expect(ids).toEqual(['sport'])
  expect(applied).toEqual([
    { scope: 'request', status: 'partial', notes: expect.stringMatching(/only guaranteed.*video/) },
  ])
  const other = await refine({ scope: 'request', ask: 'non-guaranteed' })
  expect(other.ids).toEqual(['games'])
})

test('each part is answered in its order, also what cannot be done', async () => {
  const { ids, applied } = await refine(
    { scope: 'proposal', proposal_id: 'p1', action: 'finalize' },
    { scope: 'product', product_id: 'nobody' },
    { scope: 'request', ask: 'zebras' },
  )
  expect(applied.map(({ scope, status }) => [scope, status])).toEqual([
    ['proposal', 'unable'],
    ['product', 'unable'],
    ['request', 'unable'],
  ])
  expect(applied[0]).toMatchObject({ proposal_id: 'p1' })
  expect(ids).toEqual(['news', 'sport', 'games'])
})

test('a product that the caller may not have is like none', async () => {
  const parts = [{ scope: 'product', product_id: 'news' }] as const
  const { found, applied } = await refineProducts(search, parts, { mayHave: () => false })
  expect(found).toEqual([])
  expect(applied).toMatchObject([{ status: 'unable' }])
})
