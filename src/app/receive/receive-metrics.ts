// The metrics of a receiver for Prometheus: what it received, the outcomes, and what is waiting.

import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { ApplyReport } from '../../webhooks/receiver/apply.ts'
import type { ReceiveEvent } from '../../webhooks/receiver/receive.ts'
import type { InboxStats } from '../../webhooks/receiver/store.ts'

export interface ReceiveMetrics {
  received(event: ReceiveEvent): void
  applied(report: ApplyReport): void
  text(): Promise<string>
}

/** If the database is unavailable during a scrape, no figure is reported instead of an outdated one. */
export function createReceiveMetrics(stats: () => Promise<InboxStats>): ReceiveMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const received = new Counter({
    name: 'adwire_inbox_received_total',
    help: 'Webhooks that came in, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const applied = new Counter({
    name: 'adwire_inbox_applied_total',
    help: 'Attempts to apply a webhook, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const waiting = new Gauge({
    name: 'adwire_inbox_messages',
    help: 'Webhooks that are acknowledged and not applied, by state; dead ones failed too often.',
    labelNames: ['state'],
    registers,
  })
  const oldest = new Gauge({
    name: 'adwire_inbox_oldest_due_seconds',
    help: 'How long the webhook that is due longest has been due.',
    registers,
  })
  return {
    received: ({ outcome }) => received.inc({ outcome }),
    applied: ({ outcome }) => applied.inc({ outcome }),
    text: async () => {
      const found = await stats().catch(() => undefined)
      waiting.reset()
      oldest.reset()
      for (const state of ['pending', 'leased', 'dead'] as const) {
        if (found) waiting.set({ state }, found.waiting[state])
      }
      if (found) oldest.set(found.oldestDueMs / 1_000)
      return registry.metrics()
    },
  }
}
