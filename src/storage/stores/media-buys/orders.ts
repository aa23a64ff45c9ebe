// What was sent to the simulated ad server, in SQL.

import { canonicalJson } from '../../../lib/canonical-json.ts'
import type { Order, OrderStore } from '../../../media-buys/sources/orders.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'

/** Orders kept per buy, and packages in all of them; further changes replace the last order. */
const MOST_ORDERS = 1_000
const MOST_ORDERED = 10_000

interface Row {
  media_buy_id: string
  place: number
  at: number
  packages: string
}

export function createOrderStore({ read }: Database): OrderStore {
  return {
    add: async (tx, mediaBuyId, { at, packages }) => {
      const text = canonicalJson(packages)
      const last = await sqlOf(tx).get<Row>(
        `SELECT place, packages FROM delivery_orders WHERE media_buy_id = $1
         ORDER BY place DESC LIMIT 1`,
        [mediaBuyId],
      )
      if (last?.packages === text) return
      const before = last?.place ?? 0
      const place = before < mostOrders(packages.length) ? before + 1 : before
      // Beyond the limit, the last order replaces the one before it and takes over its time.
      await sqlOf(tx).run(
        `INSERT INTO delivery_orders (media_buy_id, place, at, packages) VALUES ($1, $2, $3, $4)
         ON CONFLICT (media_buy_id, place) DO UPDATE SET packages = excluded.packages`,
        [mediaBuyId, place, at, text],
      )
    },
    list: async (ids) => {
      const orders = new Map<string, Order[]>(ids.map((id) => [id, []]))
      const rows = await read.all<Row>(
        `SELECT media_buy_id, at, packages FROM delivery_orders
         WHERE ${isIn('media_buy_id', 1)} ORDER BY media_buy_id, place`,
        [listed(ids)],
      )
      for (const { media_buy_id, at, packages } of rows) {
        orders.get(media_buy_id)?.push({ at, packages: JSON.parse(packages) })
      }
      return orders
    },
  }
}

/** How many orders of a buy with this number of packages are kept. */
function mostOrders(packages: number): number {
  return Math.max(10, Math.min(MOST_ORDERS, Math.floor(MOST_ORDERED / Math.max(1, packages))))
}
