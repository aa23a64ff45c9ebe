// A table for people that fits their terminal: aligned by visible width, with the widest columns cut until the rows
// fit.

import pc from 'picocolors'
import { cutTo, printableText, widthOf } from './printable-text.ts'

/** Columns are not cut below this width. */
const LEAST_COLUMN = 8
const GAP = 2
/** A wider cell is printed in full when nothing is cut, but other rows are not padded to its width. */
const MAX_PADDED = 200

export interface FittedTable {
  header: readonly string[]
  rows: readonly (readonly string[])[]
  /** Indexes of numeric columns, which are right-aligned. */
  right?: ReadonlySet<number>
}

/**
 * The lines of the table. `columns` is the width of the terminal; undefined when there is none, and nothing is cut.
 */
export function fittedLines(
  { header, rows, right = new Set() }: FittedTable,
  columns: number | undefined,
): string[] {
  const returned = rows.map((row) => row.map((cell) => printableText(cell)))
  const natural = header.map((name, column) =>
    returned.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? '')), widthOf(name)),
  )
  const widths = columns === undefined ? natural : narrowed(natural, columns)
  const line = (cells: readonly string[]) =>
    widths
      .map((width, column) => {
        const cell = cutTo(cells[column] ?? '', width)
        const pad = ' '.repeat(Math.max(0, Math.min(width, MAX_PADDED) - widthOf(cell)))
        return right.has(column) ? pad + cell : cell + pad
      })
      .join(' '.repeat(GAP))
      .trimEnd()
  return [pc.bold(line(header)), ...returned.map(line)]
}

/** Narrows the widest column, one by one, until all fit or none can be narrowed further. */
function narrowed(natural: readonly number[], columns: number): number[] {
  const widths = [...natural]
  let over = widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1)) - columns
  while (over > 0) {
    const widest = Math.max(...widths)
    if (widest <= LEAST_COLUMN) return widths
    const at = widths.lastIndexOf(widest)
    const next = Math.max(LEAST_COLUMN, ...widths.filter((width) => width < widest))
    const cut = Math.max(1, Math.min(over, widest - next))
    widths[at] = widest - cut
    over -= cut
  }
  return widths
}
