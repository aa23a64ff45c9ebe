// Endpoints: the destinations of webhooks, and the health of each.

import type { EndpointItem, EndpointsQuery } from '../../../src/console/api/endpoints.ts'
import { useData } from '../api/use-data.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Chips, Choice, Filters, Search } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { lasting, Time } from '../parts/time.tsx'
import { hrefOf } from '../router.ts'
import { ENDPOINT_WORDS, sentence, withoutScheme } from '../words.ts'

const NAMES: readonly string[] = ['q', 'state', 'principal_id', 'cursor']

const STATES = [
  ['', 'All states'],
  ['troubled', 'With problems'],
  ['open', 'Circuit open'],
  ['paused', 'Paused'],
] as const

const COLUMNS: readonly Column<EndpointItem>[] = [
  { name: 'State', width: 6, cell: (row) => <WordBadge word={ENDPOINT_WORDS[row.state]} /> },
  {
    name: 'Endpoint',
    cell: (row) => (
      <>
        <a class="open line" href={hrefOf(`/endpoints/${encodeURIComponent(row.endpoint_id)}`)}>
          {withoutScheme(row.url)}
        </a>
        {row.state !== 'healthy' && row.health.faults[0] ? (
          <span class="sub bad">{sentence(row.health.faults[0].message)}</span>
        ) : (
          <span class="sub">{row.principal_name ?? row.principal_id}</span>
        )}
      </>
    ),
  },
  {
    name: 'Success',
    width: 5,
    from: 'medium',
    cell: ({ health }) => <Share share={health.success_share} />,
  },
  {
    name: 'p50',
    width: 3,
    from: 'large',
    right: true,
    cell: ({ health }) => lasting(health.p50_ms),
  },
  {
    name: 'p95',
    width: 3,
    from: 'large',
    right: true,
    cell: ({ health }) => lasting(health.p95_ms),
  },
  {
    name: 'Waiting',
    width: 4,
    from: 'medium',
    right: true,
    cell: (row) => row.waiting.toLocaleString(),
  },
  {
    name: 'Last success',
    width: 5,
    from: 'medium',
    cell: ({ health }) => <Time at={health.last_success_at} as="ago" />,
  },
]

export function View() {
  const query: Partial<EndpointsQuery> = filtersOf(NAMES)
  const list = useData('GET /endpoints', { query }, ['endpoints', 'deliveries'])
  return (
    <>
      <ViewHead title="Endpoints" />
      <Filters>
        <Search label="Part of the URL" />
        <Choice label="State" name="state" options={STATES} />
        <Chips names={{ principal_id: 'Principal' }} />
      </Filters>
      <ListView
        list={list}
        what="endpoints"
        caption="Endpoints and their health"
        columns={COLUMNS}
        keyOf={(row) => row.endpoint_id}
        nothing={
          <Notice title="No endpoint is registered">
            <p>Endpoints appear when buyers register webhooks with their tasks and media buys.</p>
          </Notice>
        }
      />
    </>
  )
}

function Share({ share }: { share: number | undefined }) {
  if (share === undefined) return <span class="faint">–</span>
  const tone = share >= 0.95 ? '' : share >= 0.5 ? 'warn' : 'bad'
  const percent = Math.round(share * 100)
  return (
    <>
      <span class="line number">{percent} %</span>
      <progress
        class={`meter ${tone}`}
        max={100}
        value={percent}
        aria-label="Share of attempts that succeeded"
      />
    </>
  )
}
