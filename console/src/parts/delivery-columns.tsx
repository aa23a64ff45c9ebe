// The columns of a list of deliveries, for the list itself and for the parts of other views that show one.

import type { DeliveryItem } from '../../../src/console/api/deliveries.ts'
import { hrefOf } from '../router.ts'
import { deliveryWord, sentence, spaced, titled, withoutScheme } from '../words.ts'
import { WordBadge } from './badge.tsx'
import type { Column } from './table.tsx'
import { Time } from './time.tsx'

const state: Column<DeliveryItem> = {
  name: 'State',
  width: 5,
  cell: (row) => <WordBadge word={deliveryWord(row)} />,
}

const what: Column<DeliveryItem> = {
  name: 'Delivery',
  cell: (row) => (
    <>
      <a class="open line" href={hrefOf(`/deliveries/${row.delivery_id}`)}>
        {withoutScheme(row.url)}
      </a>
      {row.fault ? (
        <span class="sub bad" title={row.fault.message}>
          {sentence(row.fault.message)}
        </span>
      ) : (
        <span class="sub">{row.principal_name ?? row.principal_id}</span>
      )}
    </>
  ),
}

const about: Column<DeliveryItem> = {
  name: 'About',
  width: 7,
  from: 'large',
  cell: (row) => (
    <>
      <span class="line">{spaced(row.notification_type)}</span>
      <span class="sub mono" title={row.subject}>
        {row.subject}
      </span>
    </>
  ),
}

/** Where all go to the same place. */
const reported: Column<DeliveryItem> = {
  name: 'Delivery',
  cell: (row) => (
    <>
      <a class="open line" href={hrefOf(`/deliveries/${row.delivery_id}`)}>
        {titled(row.notification_type)}
      </a>
      <span class={row.fault ? 'sub bad' : 'sub mono'} title={row.fault?.message ?? row.subject}>
        {row.fault ? sentence(row.fault.message) : row.subject}
      </span>
    </>
  ),
}

const attempts: Column<DeliveryItem> = {
  name: 'Attempts',
  width: 4,
  from: 'medium',
  right: true,
  cell: (row) => row.attempts.toLocaleString(),
}

const next: Column<DeliveryItem> = {
  name: 'Next attempt',
  width: 5,
  from: 'medium',
  cell: (row) =>
    row.state === 'held' ? (
      <span class="faint">after a probe</span>
    ) : (
      <Time at={row.next_attempt_at} as="until" />
    ),
}

const created: Column<DeliveryItem> = {
  name: 'Created',
  width: 5,
  from: 'medium',
  cell: (row) => <Time at={row.created_at} as="ago" />,
}

export const DELIVERY_COLUMNS = [state, what, about, attempts, next, created]
/** Where there is less room. */
export const FEW_DELIVERY_COLUMNS = [state, what, attempts, created]
/** For those of one endpoint. */
export const ENDPOINT_DELIVERY_COLUMNS = [state, reported, attempts, created]
