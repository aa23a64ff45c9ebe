// Builds the webhook of a report (spec 2.11, 6.2): the whole envelope with the content in `result`, a separate task
// for each, never sums over several buys and never a notification_id.

import { randomUUID } from 'node:crypto'
import { defined } from '../../lib/defined.ts'
import type { DeliveryReport, MediaBuyDelivery } from '../../protocol/schemas/delivery-report.ts'
import type { ChannelEvent } from '../../webhooks/sender/emit.ts'
import { subjectOfReports } from '../buy-channels.ts'
import type { MediaBuyRecord } from '../media-buy.ts'
import { serializeFigures } from './figures.ts'
import type { Report } from './plan-visit.ts'

const iso = (at: number) => new Date(at).toISOString()

export function reportEvent(buy: MediaBuyRecord, report: Report, now: number): ChannelEvent {
  const { owner, media_buy_id, context } = buy
  const { notification_type, sequence_number, period } = report
  return {
    owner,
    subject: subjectOfReports(media_buy_id),
    notification_type,
    sequence_number,
    task_id: randomUUID(),
    task_type: 'media_buy_delivery',
    domain: 'media-buy',
    status: 'completed',
    at: now,
    message: `${notification_type} delivery report, ${iso(period.start)} to ${iso(period.end)}`,
    context,
    result: reportResult(buy, report, now),
  }
}

function reportResult(buy: MediaBuyRecord, report: Report, now: number): DeliveryReport {
  const { notification_type, sequence_number, period, next_expected_at, unavailable } = report
  return {
    notification_type,
    sequence_number,
    ...(next_expected_at === undefined ? {} : { next_expected_at: iso(next_expected_at) }),
    reporting_period: serializePeriod(period, buy.time_zone),
    currency: buy.currency,
    ...(unavailable > 0 ? { partial_data: true, unavailable_count: unavailable } : {}),
    media_buy_deliveries: [deliveryRow(buy, report, now)],
  }
}

/** Half-open: the end is the first instant after it. */
export function serializePeriod({ start, end }: { start: number; end: number }, timezone: string) {
  return { start: iso(start), end: iso(end), timezone }
}

function deliveryRow(
  buy: MediaBuyRecord,
  { notification_type, figures, expected_at, is_final }: Report,
  now: number,
): MediaBuyDelivery {
  const { media_buy_id, status, currency, reporting } = buy
  return {
    media_buy_id,
    status: figures ? status : 'reporting_delayed',
    media_buy_status: status,
    currency,
    // Nothing is known about them yet, and zeros would say otherwise; the schema requires spend.
    ...(figures
      ? serializeFigures(buy, figures, reporting?.requested_metrics)
      : { totals: { spend: 0 }, by_package: [] }),
    ...defined({ expected_availability: expected_at === undefined ? undefined : iso(expected_at) }),
    ...(notification_type === 'adjusted' ? { is_adjusted: true } : {}),
    ...(figures ? { is_final } : {}),
    ...(is_final ? { finalized_at: iso(now) } : {}),
  }
}
