// The pending reports of one buy, window by window, each with the delivery that carried it; and the outcome of its
// webhooks.

import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import { subjectOfBuy, subjectOfReports } from '../media-buys/buy-channels.ts'
import type { MediaBuyRecord } from '../media-buys/media-buy.ts'
import { totalOf } from '../media-buys/reporting/figures.ts'
import { newWindows, nextWindowEnd } from '../media-buys/reporting/plan-visit.ts'
import type {
  ReportState,
  ReportStore,
  ReportStream,
  ReportWindow,
  StateCounts,
} from '../media-buys/reporting/report-store.ts'
import { displayUrl } from '../media-buys/webhook-activity.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import type { ActivityStore, ChannelStore } from '../webhooks/sender/store.ts'
import type { BuyActivity, BuyReports, BuyReportsQuery, SerializedWindow } from './api/buys.ts'
import type { BuyQueries } from './buy-queries.ts'
import { iso, isoOf } from './format-values.ts'
import { badCursor } from './refusal.ts'

export interface BuyReportPorts {
  clock: Clock
  buyQueries: Pick<BuyQueries, 'reportDeliveries'>
  reports: Pick<ReportStore, 'streams' | 'counts' | 'list'>
  activity: ActivityStore
  channels: Pick<ChannelStore, 'list'>
}

const LIST = 'console.buy-reports'
const MISSING: readonly ReportState[] = ['owed', 'late', 'sent', 'given_up']

export async function showBuyReports(
  { clock, buyQueries, reports }: BuyReportPorts,
  buy: MediaBuyRecord,
  { cursor, limit, state }: BuyReportsQuery,
): Promise<BuyReports> {
  const { media_buy_id } = buy
  const place =
    cursor === undefined ? undefined : readCursor(LIST, cursor, ['integer', 'text', 'text'])
  if (cursor !== undefined && !place) throw badCursor()
  const stream = (await reports.streams([media_buy_id])).get(media_buy_id)
  if (!stream) return { items: [] }
  const states = state === undefined ? undefined : state === 'missing' ? MISSING : [state]
  const { windows, hasMore } = await reports.list({
    media_buy_ids: [media_buy_id],
    states,
    limit,
    after: place && {
      end: place[0],
      media_buy_id: place[1],
      kind: place[2] as ReportWindow['kind'],
    },
  })
  // Windows that have ended but were not processed yet are pending too, and are listed before those that have a row.
  const unopened = newWindows({ stream, buy }, clock.now())
  const isFirst = !place && (states === undefined || states.includes('owed'))
  const returned = isFirst ? [...unopened.reverse(), ...windows] : windows
  const numbers = returned.flatMap(({ sequence_number }) => sequence_number ?? [])
  const sent = await buyQueries.reportDeliveries(subjectOfReports(media_buy_id), numbers)
  const counts = (await reports.counts([media_buy_id])).get(media_buy_id) as StateCounts
  const last = windows.at(-1)
  return {
    items: returned.map((window) => windowOf(window, sent)),
    ...defined({
      next_cursor:
        hasMore && last ? cursorOf(LIST, [last.end, last.media_buy_id, last.kind]) : undefined,
    }),
    stream: streamOf(buy, stream, { ...counts, owed: counts.owed + unopened.length }),
  }
}

function streamOf(
  buy: MediaBuyRecord,
  stream: ReportStream,
  counts: StateCounts,
): BuyReports['stream'] {
  const { final_at, delay_ms, sequence_number } = stream
  const end = final_at === undefined ? nextWindowEnd(stream, buy) : undefined
  return {
    reporting_frequency: buy.reporting?.reporting_frequency ?? 'daily',
    counts,
    last_sequence_number: sequence_number,
    is_final: final_at !== undefined,
    ...defined({
      next: end === undefined ? undefined : { window_end: iso(end), due_at: iso(end + delay_ms) },
    }),
  }
}

function windowOf(
  window: ReportWindow,
  sent: ReadonlyMap<number, { delivery_id: number; state: string }>,
): SerializedWindow {
  const { kind, state, sequence_number, figures, reason } = window
  const { spend, impressions } = figures ? totalOf(figures) : {}
  return {
    kind,
    state,
    start: iso(window.start),
    end: iso(window.end),
    notification_types: [...window.notification_types],
    ...defined({
      sequence_number,
      reason,
      spend: figures && (spend ?? 0),
      impressions: figures && (impressions ?? 0),
      expected_at: isoOf(state === 'late' ? window.expected_at : undefined),
      sent_at: isoOf(window.sent_at),
      ended_at: isoOf(window.ended_at),
      delivery: sequence_number === undefined ? undefined : sent.get(sequence_number),
    }),
  }
}

const LATEST = 50

/** As the buyer sees it in get_media_buys (spec 2.12), with a link to each delivery. */
export async function showBuyActivity(
  { activity, channels }: BuyReportPorts,
  { media_buy_id, owner }: MediaBuyRecord,
): Promise<BuyActivity> {
  const subjects = [subjectOfBuy(media_buy_id), subjectOfReports(media_buy_id)]
  const found = await activity.ofSubjects(owner, subjects, LATEST)
  const attempts = subjects
    .flatMap((subject) => found.get(subject) ?? [])
    .sort((a, b) => b.fired_at - a.fired_at)
    .slice(0, LATEST)
  const registered = await Promise.all(subjects.map((subject) => channels.list(owner, subject)))
  return {
    has_webhook: registered.some((list) => list.length > 0),
    items: attempts.map(({ delivery_id, notification_type, attempt, status, ...rest }) => ({
      delivery_id,
      notification_type,
      attempt,
      status,
      url: displayUrl(rest.url),
      fired_at: iso(rest.fired_at),
      ...defined({
        sequence_number: rest.sequence_number,
        http_status_code: rest.http_status_code,
        response_time_ms: rest.response_time_ms,
        error_message: rest.error_message,
      }),
    })),
  }
}
