// Overview: shows at a glance whether anything is wrong, where, and since when.

import type { Notice as NoticeItem, Overview } from '../../../src/console/api/overview.ts'
import { useData } from '../api/use-data.ts'
import { Badge, WordBadge } from '../parts/badge.tsx'
import { Chart } from '../parts/chart.tsx'
import { FEW_DELIVERY_COLUMNS } from '../parts/delivery-columns.tsx'
import { FaultBanner, FaultNotice, Notice } from '../parts/notice.tsx'
import { Panel, ViewHead } from '../parts/panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { Table } from '../parts/table.tsx'
import { lasting, Time } from '../parts/time.tsx'
import { changeQuery, hrefOf, query } from '../router.ts'
import { countText, money, sentence, spaced, TASK_WORDS } from '../words.ts'

const RANGES = [
  ['1h', 'hour', '1 h'],
  ['24h', '24 hours', '24 h'],
  ['7d', '7 days', '7 d'],
] as const
type Range = (typeof RANGES)[number][0]

export function View() {
  const chosen = RANGES.find(([value]) => value === query.value.get('range'))
  const range: Range = chosen?.[0] ?? '24h'
  const { value, fault, refresh } = useData('GET /overview', { query: { range } }, [
    'deliveries',
    'endpoints',
    'tasks',
    'approvals',
    'reports',
  ])
  return (
    <>
      <ViewHead title="Overview" actions={<RangeTabs range={range} />} />
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
      {!fault && !value && <Skeletons panels={4} />}
      {value && <Whole overview={value} />}
    </>
  )
}

function RangeTabs({ range }: { range: Range }) {
  return (
    <fieldset class="tabs">
      <legend class="sr-only">Time range</legend>
      {RANGES.map(([value, words, text]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === range}
          title={`The last ${words}`}
          onClick={() => changeQuery({ range: value === '24h' ? undefined : value })}
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}

function Whole({ overview }: { overview: Overview }) {
  return (
    <div class="stack">
      <Verdict notices={overview.notices} />
      <Tiles overview={overview} />
      <div class="columns">
        <Outcomes overview={overview} />
        <Delays overview={overview} />
        <Failures overview={overview} />
        <div class="stack third">
          <Approvals overview={overview} />
          <Tasks overview={overview} />
        </div>
      </div>
    </div>
  )
}

const TOPIC_LINKS: Readonly<Record<NoticeItem['topic'], string>> = {
  deliveries: '/deliveries?status=failed',
  endpoints: '/endpoints?state=troubled',
  reports: '/buys?trouble=late',
  tasks: '/tasks?status=failed',
  approvals: '/approvals',
  received: '/received?state=dead',
}

/** Deliveries that are retried automatically do not count as lost. */
function linkOf({ level, topic }: Pick<NoticeItem, 'level' | 'topic'>): string {
  if (topic === 'deliveries' && level === 'warn') return '/deliveries?status=retrying'
  return topic === 'reports' && level === 'bad' ? '/buys?trouble=given_up' : TOPIC_LINKS[topic]
}

function Verdict({ notices }: { notices: readonly NoticeItem[] }) {
  if (notices.length === 0) {
    return (
      <div class="banner good">
        <b>Everything is healthy.</b>
        <span class="soft">Nothing is late, and nothing has failed permanently.</span>
      </div>
    )
  }
  return (
    <ul class="stack tight attention" aria-label="What needs attention">
      {notices.map(({ level, topic, message, since }) => (
        <li key={topic + message} class={`banner ${level} flush`}>
          <Badge tone={level}>{topic}</Badge>
          <a class="wrap-anywhere plain" href={hrefOf(linkOf({ level, topic }))}>
            {sentence(message)}
          </a>
          {since !== undefined && (
            <span class="faint small push nowrap">
              since <Time at={since} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function Tiles({ overview: { queue, reports, deliveries } }: { overview: Overview }) {
  const totals = totalsOf(deliveries.buckets)
  const ended = totals.delivered + totals.exhausted
  const share = ended === 0 ? undefined : totals.delivered / ended
  return (
    <div class="tiles">
      <Tile
        name="Delivered"
        value={share === undefined ? '–' : `${(share * 100).toFixed(share === 1 ? 0 : 1)} %`}
        note={`${totals.delivered.toLocaleString()} of ${ended.toLocaleString()} ended`}
        to="/deliveries?status=delivered"
      />
      <Tile
        name="Failed permanently"
        value={totals.exhausted.toLocaleString()}
        note={`${totals.cancelled.toLocaleString()} cancelled`}
        tone={totals.exhausted > 0 ? 'bad' : undefined}
        to="/deliveries?status=failed"
      />
      <Tile
        name="In the queue"
        value={(queue.pending + queue.leased).toLocaleString()}
        note={
          queue.oldest_due_ms > 0 ? `oldest due ${lasting(queue.oldest_due_ms)}` : 'nothing overdue'
        }
        to="/deliveries?status=waiting"
      />
      <Tile
        name="Retrying"
        value={queue.retrying.toLocaleString()}
        note={`${queue.held.toLocaleString()} held`}
        tone={queue.retrying > 0 ? 'warn' : undefined}
        to="/deliveries?status=retrying"
      />
      <Tile
        name="Open circuits"
        value={queue.open_circuits.toLocaleString()}
        note={`${queue.paused_endpoints.toLocaleString()} paused`}
        tone={queue.open_circuits > 0 ? 'bad' : undefined}
        to="/endpoints?state=open"
      />
      <Tile
        name="Late reports"
        value={reports.late.toLocaleString()}
        note={`${reports.owed.toLocaleString()} pending, ${reports.given_up.toLocaleString()} failed permanently`}
        tone={reports.late > 0 ? 'warn' : undefined}
        to="/buys?trouble=late"
      />
    </div>
  )
}

interface TileProps {
  name: string
  value: string
  note: string
  tone?: 'bad' | 'warn' | undefined
  to?: string
}

function Tile({ name, value, note, tone, to }: TileProps) {
  const inside = (
    <>
      <span class="name">{name}</span>
      <span class={`value ${tone ?? ''}`}>{value}</span>
      <span class="note">{note}</span>
    </>
  )
  return to === undefined ? (
    <div class="tile">{inside}</div>
  ) : (
    <a class="tile" href={hrefOf(to)}>
      {inside}
    </a>
  )
}

function Outcomes({ overview: { deliveries, range } }: { overview: Overview }) {
  const { buckets } = deliveries
  const totals = totalsOf(buckets)
  const words = RANGES.find(([value]) => value === range)?.[1] ?? range
  return (
    <Panel title="Deliveries by outcome" aside={`the last ${words}`} width="two-thirds">
      <Chart
        label={`Deliveries that finished in the last ${words}: ${totals.delivered} delivered, ${totals.exhausted} failed permanently, ${totals.cancelled} cancelled.`}
        times={buckets.map(({ at }) => Date.parse(at) / 1000)}
        series={[
          { name: 'delivered', tone: 'good', values: buckets.map((one) => one.delivered) },
          { name: 'failed permanently', tone: 'bad', values: buckets.map((one) => one.exhausted) },
          { name: 'cancelled', tone: 'idle', values: buckets.map((one) => one.cancelled) },
        ]}
      />
    </Panel>
  )
}

function Delays({ overview }: { overview: Overview }) {
  const { sampled, p50, p95, p99 } = overview.deliveries.delay_ms
  const worst = p99 ?? 0
  const rows = [
    ['p50', p50],
    ['p95', p95],
    ['p99', p99],
  ] as const
  return (
    <Panel title="Delay" aside={`of the last ${sampled.toLocaleString()} delivered`} width="third">
      {sampled === 0 ? (
        <Notice title="Nothing delivered yet" compact />
      ) : (
        <div class="stack">
          <p class="soft">From the event to the receiver's acknowledgement.</p>
          {rows.map(([name, value = 0]) => (
            <div key={name} class="stack tight">
              <div class="row between">
                <span class="soft">{name}</span>
                <b class="number">{lasting(value)}</b>
              </div>
              <progress
                class="meter"
                aria-label={`${name} of the delay`}
                max={worst || 1}
                value={value}
              />
            </div>
          ))}
        </div>
      )}
    </Panel>
  )
}

function Failures({ overview }: { overview: Overview }) {
  return (
    <Panel
      title="Latest failures"
      aside={<a href={hrefOf('/deliveries?status=failed')}>All that failed</a>}
      width="two-thirds"
      flush
    >
      <Table
        caption="Deliveries that failed last"
        columns={FEW_DELIVERY_COLUMNS}
        rows={overview.latest_failures}
        keyOf={(row) => row.delivery_id}
        empty={
          <Notice title="No failure" compact>
            <p>All finished deliveries were delivered.</p>
          </Notice>
        }
      />
    </Panel>
  )
}

function Approvals({ overview: { approvals } }: { overview: Overview }) {
  return (
    <Panel
      title="Waiting approvals"
      aside={<a href={hrefOf('/approvals')}>{approvals.waiting.toLocaleString()} in all</a>}
    >
      {approvals.oldest.length === 0 ? (
        <p class="faint">No pending approvals.</p>
      ) : (
        <ul class="stack tight">
          {approvals.oldest.map((item) => (
            <li key={item.task_id} class="row between">
              <span class="clip">
                <a href={hrefOf(`/tasks/${encodeURIComponent(item.task_id)}`)}>
                  {spaced(item.task_type)}
                </a>{' '}
                <span class="soft">{item.principal_name ?? item.principal_id}</span>
              </span>
              <span class="number amount">
                {money(item.requested.total_budget, item.requested.currency)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Tasks({ overview: { tasks } }: { overview: Overview }) {
  return (
    <Panel title="Tasks" aside={<a href={hrefOf('/tasks')}>All tasks</a>}>
      {tasks.length === 0 ? (
        <p class="faint">No task is kept.</p>
      ) : (
        <ul class="stack tight">
          {tasks.map(({ status, count }) => (
            <li key={status} class="row between">
              <a href={hrefOf(`/tasks?status=${status}`)}>
                <WordBadge word={TASK_WORDS[status]} />
              </a>
              <span class="number">{countText(count)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function totalsOf(buckets: Overview['deliveries']['buckets']) {
  const totals = { delivered: 0, exhausted: 0, cancelled: 0 }
  for (const bucket of buckets) {
    totals.delivered += bucket.delivered
    totals.exhausted += bucket.exhausted
    totals.cancelled += bucket.cancelled
  }
  return totals
}
