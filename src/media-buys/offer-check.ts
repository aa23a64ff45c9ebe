// Whether this seller may sell what is bought, according to the registry's record: a port, since the registry is
// another area.

import type { CatalogueProduct } from '../protocol/schemas/product.ts'
import type { Draft } from './draft-package.ts'
import type { Faults } from './faults.ts'

export interface SellerOfferCheck {
  mode: 'warn' | 'refuse'
  faults(
    products: readonly CatalogueProduct[],
  ): Promise<readonly { product_id: string; publisher_domain: string; message: string }[]>
  warn(faults: readonly object[]): void
}

export async function checkDrafts(
  check: SellerOfferCheck | undefined,
  drafts: readonly Draft[],
  faults: Faults,
): Promise<void> {
  if (!check || drafts.length === 0) return
  const products = new Map(drafts.map(({ product }) => [product.product_id, product]))
  const found = await check.faults([...products.values()])
  if (found.length === 0) return
  if (check.mode === 'warn') return check.warn(found)
  for (const { product, pointer } of drafts) {
    const fault = found.find(({ product_id }) => product_id === product.product_id)
    if (!fault) continue
    const message = `${product.product_id} cannot be sold: ${fault.message}.`
    faults.add('TERMS_REJECTED', message, { pointer: `${pointer}/product_id` })
  }
}
