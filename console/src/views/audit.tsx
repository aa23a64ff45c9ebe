// The audit log: who did what in the console, and what came of it.

import type { AuditEntry } from '../../../src/console/api/audit.ts'
import { useData } from '../api/use-data.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Chips, Filters, Search } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { AUDIT_WORDS } from '../words.ts'

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'Outcome', width: 5, cell: (row) => <WordBadge word={AUDIT_WORDS[row.outcome]} /> },
  {
    name: 'Action',
    cell: (row) => (
      <>
        <code class="line">{row.action}</code>
        <span class="sub">
          <span class="only-narrow">
            {row.principal_name}, <Time at={row.at} as="ago" />
          </span>
          {row.detail}
        </span>
      </>
    ),
  },
  {
    name: 'Target',
    width: 9,
    from: 'medium',
    cell: (row) =>
      row.target === undefined ? (
        <span class="faint">–</span>
      ) : (
        <code class="line" title={row.target}>
          {row.target}
        </code>
      ),
  },
  {
    name: 'Who',
    width: 8,
    from: 'medium',
    cell: (row) => (
      <span class="line" title={row.principal_id}>
        {row.principal_name}
      </span>
    ),
  },
  { name: 'When', width: 7, from: 'medium', cell: (row) => <Time at={row.at} /> },
]

export function View() {
  const query = filtersOf(['action', 'principal_id', 'cursor'])
  const list = useData('GET /audit', { query }, ['audit'])
  return (
    <>
      <ViewHead title="Audit log" />
      <Filters>
        <Search label="Action, such as deliveries.retry" name="action" />
        <Chips names={{ principal_id: 'Principal' }} />
      </Filters>
      <ListView
        list={list}
        what="entries"
        caption="Audit log, the newest first"
        columns={COLUMNS}
        keyOf={(row) => row.audit_id}
        hint="An action is looked for as it is written."
        nothing={
          <Notice title="Nothing has been done in the console yet">
            <p>Every action is written down here: who, when, what, and what came of it.</p>
          </Notice>
        }
      />
    </>
  )
}
