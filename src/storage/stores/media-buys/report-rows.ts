// Streams and windows of delivery reports as rows, and back.

import type { Figures } from '../../../media-buys/reporting/figures.ts'
import type {
  NotificationType,
  ReportState,
  ReportStream,
  ReportWindow,
} from '../../../media-buys/reporting/report-store.ts'

export const STREAM_COLUMNS = `media_buy_id, owner, opened_until, sequence_number, totals, unavailable,
  delay_ms, final_at, due_at, claim_no`

export interface StreamRow {
  media_buy_id: string
  owner: string
  opened_until: number | null
  sequence_number: number
  totals: string
  unavailable: number
  delay_ms: number
  final_at: number | null
  due_at: number | null
  claim_no: number
}

export function streamOf(row: StreamRow): ReportStream {
  return {
    ...row,
    opened_until: row.opened_until ?? undefined,
    totals: JSON.parse(row.totals) as Figures,
    final_at: row.final_at ?? undefined,
    due_at: row.due_at ?? undefined,
  }
}

export function streamRow(stream: ReportStream): StreamRow {
  return {
    ...stream,
    opened_until: stream.opened_until ?? null,
    totals: JSON.stringify(stream.totals),
    final_at: stream.final_at ?? null,
    due_at: stream.due_at ?? null,
  }
}

/** The columns written for a window, and the types of rows in a list. */
export const WINDOW_TYPES = {
  media_buy_id: 'TEXT',
  kind: 'TEXT',
  start_at: 'BIGINT',
  end_at: 'BIGINT',
  owner: 'TEXT',
  state: 'TEXT',
  is_settled: 'INTEGER',
  sequence_number: 'INTEGER',
  notification_types: 'TEXT',
  digest: 'TEXT',
  expected_at: 'BIGINT',
  sent_at: 'BIGINT',
  ended_at: 'BIGINT',
  reason: 'TEXT',
  figures: 'TEXT',
} as const

export const WINDOW_NAMES = Object.keys(WINDOW_TYPES) as (keyof WindowRow)[]

export interface WindowRow {
  media_buy_id: string
  kind: ReportWindow['kind']
  start_at: number
  end_at: number
  owner: string
  state: ReportState
  is_settled: number
  sequence_number: number | null
  notification_types: string
  digest: string | null
  expected_at: number | null
  sent_at: number | null
  ended_at: number | null
  reason: string | null
  figures: string | null
}

export function windowOf({ start_at, end_at, ...row }: WindowRow): ReportWindow {
  return {
    ...row,
    start: start_at,
    end: end_at,
    is_settled: row.is_settled === 1,
    sequence_number: row.sequence_number ?? undefined,
    notification_types: row.notification_types.split(',').filter(Boolean) as NotificationType[],
    digest: row.digest ?? undefined,
    expected_at: row.expected_at ?? undefined,
    sent_at: row.sent_at ?? undefined,
    ended_at: row.ended_at ?? undefined,
    reason: row.reason ?? undefined,
    figures: row.figures === null ? undefined : (JSON.parse(row.figures) as Figures),
  }
}

export function windowRow({ start, end, ...window }: ReportWindow): WindowRow {
  return {
    ...window,
    start_at: start,
    end_at: end,
    is_settled: window.is_settled ? 1 : 0,
    sequence_number: window.sequence_number ?? null,
    notification_types: window.notification_types.join(','),
    digest: window.digest ?? null,
    expected_at: window.expected_at ?? null,
    sent_at: window.sent_at ?? null,
    ended_at: window.ended_at ?? null,
    reason: window.reason ?? null,
    figures: window.figures === undefined ? null : JSON.stringify(window.figures),
  }
}
