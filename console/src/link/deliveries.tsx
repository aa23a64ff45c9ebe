// A buyer's own deliveries.

import type { DeliveriesQuery, DeliveryItem } from '../../../src/console/api/deliveries.ts'
import { DELIVERY_COLUMNS } from '../parts/delivery-columns.tsx'
import { Chips, Choice, Filters, Search } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import type { Column } from '../parts/table.tsx'
import { hrefOf, query } from '../router.ts'
import { SINCE_CHOICES, sinceOf } from '../since.ts'
import { sentence, withoutScheme } from '../words.ts'
import { useLinkData } from './use-link-data.ts'

const STATUSES = [
  ['', 'All states'],
  ['failed', 'Failed'],
  ['waiting', 'Not ended'],
  ['delivered', 'Delivered'],
] as const

const NAMES: readonly string[] = ['q', 'status', 'cursor', 'endpoint', 'media_buy_id']

/** The same as an operator sees, except for the target of a row's link. */
const COLUMNS: readonly Column<DeliveryItem>[] = DELIVERY_COLUMNS.map((column) =>
  column.name === 'Delivery' ? { ...column, cell: (row) => <What row={row} /> } : column,
)

function What({ row }: { row: DeliveryItem }) {
  return (
    <>
      <a class="open line" href={hrefOf(`/link/deliveries/${row.delivery_id}`)}>
        {withoutScheme(row.url)}
      </a>
      {row.fault && (
        <span class="sub bad" title={row.fault.message}>
          {sentence(row.fault.message)}
        </span>
      )}
    </>
  )
}

export function LinkDeliveries() {
  const requested: Partial<DeliveriesQuery> = filtersOf(NAMES)
  const since = sinceOf(query.value.get('since'))
  const list = useLinkData('GET /link/deliveries', {
    query: since === undefined ? requested : { ...requested, since },
  })
  return (
    <>
      <ViewHead title="Deliveries" about="What was sent to you, the newest first." />
      <Filters>
        <Search label="URL, task, operation, buy or number" />
        <Choice label="State" name="status" options={STATUSES} />
        <Choice label="Created" name="since" options={SINCE_CHOICES} />
        <Chips names={{ endpoint: 'URL', media_buy_id: 'Media buy' }} />
      </Filters>
      <ListView
        list={list}
        what="deliveries"
        caption="Deliveries, the newest first"
        columns={COLUMNS}
        keyOf={(row) => row.delivery_id}
        hint="Ids and URLs must match exactly."
        nothing={
          <Notice title="No webhook has been sent to you yet">
            <p>One appears here as soon as a task or a media buy of yours has an update.</p>
          </Notice>
        }
      />
    </>
  )
}
