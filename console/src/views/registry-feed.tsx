// The feed of the registry: every change, the newest first.

import type { ConsoleFeedQuery, SerializedFeedEvent } from '../../../src/console/api/registry.ts'
import { useData } from '../api/use-data.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Choice, Filters, Search } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { ENTITY_WORDS, eventWord } from '../registry-words.ts'
import { hrefOf } from '../router.ts'
import { sentence } from '../words.ts'
import { RegistryPlaces } from './registry-places.tsx'

const NAMES: readonly string[] = ['domain', 'about', 'cursor']

const KINDS = [
  ['', 'All changes'],
  ['manifest_ref', 'References'],
  ['agent', 'Agents'],
  ['organization', 'Organisations'],
] as const

const COLUMNS: readonly Column<SerializedFeedEvent>[] = [
  { name: 'Change', width: 6, cell: (row) => <WordBadge word={eventWord(row)} /> },
  {
    name: 'Of',
    cell: (row) => (
      <>
        <Subject row={row} />
        <span class="sub" title={saidOf(row)}>
          {saidOf(row)}
        </span>
      </>
    ),
  },
  {
    name: 'By',
    width: 8,
    from: 'large',
    cell: (row) => <span class="line mono soft">{row.actor}</span>,
  },
  { name: 'When', width: 5, from: 'medium', cell: (row) => <Time at={row.created_at} as="ago" /> },
]

function Subject({ row }: { row: SerializedFeedEvent }) {
  if (row.domain === undefined) return <span class="line">{row.entity_id}</span>
  return (
    <a class="open line" href={hrefOf(`/registry/${encodeURIComponent(row.domain)}`)}>
      {row.domain}
    </a>
  )
}

function saidOf({ entity_type, payload }: SerializedFeedEvent): string {
  const said = payload as Readonly<Record<string, unknown>>
  if (typeof said.reason === 'string') return sentence(said.reason)
  const what = ENTITY_WORDS[entity_type] ?? entity_type
  const reported = [
    what,
    said.manifest_type,
    said.name,
    said.manifest_url,
    said.agent_url,
    said.url,
  ]
  return reported.filter((text) => typeof text === 'string').join(' · ')
}

export function View() {
  const requested: Partial<ConsoleFeedQuery> = filtersOf(NAMES)
  const list = useData('GET /registry/feed', { query: requested }, ['registry'])
  return (
    <>
      <ViewHead
        title="Feed"
        within={{ title: 'Registry', path: '/registry' }}
        actions={<RegistryPlaces />}
      />
      <Filters>
        <Search label="Domain" name="domain" />
        <Choice label="Change" name="about" options={KINDS} />
      </Filters>
      <ListView
        list={list}
        what="changes"
        caption="Changes of the registry, the newest first"
        columns={COLUMNS}
        keyOf={(row) => row.event_id}
        hint="Enter the full domain. Changes are kept for 90 days."
        nothing={
          <Notice title="Nothing has changed yet">
            <p>Every reference, agent and organisation that is added, changed or removed.</p>
          </Notice>
        }
      />
    </>
  )
}
