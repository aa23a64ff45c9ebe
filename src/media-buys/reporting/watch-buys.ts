// The effect of buy changes on reports: a buy with a reporting_webhook gets reports, and every change makes a buy
// due, so that nothing uses its earlier state. An ad server receives the orders.

import type { Transaction } from '../../lib/transaction.ts'
import type { BuyObserver } from '../change-buy.ts'
import type { MediaBuyRecord } from '../media-buy.ts'
import type { ProductStore } from '../product-store.ts'
import { type OrderStore, orderOf } from '../sources/orders.ts'
import type { ReportStore } from './report-store.ts'

export interface ReportWatchPorts {
  reports: Pick<ReportStore, 'touch'>
  orders: Pick<OrderStore, 'add'>
  products: Pick<ProductStore, 'get'>
}

const MINUTE_MS = 60_000

export function watchBuysForReports({ reports, orders, products }: ReportWatchPorts): BuyObserver {
  const received = async (tx: Transaction, buy: MediaBuyRecord) => {
    const { media_buy_id, owner } = buy
    await orders.add(tx, media_buy_id, orderOf(buy, await tx.now()))
    if (buy.reporting === undefined) return
    await reports.touch(tx, { media_buy_id, owner, delay_ms: await delayOf(tx, products, buy) })
  }
  return { created: received, changed: (tx, { after }) => received(tx, after) }
}

/** A buy's figures are available when those of its slowest product are. */
async function delayOf(
  tx: Transaction,
  products: ReportWatchPorts['products'],
  buy: MediaBuyRecord,
): Promise<number> {
  const ids = new Set(buy.packages.map(({ product_id }) => product_id))
  const found = await products.get([...ids], tx)
  const delays = [...found.values()].map(
    ({ product }) => product.reporting_capabilities.expected_delay_minutes,
  )
  return Math.ceil(Math.max(0, ...delays) * MINUTE_MS)
}
