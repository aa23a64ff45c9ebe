// The libraries of creatives of all principals, the newest first.

import type { LibraryItem, LibraryQuery } from '../../../src/console/api/studio.ts'
import { useData } from '../api/use-data.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Chips, Choice, Filters, Search } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { hrefOf } from '../router.ts'
import { StudioTabs } from '../studio/studio-tabs.tsx'
import { CREATIVE_WORDS } from '../words.ts'

const STATUSES = [
  ['', 'All statuses'],
  ...Object.entries(CREATIVE_WORDS).map(([status, { text }]) => [status, text] as const),
] as const

const COLUMNS: readonly Column<LibraryItem>[] = [
  { name: 'Status', width: 6, cell: (row) => <WordBadge word={CREATIVE_WORDS[row.status]} /> },
  {
    name: 'Creative',
    cell: (row) => (
      <>
        <a
          class="open line"
          href={hrefOf(`/studio/library/${encodeURIComponent(row.library_id)}`)}
          title={row.name}
        >
          {row.name}
        </a>
        <span class="sub" title={row.creative_id}>
          {row.creative_id} · {row.principal_name ?? row.principal_id}
        </span>
      </>
    ),
  },
  {
    name: 'Format',
    width: 9,
    from: 'medium',
    cell: (row) => <code class="line soft">{row.format}</code>,
  },
  {
    name: 'Packages',
    width: 4,
    from: 'large',
    right: true,
    cell: (row) => row.assignment_count.toLocaleString(),
  },
  {
    name: 'Synced',
    width: 5,
    from: 'medium',
    cell: (row) => <Time at={row.created_at} as="ago" />,
  },
]

const NAMES: readonly string[] = ['q', 'status', 'format', 'principal_id', 'cursor']

export function View() {
  const query: Partial<LibraryQuery> = filtersOf(NAMES)
  const list = useData('GET /studio/library', { query }, ['creatives'])
  return (
    <>
      <ViewHead
        title="Library"
        within={{ title: 'Creative studio', path: '/studio' }}
        actions={<StudioTabs />}
      />
      <Filters>
        <Search label="Part of a name, or an id" />
        <Choice label="Status" name="status" options={STATUSES} />
        <Chips names={{ format: 'Format', principal_id: 'Principal' }} />
      </Filters>
      <ListView
        list={list}
        what="creatives"
        caption="Creatives of all principals, the newest first"
        columns={COLUMNS}
        keyOf={(row) => row.library_id}
        hint="Each page searches 2,000 creatives: the next page may have more."
        nothing={
          <Notice title="The library is empty">
            <p>Creatives appear when a buyer syncs them, or when you save one in the studio.</p>
            <div class="row">
              <a class="button" href={hrefOf('/studio')}>
                Choose a format
              </a>
            </div>
          </Notice>
        }
      />
    </>
  )
}
