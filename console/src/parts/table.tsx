// A list as a table with fixed columns: while loading, it has the height of the expected content.

import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  name: string
  /** The width in steps of the style sheet; the columns without share the rest. */
  width?: 3 | 4 | 5 | 6 | 7 | 8 | 9
  /** Hidden on narrower screens; its content must then appear elsewhere or be dispensable. */
  from?: 'medium' | 'large'
  right?: boolean
  cell(row: Row): ComponentChildren
}

interface TableProps<Row> {
  /** A description of the list, for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  /** Undefined while the first page is loading. */
  rows: readonly Row[] | undefined
  keyOf(row: Row): string | number
  /** Displayed in place of rows if there are none. */
  empty: ComponentChildren
  isBusy?: boolean
  dense?: boolean
  skeletonRows?: number
}

export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  empty,
  isBusy = false,
  dense = false,
  skeletonRows = 8,
}: TableProps<Row>) {
  if (rows?.length === 0) return <div class="table-frame">{empty}</div>
  const classes = columns.map(({ width, from, right }) =>
    [width && `w-${width}`, from && `from-${from}`, right && 'right'].filter(Boolean).join(' '),
  )
  return (
    <div class="table-frame">
      <table class={dense ? 'table dense' : 'table'} aria-busy={isBusy || rows === undefined}>
        <caption class="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name }, index) => (
              <th key={name} scope="col" class={classes[index]}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            ? rows.map((row) => (
                <tr key={keyOf(row)}>
                  {columns.map(({ name, cell }, index) => (
                    <td key={name} class={classes[index]}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))
            : skeletons(skeletonRows).map((row) => (
                <tr key={row}>
                  {columns.map(({ name }, index) => (
                    <td key={name} class={classes[index]}>
                      <span class={index % 2 === 0 ? 'skeleton' : 'skeleton short'} />
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  )
}

function skeletons(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
