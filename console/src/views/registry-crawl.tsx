// The crawler: which domains it reads, what it found, and when it reads them again.

import type { ConsoleCrawlQuery, CrawledItem } from '../../../src/console/api/registry-network.ts'
import { useData } from '../api/use-data.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Choice, Filters, Search } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { CRAWL_WORDS, discoveryText } from '../registry-words.ts'
import { hrefOf } from '../router.ts'
import { sentence } from '../words.ts'
import { RegistryPlaces } from './registry-places.tsx'

const NAMES: readonly string[] = ['q', 'status', 'cursor']

const STATUSES = [
  ['', 'All states'],
  ...Object.entries(CRAWL_WORDS).map(([status, { text }]) => [status, text] as const),
] as const

const COLUMNS: readonly Column<CrawledItem>[] = [
  { name: 'State', width: 6, cell: (row) => <WordBadge word={CRAWL_WORDS[row.status]} /> },
  {
    name: 'Domain',
    cell: (row) => (
      <>
        <a class="open line" href={hrefOf(`/registry/${encodeURIComponent(row.domain)}`)}>
          {row.domain}
        </a>
        <span class="sub" title={row.error}>
          {row.error === undefined ? discoveryText(row) : sentence(row.error)}
        </span>
      </>
    ),
  },
  { name: 'Read', width: 5, from: 'medium', cell: (row) => <Time at={row.verified_at} as="ago" /> },
  {
    name: 'Next',
    width: 5,
    from: 'large',
    cell: (row) =>
      row.next_crawl_at === undefined ? (
        'first in line'
      ) : (
        <Time at={row.next_crawl_at} as="until" />
      ),
  },
]

export function View() {
  const requested: Partial<ConsoleCrawlQuery> = filtersOf(NAMES)
  const list = useData('GET /registry/crawl', { query: requested }, ['registry'])
  return (
    <>
      <ViewHead
        title="Crawl"
        within={{ title: 'Registry', path: '/registry' }}
        actions={<RegistryPlaces />}
      />
      <Filters>
        <Search label="Domains that begin with" />
        <Choice label="State" name="status" options={STATUSES} />
      </Filters>
      <ListView
        list={list}
        what="domains"
        caption="Domains that are crawled"
        columns={COLUMNS}
        keyOf={(row) => row.domain}
        hint="Two thousand domains are looked at for each page: further ones may be on the next."
        nothing={
          <Notice title="No domain yet">
            <p>
              Domains are crawled when somebody requests it, or a file that was read names them.
            </p>
          </Notice>
        }
      />
    </>
  )
}
