// Products in SQL: the whole of each as JSON, by its id.

import { canonicalJson } from '../../../lib/canonical-json.ts'
import type { ProductStore, PutOutcome, StoredProduct } from '../../../media-buys/product-store.ts'
import type { CatalogueProduct } from '../../../protocol/schemas/product.ts'
import { type Database, placeholders, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { FOR_UPDATE } from '../../sql/locks.ts'

interface Row {
  product_id: string
  changed_at: number
  product: string
}

export function createProductStore({ read }: Database): ProductStore {
  /** Transactions that change products run one after the other, so that `latest` covers every change before it. */
  const lockCatalogue = async (tx: Parameters<ProductStore['put']>[0]) => {
    const row = await sqlOf(tx).get<{ seq: number }>(
      `SELECT seq FROM product_catalogue WHERE id = 1 ${FOR_UPDATE}`,
    )
    return row?.seq ?? 0
  }
  const advance = (tx: Parameters<ProductStore['put']>[0], seq: number) =>
    sqlOf(tx).run('UPDATE product_catalogue SET seq = $1 WHERE id = 1', [seq])
  return {
    put: async (tx, products) => {
      let seq = await lockCatalogue(tx)
      const now = await tx.now()
      const rows = await sqlOf(tx).all<Row>(
        `SELECT product_id, changed_at, product FROM products WHERE ${isIn('product_id', 1)}`,
        [listed(products.map(({ product_id }) => product_id))],
      )
      const known = new Map(rows.map(({ product_id, product }) => [product_id, product]))
      const written: (readonly [string, number, number, string])[] = []
      const outcomes = products.map((product): PutOutcome => {
        const text = canonicalJson(product)
        const before = known.get(product.product_id)
        if (before === text) return 'unchanged'
        known.set(product.product_id, text)
        written.push([product.product_id, ++seq, now, text])
        return before === undefined ? 'added' : 'changed'
      })
      if (written.length === 0) return outcomes
      await sqlOf(tx).runEach(
        `INSERT INTO products (product_id, seq, changed_at, product) VALUES ${placeholders(1, 4)}
         ON CONFLICT (product_id) DO UPDATE SET seq = excluded.seq,
           changed_at = excluded.changed_at, product = excluded.product`,
        written,
      )
      await advance(tx, seq)
      return outcomes
    },
    remove: async (tx, ids) => {
      const seq = await lockCatalogue(tx)
      const removed = await sqlOf(tx).run(`DELETE FROM products WHERE ${isIn('product_id', 1)}`, [
        listed(ids),
      ])
      if (removed > 0) await advance(tx, seq + removed)
      return removed
    },
    get: async (ids, tx) => {
      const rows = await (tx ? sqlOf(tx) : read).all<Row>(
        `SELECT product_id, changed_at, product FROM products WHERE ${isIn('product_id', 1)}`,
        [listed(ids)],
      )
      return new Map(rows.map((row) => [row.product_id, storedOf(row)]))
    },
    ids: async (tx, after, limit) => {
      const rows = await sqlOf(tx).all<{ product_id: string }>(
        'SELECT product_id FROM products WHERE product_id > $1 ORDER BY product_id LIMIT $2',
        [after ?? '', limit],
      )
      return rows.map(({ product_id }) => product_id)
    },
    page: async (after, limit) => {
      const rows = await read.all<Row>(
        `SELECT product_id, changed_at, product FROM products WHERE product_id > $1
         ORDER BY product_id LIMIT $2`,
        [after ?? '', limit],
      )
      return rows.map(storedOf)
    },
    count: async () => {
      const row = await read.get<{ n: number }>('SELECT count(*) AS n FROM products')
      return row?.n ?? 0
    },
    latest: async () => {
      const row = await read.get<{ seq: number }>('SELECT seq FROM product_catalogue WHERE id = 1')
      return row?.seq ?? 0
    },
  }
}

function storedOf({ changed_at, product }: Row): StoredProduct {
  return { product: JSON.parse(product) as CatalogueProduct, changed_at }
}
