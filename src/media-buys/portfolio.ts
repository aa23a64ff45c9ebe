// The inventory for sale, as the capabilities declare it (spec 4.5): the publishers, channels and countries of the
// products that everyone may buy. Reloaded when the catalogue has changed.

import type { CatalogueProduct } from '../protocol/schemas/product.ts'
import type { ProductStore } from './product-store.ts'

export interface Portfolio {
  publisher_domains: readonly string[]
  primary_channels?: readonly string[]
  primary_countries?: readonly string[]
}

const PAGE = 500
/** Only the first ones of each kind: the response stays small however large the catalogue is. */
const MOST = 100

export function createPortfolio(
  products: Pick<ProductStore, 'page' | 'latest'>,
): () => Promise<Portfolio | undefined> {
  let known: { seq: number; portfolio: Promise<Portfolio | undefined> } | undefined
  return async () => {
    const seq = await products.latest()
    if (known?.seq !== seq) known = { seq, portfolio: read(products) }
    const { portfolio } = known
    // What failed is not remembered.
    portfolio.catch(() => {
      known = undefined
    })
    return portfolio
  }
}

async function read(products: Pick<ProductStore, 'page'>): Promise<Portfolio | undefined> {
  const domains = new Set<string>()
  const channels = new Set<string>()
  const countries = new Set<string>()
  let after: string | undefined
  for (;;) {
    const page = await products.page(after, PAGE)
    for (const { product } of page) {
      if (product.visible_to !== undefined) continue
      collect(domains, domainsOf(product))
      collect(channels, product.channels ?? [])
      collect(countries, product.countries ?? [])
    }
    after = page.at(-1)?.product.product_id
    if (page.length < PAGE) break
  }
  if (domains.size === 0) return undefined
  return {
    publisher_domains: [...domains].sort(),
    ...(channels.size > 0 && { primary_channels: [...channels].sort() }),
    ...(countries.size > 0 && { primary_countries: [...countries].sort() }),
  }
}

function domainsOf({ publisher_properties }: CatalogueProduct): string[] {
  return publisher_properties.map(({ publisher_domain }) => publisher_domain)
}

function collect(into: Set<string>, some: readonly string[]): void {
  for (const one of some) {
    if (into.size >= MOST) return
    into.add(one)
  }
}
