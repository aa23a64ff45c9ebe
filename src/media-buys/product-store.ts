// The store of products: the operator's offers, in the order of their changes.

import type { Transaction } from '../lib/transaction.ts'
import { nearInPages } from '../protocol/near-ids.ts'
import type { CatalogueProduct } from '../protocol/schemas/product.ts'

export type PutOutcome = 'added' | 'changed' | 'unchanged'

export interface StoredProduct {
  product: CatalogueProduct
  changed_at: number
}

export interface ProductStore {
  /** Adds or changes products; equal content changes nothing. Returns the results in order. */
  put(tx: Transaction, products: readonly CatalogueProduct[]): Promise<PutOutcome[]>
  /** Returns how many of them existed. */
  remove(tx: Transaction, ids: readonly string[]): Promise<number>
  /** Within a transaction on its own connection: a caller that holds one must not wait for another. */
  get(ids: readonly string[], tx?: Transaction): Promise<Map<string, StoredProduct>>
  /** Ordered by id, starting after `after`: the whole catalogue in pages. */
  page(after: string | undefined, limit: number): Promise<StoredProduct[]>
  /** As `page`, the ids alone. */
  ids(tx: Transaction, after: string | undefined, limit: number): Promise<string[]>
  count(): Promise<number>
  /** Increases with every change; it is cheap, because every search reads it. */
  latest(): Promise<number>
}

/** What a caller may see and buy. */
export interface ProductCatalogue {
  /** The products of these ids that the caller may buy. */
  find(
    tx: Transaction,
    owner: string,
    ids: readonly string[],
  ): Promise<Map<string, CatalogueProduct>>
  /** Ids similar to one that was not found, of products that the caller may buy. */
  near(tx: Transaction, owner: string, id: string): Promise<string[]>
}

export function mayBuy({ visible_to }: CatalogueProduct, owner: string): boolean {
  return visible_to === undefined || visible_to.includes(owner)
}

/** Whether it can no longer be bought. */
export function isPast({ expires_at }: CatalogueProduct, now: number): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= now
}

export function createProductCatalogue(
  products: Pick<ProductStore, 'get' | 'ids'>,
): ProductCatalogue {
  const find: ProductCatalogue['find'] = async (tx, owner, ids) => {
    const found = await products.get(ids, tx)
    const allowed = [...found].filter(([, { product }]) => mayBuy(product, owner))
    return new Map(allowed.map(([id, { product }]) => [id, product]))
  }
  return {
    find,
    near: async (tx, owner, id) => {
      const candidates = await nearInPages(id, (after, limit) => products.ids(tx, after, limit))
      const [found, now] = [await find(tx, owner, candidates), await tx.now()]
      return candidates.filter((candidate) => {
        const product = found.get(candidate)
        return product !== undefined && !isPast(product, now)
      })
    },
  }
}
