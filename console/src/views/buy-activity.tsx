// The outcome of webhooks about a buy, attempt by attempt: what its buyer sees in get_media_buys.

import type { Buy, BuyActivity } from '../../../src/console/api/buys.ts'
import { useData } from '../api/use-data.ts'
import { WordBadge } from '../parts/badge.tsx'
import { FaultNotice, Notice } from '../parts/notice.tsx'
import { Panel } from '../parts/panel.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { lasting, Time } from '../parts/time.tsx'
import { hrefOf } from '../router.ts'
import { ATTEMPT_WORDS, sentence, spaced, withoutScheme } from '../words.ts'

type Row = BuyActivity['items'][number]

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Attempt', width: 7, cell: (row) => <WordBadge word={ATTEMPT_WORDS[row.status]} /> },
  {
    name: 'Webhook',
    cell: (row) => (
      <>
        <a class="open line" href={hrefOf(`/deliveries/${row.delivery_id}`)}>
          {spaced(row.notification_type)}
          {row.sequence_number !== undefined && ` ${row.sequence_number}`}
          {row.attempt > 1 && `, attempt ${row.attempt}`}
        </a>
        {row.error_message === undefined ? (
          <span class="sub">{withoutScheme(row.url)}</span>
        ) : (
          <span class="sub bad">{sentence(row.error_message)}</span>
        )}
      </>
    ),
  },
  {
    name: 'Answer',
    width: 5,
    from: 'medium',
    right: true,
    cell: (row) => (
      <>
        <span class="line number">{row.http_status_code ?? '–'}</span>
        <span class="sub number">{lasting(row.response_time_ms)}</span>
      </>
    ),
  },
  { name: 'Sent', width: 5, from: 'medium', cell: (row) => <Time at={row.fired_at} as="ago" /> },
]

export function BuyActivityPanel({ buy: { media_buy_id } }: { buy: Buy }) {
  const { value, fault, refresh } = useData(
    'GET /buys/:media_buy_id/activity',
    { params: { media_buy_id } },
    ['deliveries'],
  )
  const all = hrefOf(`/deliveries?${new URLSearchParams({ media_buy_id })}`)
  return (
    <Panel title="Webhook activity" aside={<a href={all}>All deliveries of this buy</a>} flush>
      {fault && !value ? (
        <FaultNotice fault={fault} retry={refresh} />
      ) : (
        <Table
          caption="Notifications to the buyer, newest first"
          columns={COLUMNS}
          rows={value?.items}
          keyOf={(row) => `${row.delivery_id} ${row.attempt}`}
          skeletonRows={4}
          empty={
            <Notice
              title={value?.has_webhook ? 'Nothing was sent yet' : 'No webhook is registered'}
              compact
            />
          }
        />
      )}
    </Panel>
  )
}
