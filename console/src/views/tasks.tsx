// Tasks that outlive a call, the newest first.

import type { TaskItem, TasksQuery } from '../../../src/console/api/tasks.ts'
import { useData } from '../api/use-data.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Chips, Choice, Filters, Search } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { hrefOf, query } from '../router.ts'
import { SINCE_CHOICES, sinceOf } from '../since.ts'
import { TASK_WORDS, titled } from '../words.ts'

const STATUSES = [
  ['', 'All statuses'],
  ['open', 'Not ended'],
  ...Object.entries(TASK_WORDS).map(([status, { text }]) => [status, text] as const),
] as const

const COLUMNS: readonly Column<TaskItem>[] = [
  { name: 'Status', width: 6, cell: (row) => <WordBadge word={TASK_WORDS[row.status]} /> },
  {
    name: 'Task',
    cell: (row) => (
      <>
        <a class="open line" href={hrefOf(`/tasks/${encodeURIComponent(row.task_id)}`)}>
          {titled(row.task_type)}
        </a>
        <span class="sub" title={row.message}>
          {row.principal_name ?? row.principal_id}
          {row.message !== undefined && ` · ${row.message}`}
        </span>
      </>
    ),
  },
  {
    name: 'Task id',
    width: 9,
    from: 'large',
    cell: (row) => <code class="line soft">{row.task_id}</code>,
  },
  {
    name: 'Progress',
    width: 5,
    from: 'medium',
    cell: ({ progress_percent }) =>
      progress_percent === undefined ? (
        <span class="faint">–</span>
      ) : (
        <>
          <span class="line number">{Math.round(progress_percent)} %</span>
          <progress class="meter" max={100} value={progress_percent} aria-label="Progress" />
        </>
      ),
  },
  {
    name: 'Created',
    width: 5,
    from: 'medium',
    cell: (row) => <Time at={row.created_at} as="ago" />,
  },
]

export function View() {
  const requested: Partial<TasksQuery> = filtersOf(NAMES)
  const since = sinceOf(query.value.get('since'))
  const filters = since === undefined ? requested : { ...requested, since }
  const list = useData('GET /tasks', { query: filters }, ['tasks'])
  return (
    <>
      <ViewHead title="Tasks" />
      <Filters>
        <Search label="Task id" />
        <Choice label="Status" name="status" options={STATUSES} />
        <Choice label="Created" name="since" options={SINCE_CHOICES} />
        <Chips names={{ task_type: 'Type', principal_id: 'Principal' }} />
      </Filters>
      <ListView
        list={list}
        what="tasks"
        caption="Tasks, the newest first"
        columns={COLUMNS}
        keyOf={(row) => row.task_id}
        hint="Ids must match exactly."
        nothing={
          <Notice title="No task yet">
            <p>Long-running calls appear here, with their progress and result.</p>
          </Notice>
        }
      />
    </>
  )
}

const NAMES: readonly string[] = ['q', 'status', 'task_type', 'principal_id', 'cursor']
