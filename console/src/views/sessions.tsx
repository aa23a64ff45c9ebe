// Sessions: who is signed in to the console, since when, and from where. For admins, who can end them.

import type { SessionItem, SessionsQuery } from '../../../src/console/api/sessions.ts'
import { api } from '../api/client.ts'
import { useData } from '../api/use-data.ts'
import { Action } from '../parts/action.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { hrefOf } from '../router.ts'

const HOW = { key: 'key', provider: 'identity provider' } as const

const COLUMNS: readonly Column<SessionItem>[] = [
  {
    name: 'Who',
    cell: (row) => (
      <>
        <a class="open line" href={hrefOf(`/principals/${encodeURIComponent(row.principal_id)}`)}>
          {row.principal_name}
        </a>
        <span class="sub">
          {row.is_own ? 'this session, ' : ''}
          {HOW[row.how]}
          {row.roles ? `: ${row.roles.join(', ')}` : ''}
        </span>
      </>
    ),
  },
  {
    name: 'From',
    width: 8,
    from: 'medium',
    cell: (row) => <span class="line">{row.address ?? '–'}</span>,
  },
  { name: 'Since', width: 7, from: 'medium', cell: (row) => <Time at={row.created_at} /> },
  { name: 'Last request', width: 7, cell: (row) => <Time at={row.seen_at} as="ago" /> },
]

export function View() {
  const query: Partial<SessionsQuery> = filtersOf(['cursor'] as readonly string[])
  const list = useData('GET /sessions', { query }, ['audit'])
  const ending: Column<SessionItem> = {
    name: 'End',
    width: 5,
    cell: (row) => (
      <Action
        needs="admin"
        label="End"
        kind="danger"
        small
        unless={row.is_own ? 'This is your own session: sign out instead.' : undefined}
        run={() =>
          api('POST /sessions/:session_id/end', { params: { session_id: row.session_id } })
        }
        done="Ended. The next request of this session is refused."
        onDone={list.refresh}
        confirm={{
          title: `End the session of ${row.principal_name}?`,
          body: <p>They can sign in again, unless their key or group was removed.</p>,
        }}
      />
    ),
  }
  return (
    <>
      <ViewHead title="Sessions" />
      <ListView
        list={list}
        what="sessions"
        caption="Sessions, the newest first"
        columns={[...COLUMNS, ending]}
        keyOf={(row) => row.session_id}
        nothing={
          <Notice title="No sessions">
            <p>Everybody who is signed in to the console is listed here.</p>
          </Notice>
        }
      />
    </>
  )
}
