// The state of delivery reports, for Prometheus. What is missing is queried from the database at each scrape, so that
// every instance reports the same values.

import { Counter, Gauge, type Registry } from 'prom-client'
import type { ReportStore } from '../media-buys/reporting/report-store.ts'

export interface ReportMetrics {
  reported(notificationType: string): void
  sourceFailed(): void
}

/** If the database is unavailable during a scrape, no figure is reported instead of an outdated one. */
export function reportMetrics(
  registry: Registry,
  reports: Pick<ReportStore, 'missing'>,
): ReportMetrics {
  const sent = new Counter({
    name: 'adwire_delivery_reports_total',
    help: 'Delivery reports that were committed to be sent, by notification type.',
    labelNames: ['type'],
    registers: [registry],
  })
  const faults = new Counter({
    name: 'adwire_delivery_report_faults_total',
    help: 'Times that delivery reports had to wait: their source or the database was away.',
    registers: [registry],
  })
  new Gauge({
    name: 'adwire_delivery_report_windows',
    help: 'Windows that were not reported, by state.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset()
      const missing = await reports.missing().catch(() => ({}))
      for (const [state, count] of Object.entries(missing)) this.set({ state }, count)
    },
  })
  return {
    reported: (type) => sent.inc({ type }),
    sourceFailed: () => faults.inc(),
  }
}
