// Approvals: requests that wait for an operator's decision, oldest first, and past decisions.

import type { ApprovalItem, ApprovalsQuery } from '../../../src/console/api/tasks.ts'
import { useData } from '../api/use-data.ts'
import { DecisionActions } from '../parts/approval.tsx'
import { Choice, Filters } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { hrefOf, query } from '../router.ts'
import { mayAct } from '../session.ts'
import { money, sentence, spaced, titled } from '../words.ts'

const STATES = [
  ['', 'Waiting'],
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
  ['withdrawn', 'Withdrawn'],
] as const

const COLUMNS: readonly Column<ApprovalItem>[] = [
  {
    name: 'Requested',
    cell: (row) => (
      <>
        <a class="open line" href={hrefOf(`/tasks/${encodeURIComponent(row.task_id)}`)}>
          {titled(row.task_type)} · {row.principal_name ?? row.principal_id}
        </a>
        <LastWord approval={row} />
      </>
    ),
  },
  {
    name: 'Budget',
    width: 6,
    right: true,
    cell: ({ requested }) => (
      <b class="line">{money(requested.total_budget, requested.currency)}</b>
    ),
  },
  {
    name: 'Products',
    width: 7,
    from: 'large',
    cell: ({ requested }) => (
      <span class="two-lines" title={requested.product_ids.join(', ')}>
        {requested.product_ids.map(spaced).join(', ')}
      </span>
    ),
  },
  { name: 'Asked', width: 5, from: 'medium', cell: (row) => <Time at={row.created_at} as="ago" /> },
]

/** The last message, or why it waits. */
function LastWord({ approval: { reason, talk } }: { approval: ApprovalItem }) {
  const last = talk.at(-1)
  if (!last) {
    return (
      <span class="sub" title={reason}>
        {sentence(reason)}
      </span>
    )
  }
  const said = last.from === 'seller' ? 'Waiting for the buyer’s answer' : 'The buyer answered'
  return (
    <span class="sub" title={last.text}>
      {said}: {last.text}
    </span>
  )
}

export function View() {
  const requested: Partial<ApprovalsQuery> = filtersOf(['state', 'cursor'] as readonly string[])
  const list = useData('GET /approvals', { query: requested }, ['approvals'])
  const isWaiting = !query.value.has('state')
  const decision: Column<ApprovalItem> = {
    name: 'Decide',
    width: 9,
    from: 'medium',
    cell: (row) => (
      <span class="row">
        <DecisionActions approval={row} onDone={list.refresh} small />
      </span>
    ),
  }
  return (
    <>
      <ViewHead title="Approvals" />
      <Filters>
        <Choice label="State" name="state" options={STATES} />
      </Filters>
      <ListView
        list={list}
        what="approvals"
        caption="Approvals"
        columns={isWaiting && mayAct('approver') ? [...COLUMNS, decision] : COLUMNS}
        keyOf={(row) => row.task_id}
        nothing={
          <Notice title="No pending approvals">
            <p>Media buys that require approval under the seller's rules appear here.</p>
          </Notice>
        }
      />
    </>
  )
}
