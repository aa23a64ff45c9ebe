// One agent in the registry: which publishers name it, on what evidence, and for how much of their inventory.

import { useSignal } from '@preact/signals'
import type { ConsoleAgentPage } from '../../../src/console/api/registry-network.ts'
import { useData } from '../api/use-data.ts'
import { Badge, WordBadge } from '../parts/badge.tsx'
import { Id } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { AUTHORIZATION_WORDS, discoveryText } from '../registry-words.ts'
import { changeQuery, hrefOf, query } from '../router.ts'
import { RegistryPlaces } from './registry-places.tsx'

type Row = ConsoleAgentPage['items'][number]

const COLUMNS: readonly Column<Row>[] = [
  { name: 'State', width: 6, cell: (row) => <WordBadge word={AUTHORIZATION_WORDS[row.status]} /> },
  {
    name: 'Publisher',
    cell: (row) => (
      <>
        <a class="open line" href={hrefOf(`/registry/${encodeURIComponent(row.publisher_domain)}`)}>
          {row.publisher_domain}
        </a>
        <span class="sub">{discoveryText(row)}</span>
      </>
    ),
  },
  {
    name: 'Properties',
    width: 6,
    right: true,
    cell: ({ properties_authorized: some, properties_total: all }) =>
      `${some.toLocaleString()} of ${all.toLocaleString()}`,
  },
  {
    name: 'Keys',
    width: 5,
    from: 'large',
    cell: ({ is_pinned }) => is_pinned && <Badge tone="info">pinned</Badge>,
  },
  { name: 'Read', width: 5, from: 'medium', cell: (row) => <Time at={row.verified_at} as="ago" /> },
]

export function View() {
  const agentUrl = query.value.get('agent_url') ?? ''
  return (
    <>
      <ViewHead
        title="Agent"
        within={{ title: 'Registry', path: '/registry' }}
        about="Publishers that name an agent. For discovery: the publisher’s file stays the authority."
        actions={<RegistryPlaces />}
      />
      <AgentForm agentUrl={agentUrl} key={agentUrl} />
      {agentUrl === '' ? (
        <Notice title="Which agent?">
          <p>Enter its URL as publishers write it.</p>
        </Notice>
      ) : (
        <Publishers />
      )}
    </>
  )
}

function AgentForm({ agentUrl }: { agentUrl: string }) {
  const text = useSignal(agentUrl)
  return (
    <form
      class="lookup"
      onSubmit={(event) => {
        event.preventDefault()
        changeQuery({ agent_url: text.value.trim(), cursor: undefined })
      }}
    >
      <Field
        label="URL of an agent"
        value={text}
        placeholder="https://ads.example/mcp"
        maxLength={2_048}
      />
      <button type="submit" class="button">
        Look up
      </button>
    </form>
  )
}

function Publishers() {
  const requested = filtersOf(['agent_url', 'cursor'] as readonly string[]) as { agent_url: string }
  const list = useData('GET /registry/agent', { query: requested }, ['registry'])
  const url = list.value?.agent_url
  return (
    <>
      {url !== undefined && (
        <div class="row wrap between">
          <Id text={url} what="URL of the agent" wraps />
          <a href={hrefOf(`/registry/network?of=${encodeURIComponent(url)}`)}>
            Health of its network
          </a>
        </div>
      )}
      <ListView
        list={list}
        what="publishers"
        caption="Publishers that name the agent"
        columns={COLUMNS}
        keyOf={(row) => row.publisher_domain}
        nothing={
          <Notice title="No publisher names this agent">
            <p>Nothing that was crawled so far names it.</p>
          </Notice>
        }
      />
    </>
  )
}
