// Received webhooks, newest first, and the dead letters among them.

import type { ReceivedItem, ReceivedQuery } from '../../../src/console/api/received.ts'
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
import { RECEIVED_WORDS, sentence, spaced, withoutScheme } from '../words.ts'

const STATES = [
  ['', 'All states'],
  ['dead', 'Dead letters'],
  ['pending', 'Waiting'],
  ['leased', 'Applying'],
  ['applied', 'Applied'],
  ['stale', 'Superseded'],
] as const

const COLUMNS: readonly Column<ReceivedItem>[] = [
  { name: 'State', width: 6, cell: (row) => <WordBadge word={RECEIVED_WORDS[row.state]} /> },
  {
    name: 'Message',
    cell: (row) => (
      <>
        <a class="open line" href={hrefOf(`/received/${row.message_id}`)}>
          {spaced(row.status ?? row.family)} · {withoutScheme(row.sender)}
        </a>
        {row.reason !== undefined && row.state !== 'applied' ? (
          <span class={row.state === 'dead' ? 'sub bad' : 'sub'} title={row.reason}>
            {sentence(row.reason)}
          </span>
        ) : (
          <span class="sub">{row.task_id ?? row.idempotency_key}</span>
        )}
      </>
    ),
  },
  {
    name: 'Operation',
    width: 8,
    from: 'large',
    cell: (row) => <code class="line soft">{row.operation_id ?? '–'}</code>,
  },
  {
    name: 'Attempts',
    width: 4,
    from: 'medium',
    right: true,
    cell: (row) => row.attempts.toLocaleString(),
  },
  {
    name: 'Received',
    width: 5,
    from: 'medium',
    cell: (row) => <Time at={row.received_at} as="ago" />,
  },
]

const NAMES: readonly string[] = ['q', 'state', 'sender', 'task_id', 'operation_id', 'cursor']

export function View() {
  const requested: Partial<ReceivedQuery> = filtersOf(NAMES)
  const since = sinceOf(query.value.get('since'))
  const filters = since === undefined ? requested : { ...requested, since }
  const list = useData('GET /received', { query: filters }, ['received'])
  return (
    <>
      <ViewHead title="Received" />
      <Filters>
        <Search label="Sender, task, operation, key or number" />
        <Choice label="State" name="state" options={STATES} />
        <Choice label="Received" name="since" options={SINCE_CHOICES} />
        <Chips names={{ sender: 'Sender', task_id: 'Task', operation_id: 'Operation' }} />
      </Filters>
      <ListView
        list={list}
        what="messages"
        caption="Received messages, newest first"
        columns={COLUMNS}
        keyOf={(row) => row.message_id}
        hint="Ids and senders must match exactly."
        nothing={
          <Notice title="Nothing was received">
            <p>
              Webhooks that <code>adwire receive</code> receives appear here if it stores them in
              this server's database.
            </p>
          </Notice>
        }
      />
    </>
  )
}
