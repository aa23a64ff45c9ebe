// The audit log: who did what in the console, and the outcome.

import type { AuditEntry, AuditQuery } from '../../../src/console/api/audit.ts'
import { useData } from '../api/use-data.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Chips, Choice, Filters, Search } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { hrefOf } from '../router.ts'
import { AUDIT_WORDS } from '../words.ts'

const OUTCOMES = [
  ['', 'All outcomes'],
  ['done', 'Done'],
  ['refused', 'Refused'],
] as const

/** Refused attempts of one kind share one entry. */
const timesOf = ({ attempts, last_at }: AuditEntry) =>
  attempts > 1 && last_at !== undefined ? (
    <>
      {' '}
      {attempts.toLocaleString()} attempts, last <Time at={last_at} as="ago" />.
    </>
  ) : null

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'Outcome', width: 5, cell: (row) => <WordBadge word={AUDIT_WORDS[row.outcome]} /> },
  {
    name: 'Action',
    cell: (row) => (
      <>
        <code class="line">{row.action}</code>
        <span class="sub">
          <span class="only-narrow">
            {row.principal_name}
            {row.address === undefined ? null : ` from ${row.address}`},{' '}
            <Time at={row.at} as="ago" />{' '}
          </span>
          {row.detail}
          {timesOf(row)}
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
      <>
        <span class="line" title={row.key_id ?? row.principal_id}>
          {row.principal_name}
        </span>
        {row.address === undefined ? null : (
          <a class="sub" href={hrefOf(`/audit?address=${encodeURIComponent(row.address)}`)}>
            {row.address}
          </a>
        )}
      </>
    ),
  },
  { name: 'When', width: 7, from: 'medium', cell: (row) => <Time at={row.at} /> },
]

const NAMES: readonly string[] = ['action', 'outcome', 'principal_id', 'address', 'cursor']

export function View() {
  const query: Partial<AuditQuery> = filtersOf(NAMES)
  const list = useData('GET /audit', { query }, ['audit'])
  return (
    <>
      <ViewHead title="Audit log" />
      <Filters>
        <Search label="Action, such as deliveries.retry" name="action" />
        <Choice label="Outcome" name="outcome" options={OUTCOMES} />
        <Chips names={{ principal_id: 'Principal', address: 'Address' }} />
      </Filters>
      <ListView
        list={list}
        what="entries"
        caption="Audit log, the newest first"
        columns={COLUMNS}
        keyOf={(row) => row.audit_id}
        hint="Actions must match exactly."
        nothing={
          <Notice title="No console actions yet">
            <p>Every action is listed here: who, when, what, and the outcome.</p>
          </Notice>
        }
      />
    </>
  )
}
