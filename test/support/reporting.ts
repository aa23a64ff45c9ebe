// A seller of one database with a clock that is moved manually: buys, the simulated ad server, and reports that are
// read from the outbox as a receiver would read them.

import type { DeliverySource } from '../../src/media-buys/delivery-source.ts'
import type { MediaBuyRecord } from '../../src/media-buys/media-buy.ts'
import { followSent } from '../../src/media-buys/reporting/report-worker.ts'
import { DEFAULT_REPORT_RULES, type ReportRules } from '../../src/media-buys/reporting/rules.ts'
import { VISIT_LEASE_MS, visitStreams } from '../../src/media-buys/reporting/visit-due.ts'
import { watchBuysForReports } from '../../src/media-buys/reporting/watch-buys.ts'
import { createSimulatedSource } from '../../src/media-buys/sources/simulated.ts'
import type { DeliveryReport } from '../../src/protocol/schemas/delivery-report.ts'
import type { Database } from '../../src/storage/sql/database.ts'
import { createMediaBuyStore } from '../../src/storage/stores/media-buys/media-buys.ts'
import { createOrderStore } from '../../src/storage/stores/media-buys/orders.ts'
import { createReportStore } from '../../src/storage/stores/media-buys/reports.ts'
import { createChannelStore } from '../../src/storage/stores/outbox/channels.ts'
import { createOutboxStore } from '../../src/storage/stores/outbox/outbox.ts'
import { createQueueUse } from '../../src/storage/stores/outbox/queue-use.ts'
import { moveCircuit } from '../../src/webhooks/sender/circuit.ts'
import { createEmitter } from '../../src/webhooks/sender/emit.ts'
import type { FakeClock } from './fake-clock.ts'
import { catalogueProduct } from './media-buys.ts'
import { aChannel, BOX } from './sender.ts'

export interface SentReport {
  idempotency_key: string
  envelope: Record<string, unknown>
  report: DeliveryReport
}

export interface ReportingOptions {
  rules?: Partial<ReportRules>
  expectedDelayMinutes?: number
  isAway?: (now: number) => boolean
  source?: DeliverySource
  lateShare?: number
  /** Deliveries that an owner may have queued. Default any number. */
  queued?: number
}

export function reportingSeller(
  database: () => Database,
  clock: FakeClock,
  options: ReportingOptions = {},
) {
  const stores = () => ({
    buys: createMediaBuyStore(database()),
    reports: createReportStore(database()),
    orders: createOrderStore(database()),
    channels: createChannelStore(database()),
    outbox: createOutboxStore(database(), { moveCircuit, clock, ...queueOf() }),
  })
  const queueOf = () => {
    if (options.queued === undefined) return {}
    const limits = { queued_deliveries: options.queued, queued_bytes: Number.POSITIVE_INFINITY }
    return { queue: createQueueUse(database(), limits, { seenForMs: 0 }) }
  }
  const waiting: { owner: string; streams: number }[] = []
  const product = catalogueProduct()
  product.reporting_capabilities.expected_delay_minutes = options.expectedDelayMinutes ?? 30
  const products = { get: async () => new Map([['homepage', { product, changed_at: 0 }]]) }
  const observer = () => watchBuysForReports({ ...stores(), products })
  const faults: unknown[] = []
  const source =
    options.source ??
    createSimulatedSource({
      orders: { list: (ids) => stores().orders.list(ids) },
      lateShare: options.lateShare ?? 0.2,
      ...(options.isAway ? { isAway: options.isAway } : {}),
    })
  const finals: string[] = []

  async function add(buy: MediaBuyRecord): Promise<void> {
    await database().transact(async (tx) => {
      await stores().buys.add(tx, buy)
      const { owner, media_buy_id } = buy
      const subject = `media_buy_reports:${media_buy_id}`
      const { channel_id: _, paused_at: __, ...channel } = aChannel({ owner, subject })
      if (buy.reporting) await stores().channels.put(tx, channel, 10)
      await observer().created?.(tx, buy)
    })
  }

  /** As change-buy.ts does it. */
  async function change(id: string, changes: Partial<MediaBuyRecord>): Promise<void> {
    await database().transact(async (tx) => {
      const before = (await stores().buys.lock(tx, { media_buy_id: id })) as MediaBuyRecord
      const moved = changes.status !== undefined && changes.status !== before.status
      const now = await tx.now()
      const after = {
        ...before,
        ...changes,
        revision: before.revision + 1,
        status_changed_at: moved ? now : before.status_changed_at,
      }
      const entry = { revision: after.revision, at: now, actor: 'buyer' as const, action: 'pause' }
      await stores().buys.save(tx, after, { entry })
      await observer().changed?.(tx, { before, after, actor: 'buyer' })
    })
  }

  /** Does what is due now, and says when there is more to do. */
  async function work(limit = 100): Promise<number | undefined> {
    for (;;) {
      const claimed = await database().transact((tx) =>
        stores().reports.claimDue(tx, { limit, leaseMs: VISIT_LEASE_MS }),
      )
      if (claimed.media_buy_ids.length === 0) return claimed.nextDueAt
      await visitStreams(
        {
          transact: database().transact,
          reports: stores().reports,
          source,
          sender: createEmitter({ ...stores(), box: BOX, onFault: (error) => faults.push(error) }),
          rules: { ...DEFAULT_REPORT_RULES, ...options.rules },
          beforeFinal: async (_tx, buy) => void finals.push(buy.media_buy_id),
          onFault: (error) => faults.push(error),
          onWaiting: (one) => waiting.push(one),
        },
        claimed.media_buy_ids,
        { now: clock.now(), signal: new AbortController().signal },
      )
    }
  }

  /** Goes from one thing to do to the next until this time, which it ends at. */
  async function runUntil(end: number, each?: () => Promise<void>): Promise<void> {
    for (;;) {
      const next = await work()
      await each?.()
      if (next === undefined || next > end) break
      clock.set(Math.max(next, clock.now() + 1))
    }
    clock.set(Math.max(end, clock.now()))
    await work()
  }

  async function sent(id: string): Promise<SentReport[]> {
    const rows = await database().read.all<{ body: Uint8Array; idempotency_key: string }>(
      `SELECT body, idempotency_key FROM webhook_deliveries WHERE subject = $1 ORDER BY delivery_id`,
      [`media_buy_reports:${id}`],
    )
    return rows.map(({ body, idempotency_key }) => {
      const envelope = JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>
      return { idempotency_key, envelope, report: envelope.result as DeliveryReport }
    })
  }

  /** How the receiver took what was sent. */
  async function end(
    id: string,
    state: 'delivered' | 'exhausted',
    sequence?: number,
  ): Promise<void> {
    await database().transact((tx) =>
      (tx as unknown as Database['read']).run(
        `UPDATE webhook_deliveries SET state = $2, ended_at = $3, reason = $4
         WHERE subject = $1 AND ended_at IS NULL${sequence === undefined ? '' : ` AND sequence_number = ${sequence}`}`,
        [`media_buy_reports:${id}`, state, clock.now(), state === 'delivered' ? null : 'no answer'],
      ),
    )
    await followSent({ transact: database().transact, reports: stores().reports })
  }

  return {
    stores,
    products,
    source,
    add,
    change,
    work,
    runUntil,
    sent,
    end,
    faults,
    finals,
    waiting,
  }
}
