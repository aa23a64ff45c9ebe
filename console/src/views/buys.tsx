// Media buys: which are running, their progress, and which are in trouble.

import type { BuyItem, BuysQuery } from '../../../src/console/api/buys.ts'
import { useData } from '../api/use-data.ts'
import { BUY_WORDS, troublesOf } from '../buy-words.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Chips, Choice, Filters, Search } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { hrefOf, query } from '../router.ts'
import { SINCE_CHOICES, sinceOf } from '../since.ts'
import { money } from '../words.ts'

const NAMES: readonly string[] = ['q', 'status', 'trouble', 'principal_id', 'brand', 'cursor']

const STATUSES = [
  ['', 'All statuses'],
  ...Object.entries(BUY_WORDS).map(([status, { text }]) => [status, text] as const),
] as const

const TROUBLES = [
  ['', 'All conditions'],
  ['impaired', 'Impaired'],
  ['late', 'Reports late'],
  ['given_up', 'Reports that failed permanently'],
] as const

const COLUMNS: readonly Column<BuyItem>[] = [
  { name: 'Status', width: 6, cell: (row) => <WordBadge word={BUY_WORDS[row.status]} /> },
  {
    name: 'Media buy',
    cell: (row) => (
      <>
        <a class="open line" href={hrefOf(`/buys/${encodeURIComponent(row.media_buy_id)}`)}>
          {row.name ?? row.buyer_ref ?? row.media_buy_id}
        </a>
        <Below row={row} />
      </>
    ),
  },
  {
    name: 'Brand',
    width: 9,
    from: 'large',
    cell: ({ brand }) =>
      brand === undefined ? (
        <span class="faint">–</span>
      ) : (
        <a class="line" href={hrefOf(`/buys?${new URLSearchParams({ brand })}`)}>
          {brand}
        </a>
      ),
  },
  {
    name: 'Budget',
    width: 5,
    from: 'medium',
    right: true,
    cell: (row) => money(row.total_budget, row.currency),
  },
  { name: 'Reported', width: 5, from: 'medium', cell: (row) => <Reported row={row} /> },
  {
    name: 'Ends',
    width: 5,
    from: 'medium',
    cell: (row) => <Time at={ENDED.has(row.status) ? undefined : row.end_at} as="ago" />,
  },
]

/** Before their time. */
const ENDED: ReadonlySet<string> = new Set(['canceled', 'rejected'])

function Below({ row }: { row: BuyItem }) {
  const troubles = troublesOf(row)
  if (troubles.length > 0) return <span class="sub bad">{troubles.join(' · ')}</span>
  return <span class="sub">{row.principal_name ?? row.principal_id}</span>
}

function Reported({ row }: { row: BuyItem }) {
  const { reported_spend: spent, total_budget: budget } = row
  if (spent === undefined) return <span class="faint">no reports</span>
  if (spent === null || budget === null) return <span class="faint">–</span>
  const percent = Math.round((spent / Math.max(budget, 1)) * 100)
  return (
    <>
      <span class="line number">{percent} %</span>
      <progress
        class="meter"
        max={100}
        value={percent}
        aria-label="Share of the budget that was reported as spent"
      />
    </>
  )
}

export function View() {
  const requested: Partial<BuysQuery> = filtersOf(NAMES)
  const since = sinceOf(query.value.get('since'))
  const filters = since === undefined ? requested : { ...requested, since }
  const list = useData('GET /buys', { query: filters }, ['buys', 'reports'])
  return (
    <>
      <ViewHead title="Media buys" />
      <Filters>
        <Search label="Name, reference, brand, or an id" />
        <Choice label="Status" name="status" options={STATUSES} />
        <Choice label="Trouble" name="trouble" options={TROUBLES} />
        <Choice label="Created" name="since" options={SINCE_CHOICES} />
        <Chips names={{ principal_id: 'Principal', brand: 'Brand' }} />
      </Filters>
      <ListView
        list={list}
        what="media buys"
        caption="Media buys, newest first; with a problem filter, most recent problem first"
        columns={COLUMNS}
        keyOf={(row) => row.media_buy_id}
        hint="Each page searches a few thousand buys: the next page may have more."
        nothing={
          <Notice title="No media buy yet">
            <p>
              Buys appear here when buyers create them, with their pacing, reports and webhooks.
            </p>
          </Notice>
        }
      />
    </>
  )
}
