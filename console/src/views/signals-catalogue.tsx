// The catalogue of signals: all signals, found by id or by words, and the import of a file.

import type { SignalItem, SignalsQuery } from '../../../src/console/api/signals.ts'
import { useData } from '../api/use-data.ts'
import { Badge } from '../parts/badge.tsx'
import { Choice, Filters, Search } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import { PlaceCounts } from '../parts/signal-places.tsx'
import { AsPrincipal, useChoices } from '../parts/signal-principals.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { hrefOf, query } from '../router.ts'
import { mayAct } from '../session.ts'
import { priceText } from '../signal-words.ts'
import { ImportFile } from './signal-import.tsx'

const NAMES: readonly string[] = ['q', 'as', 'provider', 'type', 'state', 'cursor']

const TYPES = [
  ['', 'All types'],
  ['marketplace', 'Marketplace'],
  ['custom', 'Custom'],
  ['owned', 'Owned'],
] as const

const STATES = [
  ['', 'Any state'],
  ['live', 'Activated and live'],
  ['activating', 'Activating'],
  ['failed', 'Failed'],
  ['inactive', 'Deactivated'],
] as const

const COLUMNS: readonly Column<SignalItem>[] = [
  {
    name: 'Signal',
    cell: (row) => (
      <>
        <a class="open line" href={signalHref(row.signal_id)}>
          {row.name}
        </a>
        <span class="sub">
          {row.is_private && <Badge tone="warn">private</Badge>} {row.signal_id}
        </span>
      </>
    ),
  },
  {
    name: 'Provider',
    width: 7,
    from: 'medium',
    cell: (row) => (
      <>
        <span class="line">{row.data_provider}</span>
        <span class="sub">{row.signal_type}</span>
      </>
    ),
  },
  {
    name: 'Coverage',
    width: 4,
    from: 'large',
    right: true,
    cell: (row) => `${row.coverage_percentage} %`,
  },
  {
    name: 'Price',
    width: 5,
    from: 'large',
    cell: ({ pricing_options: [first, ...more] }) => (
      <>
        <span class="line">{first && priceText(first)}</span>
        {more.length > 0 && (
          <span class="sub">
            {more.length} other {more.length === 1 ? 'way' : 'ways'} to pay
          </span>
        )}
      </>
    ),
  },
  { name: 'Places', width: 7, cell: (row) => <PlaceCounts places={row.places} /> },
  {
    name: 'Changed',
    width: 5,
    from: 'large',
    cell: (row) => (
      <>
        <span class="line">
          <Time at={row.changed_at} as="ago" />
        </span>
        <span class="sub">version {row.version}</span>
      </>
    ),
  },
]

function signalHref(id: string): string {
  const as = query.value.get('as')
  return hrefOf(`/signals/catalogue/${encodeURIComponent(id)}${as === null ? '' : `?as=${as}`}`)
}

export function View() {
  const requested: Partial<SignalsQuery> = filtersOf(NAMES)
  const list = useData('GET /signals', { query: requested }, ['signals'])
  const { value: choices } = useChoices()
  const providers = choices?.providers ?? []
  return (
    <>
      <ViewHead title="Catalogue of signals" within={{ title: 'Signals', path: '/signals' }} />
      {mayAct() && <ImportFile maxBytes={choices?.max_file_bytes} />}
      <Filters>
        <Search label="Words, or the id of a signal" />
        <Choice
          label="Provider"
          name="provider"
          options={[['', 'All providers'], ...providers.map((name) => [name, name] as const)]}
        />
        <Choice label="Type" name="type" options={TYPES} />
        <Choice label="State" name="state" options={STATES} />
        <AsPrincipal />
      </Filters>
      <ListView
        list={list}
        what="signals"
        caption="Signals of the catalogue"
        columns={COLUMNS}
        keyOf={(row) => row.signal_id}
        nothing={
          <Notice title="The catalogue is empty">
            <p>Drop a file of signals above, or load one with adwire signals import.</p>
          </Notice>
        }
      />
    </>
  )
}
