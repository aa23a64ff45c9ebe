// Windows of delivery reports, read in pages: of some buys, or of all in some states.

import type {
  ReportState,
  ReportWindow,
  WindowFilter,
  WindowRange,
} from '../../../media-buys/reporting/report-store.ts'
import { REPORT_STATES } from '../../../protocol/report-states.ts'
import { createConditions } from '../../sql/conditions.ts'
import type { Database } from '../../sql/database.ts'
import { readPage } from '../../sql/pages.ts'
import { WINDOW_NAMES, type WindowRow, windowOf } from './report-rows.ts'

const MISSING: readonly ReportState[] = ['owed', 'late', 'given_up']
const inList = (states: readonly ReportState[]) =>
  `(${states.map((state) => `'${state}'`).join(', ') || 'NULL'})`

export async function listWindows(
  { read }: Database,
  { media_buy_ids, owner, states, limit, after }: WindowFilter,
): Promise<{ windows: ReportWindow[]; hasMore: boolean }> {
  const conditions = createConditions()
  conditions.isIn('media_buy_id', media_buy_ids)
  conditions.is('owner =', owner)
  // Spelled out, so that the index of missing windows is used.
  if (states) {
    if (states.every((state) => MISSING.includes(state)))
      conditions.add(`state IN ${inList(MISSING)}`)
    conditions.add(`state IN ${inList(REPORT_STATES.filter((state) => states.includes(state)))}`)
  }
  const { rows, hasMore } = await readPage<WindowRow>(read, {
    select: `SELECT ${WINDOW_NAMES.join(', ')} FROM report_windows`,
    conditions,
    keys: ['end_at', 'media_buy_id', 'kind'],
    direction: 'desc',
    after: after && [after.end, after.media_buy_id, after.kind],
    limit,
  })
  return { windows: rows.map(windowOf), hasMore }
}

/** By primary key, starting with the first. */
export async function windowsIn(
  { read }: Database,
  { media_buy_id, from, until, limit }: WindowRange,
): Promise<{ windows: ReportWindow[]; hasMore: boolean }> {
  const conditions = createConditions()
  conditions.is('media_buy_id =', media_buy_id)
  conditions.add("kind = 'window'")
  conditions.is('start_at >=', from)
  conditions.is('end_at <=', until)
  const { rows, hasMore } = await readPage<WindowRow>(read, {
    select: `SELECT ${WINDOW_NAMES.join(', ')} FROM report_windows`,
    conditions,
    keys: ['start_at'],
    direction: 'asc',
    limit,
  })
  return { windows: rows.map(windowOf), hasMore }
}
