// `adwire reports`: which delivery reports to buyers are pending, late, or were not delivered.

import { Command, Option } from 'commander'
import type { ReportWindow } from '../media-buys/reporting/report-store.ts'
import { REPORT_STATES } from '../protocol/report-states.ts'
import { iso, wholeNumber } from './arguments.ts'
import { checkSource } from './check-source.ts'
import { repeatable } from './repeatable.ts'
import { storageCommand, withStorage } from './settings-options.ts'
import { printJson, printTable } from './terminal.ts'

export function reportsCommand(): Command {
  return new Command('reports')
    .description('Check the status of delivery reports to buyers, and test the delivery source.')
    .addCommand(list())
    .addCommand(checkSource())
}

const MAX_LISTED = 1_000
const MISSING: readonly State[] = ['owed', 'late', 'given_up']

type State = (typeof REPORT_STATES)[number]

interface ListOptions {
  state?: State[]
  buy?: string[]
  all?: boolean
  limit: string
  json?: boolean
}

function list(): Command {
  return storageCommand('list')
    .description(
      'List reporting windows whose report was not delivered (pending, late or failed permanently), latest first.',
    )
    .addOption(
      new Option('--state <state...>', 'only windows in this state').choices(REPORT_STATES),
    )
    .option('--buy <media_buy_id>', 'only this media buy; repeatable', repeatable)
    .option('--all', 'include reports that were sent or delivered')
    .option('--limit <n>', `maximum number of rows, up to ${MAX_LISTED}`, '50')
    .option('--json', 'print a JSON array')
    .action((options: ListOptions) =>
      withStorage({ ...options }, async ({ reports }) => {
        const { windows } = await reports.list({
          states: options.state ?? (options.all ? undefined : MISSING),
          media_buy_ids: options.buy,
          limit: Math.min(wholeNumber('--limit', options.limit), MAX_LISTED),
        })
        if (options.json) return printJson(windows.map(returned))
        printTable(
          ['buy', 'from', 'to', 'state', 'report', 'types', 'principal', 'reason'],
          windows.map(rowOf),
        )
      }),
    )
}

function rowOf(window: ReportWindow): string[] {
  return [
    window.media_buy_id,
    iso(window.start),
    iso(window.end),
    window.kind === 'final' ? `${window.state} (final)` : window.state,
    String(window.sequence_number ?? '-'),
    window.notification_types.join(' ') || '-',
    window.owner,
    window.reason ?? '-',
  ]
}

function returned({
  figures: _,
  start,
  end,
  expected_at,
  sent_at,
  ended_at,
  ...window
}: ReportWindow) {
  const time = (at: number | undefined) => (at === undefined ? undefined : iso(at))
  return {
    ...window,
    start: iso(start),
    end: iso(end),
    expected_at: time(expected_at),
    sent_at: time(sent_at),
    ended_at: time(ended_at),
  }
}
