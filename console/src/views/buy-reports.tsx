// Every window that has a report due: its status, its content, and the delivery that sent it. The page and the filter
// are in the address.

import type {
  Buy,
  BuyReports,
  BuyReportsQuery,
  SerializedWindow,
} from '../../../src/console/api/buys.ts'
import { useData } from '../api/use-data.ts'
import { WINDOW_WORDS } from '../buy-words.ts'
import { WordBadge } from '../parts/badge.tsx'
import { filtersOf } from '../parts/list-view.tsx'
import { FaultBanner, FaultNotice, Notice } from '../parts/notice.tsx'
import { Panel } from '../parts/panel.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { changeQuery, hrefOf, query } from '../router.ts'
import { money, sentence, spaced } from '../words.ts'

const NAMES: readonly string[] = ['state', 'cursor']
const A_PAGE = 12

export function ReportsPanel({ buy }: { buy: Buy }) {
  const { media_buy_id, currency } = buy
  const requested: Partial<BuyReportsQuery> = filtersOf(NAMES)
  const { value, fault, refresh, isLoading } = useData(
    'GET /buys/:media_buy_id/reports',
    { params: { media_buy_id }, query: { ...requested, limit: A_PAGE } },
    ['reports', 'deliveries'],
  )
  return (
    <Panel title="Reports" aside={value && <Tabs />} flush>
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value ? (
        <FaultNotice fault={fault} retry={refresh} />
      ) : (
        <>
          {value?.stream && <LaneHealth stream={value.stream} />}
          <Table
            caption="Windows of the reports, the latest first"
            columns={columnsIn(currency)}
            rows={value?.items}
            keyOf={({ kind, start }) => `${kind} ${start}`}
            isBusy={isLoading}
            skeletonRows={4}
            empty={<NoWindow reports={value} />}
          />
          <Pages next={value?.next_cursor} />
        </>
      )}
    </Panel>
  )
}

const TABS = [
  [undefined, 'All'],
  ['missing', 'Not acknowledged'],
  ['late', 'Late'],
] as const

function Tabs() {
  const here = query.value.get('state') ?? undefined
  return (
    <fieldset class="tabs">
      <legend class="sr-only">Windows listed</legend>
      {TABS.map(([state, text]) => (
        <button
          key={text}
          type="button"
          aria-pressed={state === here}
          onClick={() => changeQuery({ state })}
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}

function LaneHealth({ stream }: { stream: NonNullable<BuyReports['stream']> }) {
  const { counts, next, reporting_frequency, is_final } = stream
  const troubles = [
    counts.late > 0 && `${counts.late.toLocaleString()} late`,
    counts.given_up > 0 && `${counts.given_up.toLocaleString()} failed permanently`,
    counts.owed > 0 && `${counts.owed.toLocaleString()} pending`,
    counts.sent > 0 && `${counts.sent.toLocaleString()} not acknowledged yet`,
  ].filter((text) => text !== false)
  return (
    <p class="panel-note">
      <b>{spaced(reporting_frequency)}</b> · {counts.delivered.toLocaleString()} delivered
      {troubles.length > 0 && <span class="warn"> · {troubles.join(' · ')}</span>}
      {next && (
        <>
          {' '}
          · next due <Time at={next.due_at} as="until" />, of the window that ends{' '}
          <Time at={next.window_end} />
        </>
      )}
      {is_final && ' · the last one was sent'}
    </p>
  )
}

function columnsIn(currency: string): readonly Column<SerializedWindow>[] {
  return [
    { name: 'State', width: 6, cell: (row) => <WordBadge word={WINDOW_WORDS[row.state]} /> },
    {
      name: 'Window',
      cell: (row) => (
        <>
          <Span row={row} />
          <span class={row.state === 'given_up' ? 'sub bad' : 'sub'}>{saidOf(row)}</span>
        </>
      ),
    },
    {
      name: 'Reported',
      width: 6,
      from: 'medium',
      right: true,
      cell: ({ spend, impressions }) =>
        spend === undefined ? (
          <span class="faint">–</span>
        ) : (
          <>
            <span class="line number">{money(spend, currency)}</span>
            <span class="sub number">{impressions?.toLocaleString()} imp.</span>
          </>
        ),
    },
  ]
}

/** The window, with a link to the delivery of its last report while that is stored. */
function Span({ row: { kind, start, end, delivery } }: { row: SerializedWindow }) {
  const hours = Math.round((Date.parse(end) - Date.parse(start)) / 3_600_000)
  const length = hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`
  const text = (
    <>
      {kind === 'final' && 'Whole flight, '}
      <Time at={start} />, {length}
    </>
  )
  if (!delivery) return <span class="line">{text}</span>
  return (
    <a
      class="open line"
      href={hrefOf(`/deliveries/${delivery.delivery_id}`)}
      title={`Delivery ${delivery.delivery_id}, ${delivery.state}`}
    >
      {text}
    </a>
  )
}

/** The reports sent for it, or why there were none. */
function saidOf({
  state,
  notification_types,
  reason,
  expected_at,
  sent_at,
  sequence_number,
}: SerializedWindow) {
  if (reason !== undefined) return sentence(reason)
  if (state === 'late') {
    return (
      <>
        buyer notified; figures expected <Time at={expected_at} as="until" />
      </>
    )
  }
  if (notification_types.length === 0) return 'nothing sent yet'
  return (
    <>
      {notification_types.map(spaced).join(', then ')}, no. {sequence_number} ·{' '}
      <Time at={sent_at} as="ago" />
    </>
  )
}

function NoWindow({ reports }: { reports: BuyReports | undefined }) {
  if (reports && !reports.stream) {
    return (
      <Notice title="No reports requested" compact>
        <p>
          The buyer gave no reporting_webhook. Figures are available from get_media_buy_delivery.
        </p>
      </Notice>
    )
  }
  if (query.value.has('state')) return <Notice title="No window has this state" compact />
  return (
    <Notice title="No window has ended yet" compact>
      <p>The first report is sent when the first window has ended and its figures are available.</p>
    </Notice>
  )
}

function Pages({ next }: { next: string | undefined }) {
  const isLater = query.value.has('cursor')
  if (!isLater && next === undefined) return null
  return (
    <nav class="panel-pages" aria-label="Pages of windows">
      <button
        type="button"
        class="button small"
        disabled={!isLater}
        onClick={() => changeQuery({ cursor: undefined })}
      >
        Newest
      </button>
      <button
        type="button"
        class="button small"
        disabled={next === undefined}
        onClick={() => changeQuery({ cursor: next })}
      >
        Older
      </button>
    </nav>
  )
}
