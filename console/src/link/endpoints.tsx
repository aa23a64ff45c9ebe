// The endpoints of a buyer's webhooks, and their health.

import type { EndpointItem } from '../../../src/console/api/endpoints.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Filters, Search } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { lasting, Time } from '../parts/time.tsx'
import { hrefOf } from '../router.ts'
import { ENDPOINT_WORDS, sentence, withoutScheme } from '../words.ts'
import { useLinkData } from './use-link-data.ts'

const NAMES: readonly string[] = ['q', 'cursor']

const COLUMNS: readonly Column<EndpointItem>[] = [
  { name: 'State', width: 6, cell: (row) => <WordBadge word={ENDPOINT_WORDS[row.state]} /> },
  {
    name: 'Endpoint',
    cell: (row) => (
      <>
        <a
          class="open line"
          href={hrefOf(`/link/deliveries?${new URLSearchParams({ endpoint: row.url })}`)}
        >
          {withoutScheme(row.url)}
        </a>
        {row.state !== 'healthy' && row.health.faults[0] && (
          <span class="sub bad">{sentence(row.health.faults[0].message)}</span>
        )}
      </>
    ),
  },
  {
    name: 'Success',
    width: 4,
    from: 'medium',
    right: true,
    cell: ({ health: { success_share } }) =>
      success_share === undefined ? '–' : `${Math.round(success_share * 100)} %`,
  },
  {
    name: 'Answers within',
    width: 5,
    from: 'large',
    right: true,
    cell: ({ health }) => lasting(health.p50_ms),
  },
  {
    name: 'Waiting',
    width: 4,
    from: 'medium',
    right: true,
    cell: ({ waiting, held }) => (waiting + held).toLocaleString(),
  },
  {
    name: 'Last success',
    width: 5,
    from: 'medium',
    cell: ({ health }) => <Time at={health.last_success_at} as="ago" />,
  },
]

export function LinkEndpoints() {
  const list = useLinkData('GET /link/endpoints', { query: filtersOf(NAMES) })
  return (
    <>
      <ViewHead title="Endpoints" about="Where your webhooks go, and how each endpoint performs." />
      <Filters>
        <Search label="Part of the URL" />
      </Filters>
      <ListView
        list={list}
        what="endpoints"
        caption="Endpoints and their health"
        columns={COLUMNS}
        keyOf={(row) => row.endpoint_id}
        nothing={
          <Notice title="No endpoint of yours is registered">
            <p>Endpoints appear when you register webhooks with tasks and media buys.</p>
          </Notice>
        }
      />
    </>
  )
}
