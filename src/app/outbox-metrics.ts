// The state of the outbox, for Prometheus: queried from the database at each scrape, so that every instance reports
// the same values and nothing is counted twice.

import { Gauge, type Registry } from 'prom-client'
import type { OutboxStats, OutboxStore } from '../webhooks/sender/store.ts'

/** If the database is unavailable during a scrape, no figure is reported instead of an outdated one. */
export function outboxMetrics(registry: Registry, outbox: Pick<OutboxStore, 'stats'>): void {
  let requested: { at: number; stats: Promise<OutboxStats | undefined> } | undefined
  const stats = () => {
    const now = Date.now()
    if (!requested || now - requested.at > SAME_SCRAPE_MS) {
      requested = { at: now, stats: outbox.stats().catch(() => undefined) }
    }
    return requested.stats
  }
  const gauge = (name: string, help: string, read: (stats: OutboxStats) => number) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const found = await stats()
        if (found) this.set(read(found))
        else this.reset()
      },
    })
  }
  for (const state of ['pending', 'leased', 'held'] as const) {
    const name = `adwire_webhook_deliveries_${state}`
    gauge(name, `Deliveries that are ${state}.`, ({ waiting }) => waiting[state])
  }
  gauge(
    'adwire_webhook_oldest_due_seconds',
    'How long the delivery that is due longest has been due.',
    ({ oldestDueMs }) => oldestDueMs / 1_000,
  )
  gauge(
    'adwire_webhook_circuits_open',
    'Endpoints that are not sent to, since they failed lately.',
    ({ openCircuits }) => openCircuits,
  )
  gauge(
    'adwire_webhook_limbo',
    'Deliveries that neither ended nor are leased nor due: always 0, or something is wrong.',
    ({ limbo }) => limbo,
  )
}

/** The gauges of one scrape are collected together with a single query. */
const SAME_SCRAPE_MS = 500
