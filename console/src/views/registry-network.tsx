// The health of a network: every publisher of a manager, or of an agent, that is stale, missing, contradictory or about to
// expire, with what to change.

import { useSignal } from '@preact/signals'
import type { NetworkFinding } from '../../../src/console/api/registry-network.ts'
import { useData } from '../api/use-data.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Field } from '../parts/field.tsx'
import { Choice, Filters } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { FINDING_WORDS } from '../registry-words.ts'
import { changeQuery, hrefOf, query } from '../router.ts'
import { sentence } from '../words.ts'
import { RegistryPlaces } from './registry-places.tsx'

const NAMES: readonly string[] = ['of', 'kind', 'cursor']

const KINDS = [
  ['', 'All findings'],
  ...Object.entries(FINDING_WORDS).map(([kind, { text }]) => [kind, text] as const),
] as const

const COLUMNS: readonly Column<NetworkFinding>[] = [
  { name: 'Finding', width: 6, cell: (row) => <WordBadge word={FINDING_WORDS[row.kind]} /> },
  {
    name: 'Domain',
    cell: (row) => (
      <>
        <a class="open line" href={hrefOf(`/registry/${encodeURIComponent(row.domain)}`)}>
          {row.domain}
        </a>
        <span class="wrap-anywhere">{sentence(row.message)}</span>
      </>
    ),
  },
  {
    name: 'What to change',
    from: 'medium',
    cell: (row) => <span class="wrap-anywhere">{sentence(row.change)}</span>,
  },
  { name: 'Until', width: 5, from: 'large', cell: (row) => <Time at={row.until} as="until" /> },
]

export function View() {
  const of = query.value.get('of') ?? ''
  return (
    <>
      <ViewHead
        title="Network"
        within={{ title: 'Registry', path: '/registry' }}
        about="Which publishers of a manager, or of an agent, need a change, and which one."
        actions={<RegistryPlaces />}
      />
      <SubjectForm of={of} key={of} />
      {of === '' ? (
        <Notice title="Whose network?">
          <p>Enter the domain of a manager, or the URL of an agent.</p>
        </Notice>
      ) : (
        <Report />
      )}
    </>
  )
}

function SubjectForm({ of }: { of: string }) {
  const text = useSignal(of)
  return (
    <form
      class="lookup"
      onSubmit={(event) => {
        event.preventDefault()
        changeQuery({ of: text.value.trim(), cursor: undefined })
      }}
    >
      <Field
        label="Domain of a manager, or URL of an agent"
        value={text}
        placeholder="manager.example"
        maxLength={2_048}
      />
      <button type="submit" class="button">
        Examine
      </button>
    </form>
  )
}

function Report() {
  const requested = filtersOf(NAMES) as { of: string }
  const list = useData('GET /registry/network', { query: requested }, ['registry'])
  const summary = list.value?.summary
  return (
    <>
      {summary && (
        <Panel title="Publishers" aside={summary.publishers.toLocaleString()}>
          <Facts
            of={[
              ['Healthy', summary.healthy.toLocaleString()],
              ['Stale', summary.stale.toLocaleString()],
              ['Missing', summary.missing.toLocaleString()],
              ['Contradictory', summary.contradictory.toLocaleString()],
              ['About to expire', summary.expiring.toLocaleString()],
            ]}
          />
        </Panel>
      )}
      <Filters>
        <Choice label="Finding" name="kind" options={KINDS} />
      </Filters>
      <ListView
        list={list}
        what="findings"
        caption="Findings, by domain"
        columns={COLUMNS}
        keyOf={(row) => `${row.domain} ${row.code} ${row.agent_url ?? ''}`}
        nothing={
          <Notice title="Nothing to change">
            <p>Every publisher that is known of this network is in order.</p>
          </Notice>
        }
      />
    </>
  )
}
