// Delivery reports: the source of their figures, what sends them, and the tasks that return them.

import { defined } from '../lib/defined.ts'
import type { BuyObserver } from '../media-buys/change-buy.ts'
import { getCreativeDelivery } from '../media-buys/get-creative-delivery.ts'
import { getMediaBuyDelivery } from '../media-buys/get-media-buy-delivery.ts'
import { getReportingStatus } from '../media-buys/get-reporting-status.ts'
import type { FindOption } from '../media-buys/product-filters.ts'
import { createReportWorker, type ReportWorker } from '../media-buys/reporting/report-worker.ts'
import { DEFAULT_REPORT_RULES } from '../media-buys/reporting/rules.ts'
import type { VisitPorts } from '../media-buys/reporting/visit-due.ts'
import { watchBuysForReports } from '../media-buys/reporting/watch-buys.ts'
import type { AnyTask } from '../protocol/task.ts'
import type { SimulatedDelivery } from '../sandbox/simulated-delivery.ts'
import type { Sender } from '../webhooks/sender/sender.ts'
import { openDeliverySource } from './open-delivery-source.ts'
import type { Parts } from './parts.ts'
import { reportMetrics } from './report-metrics.ts'

export interface ReportArea {
  tasks: readonly AnyTask[]
  observer: BuyObserver
  worker: ReportWorker
}

export interface ReportOptions {
  beforeFinal?: VisitPorts['beforeFinal']
  /** Figures that a sandbox adds to the source. Default nothing. */
  simulated?: SimulatedDelivery | undefined
  /** The formats of creatives by their canonical kinds. Default they have none. */
  formatOption?: FindOption | undefined
}

const HOUR_MS = 3_600_000

export function wireReports(
  parts: Parts,
  sender: Sender,
  { beforeFinal, simulated, formatOption }: ReportOptions = {},
): ReportArea {
  const { config, clock, log, storage, metrics } = parts
  const { transact, onWake, reports, products, mediaBuys: buys, deliveryOrders: orders } = storage
  const opened = openDeliverySource(parts)
  const source = simulated ? simulated.source(opened) : opened
  const added = simulated?.added
  const { reported: onReport, sourceFailed } = reportMetrics(metrics.registry, reports)
  const onFault = (error: unknown) => {
    sourceFailed()
    log.warn({ err: error }, 'delivery reports wait: their source or the database is away')
  }
  const rules = {
    ...DEFAULT_REPORT_RULES,
    correctionMs: config.reportCorrectionHours * HOUR_MS,
    giveUpMs: config.reportGiveUpHours * HOUR_MS,
  }
  return {
    tasks: [
      getMediaBuyDelivery({ buys, products, reports, source, clock, onFault, added }),
      getReportingStatus({ buys, reports, clock }),
      getCreativeDelivery({
        transact,
        buys,
        creatives: storage.packageCreatives,
        reports,
        source,
        clock,
        onFault,
        added,
        publicUrl: parts.publicUrl,
        ...defined({ formatOption }),
      }),
    ],
    observer: watchBuysForReports({ reports, orders, products }),
    worker: createReportWorker({
      transact,
      onWake,
      clock,
      reports,
      source,
      sender,
      rules,
      beforeFinal,
      onReport,
      onFault,
      onWaiting: (waiting) =>
        log.warn(waiting, 'delivery reports wait: their principal has too many webhooks queued'),
    }),
  }
}
