// The windows for which a buyer is due a report, and the status of each.

import type { LinkReportsQuery, ReportWindowItem } from '../../../src/console/api/links.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Chips, Choice, Filters } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { hrefOf } from '../router.ts'
import { REPORT_WORDS, sentence } from '../words.ts'
import { useLinkData } from './use-link-data.ts'

const NAMES: readonly string[] = ['state', 'media_buy_id', 'cursor']

/** The currency is the buy's, which is not returned here. */
const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 }

const STATES = [
  ['', 'All states'],
  ...Object.entries(REPORT_WORDS).map(([state, { text }]) => [state, text] as const),
] as const

const COLUMNS: readonly Column<ReportWindowItem>[] = [
  { name: 'State', width: 5, cell: ({ state }) => <WordBadge word={REPORT_WORDS[state]} /> },
  {
    name: 'Window',
    cell: (row) => (
      <>
        <span class="line">
          <Time at={row.start} /> – <Time at={row.end} />
          {row.kind === 'final' && ' (the whole flight)'}
        </span>
        <Note row={row} />
        <span class="sub only-narrow">
          <BuyLink row={row} />
        </span>
      </>
    ),
  },
  {
    name: 'Media buy',
    width: 8,
    from: 'large',
    cell: (row) => <BuyLink row={row} />,
  },
  {
    name: 'Impressions',
    width: 5,
    from: 'medium',
    right: true,
    cell: ({ impressions }) => impressions?.toLocaleString() ?? '–',
  },
  {
    name: 'Spend',
    width: 5,
    from: 'medium',
    right: true,
    cell: ({ spend }) => spend?.toLocaleString(undefined, CENTS) ?? '–',
  },
  {
    name: 'Acknowledged',
    width: 6,
    from: 'medium',
    cell: ({ state, ended_at }) => (
      <Time at={state === 'delivered' ? ended_at : undefined} as="ago" />
    ),
  },
]

function BuyLink({ row: { media_buy_id } }: { row: ReportWindowItem }) {
  return (
    <a
      class="line mono"
      title={media_buy_id}
      href={hrefOf(`/link/deliveries?${new URLSearchParams({ media_buy_id })}`)}
    >
      {media_buy_id}
    </a>
  )
}

function Note({ row: { state, reason, expected_at } }: { row: ReportWindowItem }) {
  if (reason !== undefined) return <span class="sub">{sentence(reason)}</span>
  if (state !== 'late' || expected_at === undefined) return null
  return (
    <span class="sub">
      figures are expected <Time at={expected_at} as="until" />
    </span>
  )
}

export function LinkReports() {
  const query: Partial<LinkReportsQuery> = filtersOf(NAMES)
  const list = useLinkData('GET /link/reports', { query })
  return (
    <>
      <ViewHead title="Reports" about="All report windows of your media buys, latest first." />
      <Filters>
        <Choice label="State" name="state" options={STATES} />
        <Chips names={{ media_buy_id: 'Media buy' }} />
      </Filters>
      <ListView
        list={list}
        what="windows"
        caption="Windows of reports, the latest first"
        columns={COLUMNS}
        keyOf={(row) => `${row.media_buy_id} ${row.kind} ${row.start}`}
        nothing={
          <Notice title="No window has ended yet">
            <p>A media buy with a reporting webhook has a report for each of its windows.</p>
          </Notice>
        }
      />
    </>
  )
}
