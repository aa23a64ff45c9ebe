// The registry: which files and agents describe which domains, and how each was verified.

import type { ReferenceItem, ReferencesQuery } from '../../../src/console/api/registry.ts'
import { useData } from '../api/use-data.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Choice, Filters, Search } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { proofText, targetOf, VERIFICATION_WORDS } from '../registry-words.ts'
import { hrefOf } from '../router.ts'
import { withoutScheme } from '../words.ts'
import { LookUp, RegistryPlaces } from './registry-places.tsx'

const NAMES: readonly string[] = ['q', 'status', 'manifest_type', 'cursor']

const STATUSES = [
  ['', 'All states'],
  ...Object.entries(VERIFICATION_WORDS).map(([status, { text }]) => [status, text] as const),
] as const

const TYPES = [
  ['', 'All files'],
  ['brand.json', 'brand.json'],
  ['adagents.json', 'adagents.json'],
] as const

const COLUMNS: readonly Column<ReferenceItem>[] = [
  {
    name: 'State',
    width: 6,
    cell: (row) => <WordBadge word={VERIFICATION_WORDS[row.verification_status]} />,
  },
  {
    name: 'Domain',
    cell: (row) => (
      <>
        <a class="open line" href={hrefOf(`/registry/${encodeURIComponent(row.domain)}`)}>
          {row.domain}
        </a>
        <span class="sub" title={targetOf(row)}>
          {withoutScheme(targetOf(row))}
        </span>
      </>
    ),
  },
  {
    name: 'Describes',
    width: 6,
    from: 'medium',
    cell: (row) => (
      <>
        <span class="line">{row.manifest_type}</span>
        <span class="sub">{row.reference_type === 'agent' ? 'an agent' : 'a file'}</span>
      </>
    ),
  },
  {
    name: 'Vouched for',
    width: 9,
    from: 'large',
    cell: ({ proved_by }) =>
      proved_by === undefined ? (
        <span class="faint">not by the domain</span>
      ) : (
        <span class="line">{proofText(proved_by)}</span>
      ),
  },
  {
    name: 'Verified',
    width: 5,
    from: 'medium',
    cell: (row) => <Time at={row.last_verified_at} as="ago" />,
  },
]

export function View() {
  const requested: Partial<ReferencesQuery> = filtersOf(NAMES)
  const list = useData('GET /registry/references', { query: requested }, ['registry'])
  return (
    <>
      <ViewHead title="Registry" actions={<RegistryPlaces />} />
      <LookUp />
      <Filters>
        <Search label="Domains that begin with" />
        <Choice label="State" name="status" options={STATUSES} />
        <Choice label="File" name="manifest_type" options={TYPES} />
      </Filters>
      <ListView
        list={list}
        what="references"
        caption="References, by domain, best first"
        columns={COLUMNS}
        keyOf={(row) => row.id}
        hint="Each page searches a thousand references: the next page may have more."
        nothing={
          <Notice title="No reference yet">
            <p>References appear when organisations register the file or agent of a domain.</p>
          </Notice>
        }
      />
    </>
  )
}
