// Deliveries: all webhooks, the newest first, searched and filtered by the server.

import type { DeliveriesQuery } from '../../../src/console/api/deliveries.ts'
import { useData } from '../api/use-data.ts'
import { DELIVERY_COLUMNS } from '../parts/delivery-columns.tsx'
import { Chips, Choice, Filters, Search } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import { query } from '../router.ts'
import { SINCE_CHOICES, sinceOf } from '../since.ts'

const STATUSES = [
  ['', 'All states'],
  ['failed', 'Failed'],
  ['waiting', 'Not ended'],
  ['retrying', 'Retrying'],
  ['held', 'Held'],
  ['delivered', 'Delivered'],
  ['exhausted', 'Failed permanently'],
  ['cancelled', 'Cancelled'],
] as const

/** Filters set by links from other views. */
const FROM_LINKS = {
  endpoint_id: 'Endpoint',
  endpoint: 'URL',
  task_id: 'Task',
  operation_id: 'Operation',
  media_buy_id: 'Media buy',
  principal_id: 'Principal',
  idempotency_key: 'Idempotency key',
}

export function View() {
  const names = ['q', 'status', 'cursor', ...Object.keys(FROM_LINKS)]
  const requested: Partial<DeliveriesQuery> = filtersOf(names)
  const since = sinceOf(query.value.get('since'))
  const filters = since === undefined ? requested : { ...requested, since }
  const list = useData('GET /deliveries', { query: filters }, ['deliveries'])
  return (
    <>
      <ViewHead title="Deliveries" />
      <Filters>
        <Search label="URL, task, operation, buy or number" />
        <Choice label="State" name="status" options={STATUSES} />
        <Choice label="Created" name="since" options={SINCE_CHOICES} />
        <Chips names={FROM_LINKS} />
      </Filters>
      <ListView
        list={list}
        what="deliveries"
        caption="Deliveries, the newest first"
        columns={DELIVERY_COLUMNS}
        keyOf={(row) => row.delivery_id}
        hint="Ids and URLs must match exactly."
        nothing={
          <Notice title="No webhook has been sent yet">
            <p>
              A delivery appears here when a task or a media buy with a registered webhook has an
              update.
            </p>
          </Notice>
        }
      />
    </>
  )
}
