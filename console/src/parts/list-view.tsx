// The body of a list view: loading, error, empty or rows, and its pages.

import type { ComponentChildren } from 'preact'
import type { Counted, UnreadableRow } from '../../../src/console/api/common.ts'
import type { Loaded } from '../api/use-data.ts'
import { changeQuery, query } from '../router.ts'
import { FaultBanner, FaultNotice, Notice } from './notice.tsx'
import { Pager } from './pager.tsx'
import { type Column, Table } from './table.tsx'

interface Page<Row> {
  items: Row[]
  next_cursor?: string | undefined
  total?: Counted | undefined
  unreadable?: readonly UnreadableRow[] | undefined
}

interface Props<Row> {
  list: Loaded<Page<Row>>
  /** `deliveries`. */
  what: string
  caption: string
  columns: readonly Column<Row>[]
  keyOf(row: Row): string | number
  /** When there is none at all. */
  nothing: ComponentChildren
  /** What to display if the filters match nothing. */
  hint?: string
}

export function ListView<Row>({ list, what, caption, columns, keyOf, nothing, hint }: Props<Row>) {
  const { value, fault, refresh, isLoading } = list
  if (fault && !value) return <FaultNotice fault={fault} retry={refresh} />
  const isFiltered = [...query.value.keys()].some((name) => name !== 'cursor')
  return (
    <>
      <FaultBanner fault={fault} retry={refresh} />
      <Table
        caption={caption}
        columns={columns}
        rows={value?.items}
        keyOf={keyOf}
        isBusy={isLoading}
        empty={isFiltered ? <NothingFound what={what} hint={hint} /> : nothing}
      />
      <Unreadable rows={value?.unreadable ?? []} />
      <Pager page={value} what={what} />
    </>
  )
}

/** Existing rows that do not fit the schema, such as those of an older version. */
function Unreadable({ rows }: { rows: readonly UnreadableRow[] }) {
  if (rows.length === 0) return null
  return (
    <Notice title={`${rows.length} of this page cannot be displayed`} compact>
      <ul>
        {rows.map(({ id, reason }) => (
          <li key={id} class="wrap-anywhere">
            {id}: {reason}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function NothingFound({ what, hint }: { what: string; hint: string | undefined }) {
  const clear = () => {
    changeQuery(Object.fromEntries([...query.value.keys()].map((name) => [name, undefined])))
  }
  return (
    <Notice title={`No ${what} fit these filters`}>
      {hint !== undefined && <p>{hint}</p>}
      <div class="row">
        <button type="button" class="button" onClick={clear}>
          Show all {what}
        </button>
      </div>
    </Notice>
  )
}

/** The members of the address's query with these names, which are sent to the server. */
export function filtersOf<Name extends string>(names: readonly Name[]): { [N in Name]?: string } {
  const found: { [N in Name]?: string } = {}
  for (const name of names) {
    const value = query.value.get(name)
    if (value) found[name] = value
  }
  return found
}
