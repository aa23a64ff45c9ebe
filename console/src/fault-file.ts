// The faults of an import as a CSV file, for the person who fixes the rows.

import type { SignalImportReport } from '../../src/console/api/signal-imports.ts'

type Faults = SignalImportReport['faults']

export function faultLines(faults: Faults, fieldOf: (pointer: string) => string): string {
  const rows = faults.flatMap(({ row, faults: found }) =>
    found.map(({ pointer, message }) => [row, fieldOf(pointer), message]),
  )
  return [['row', 'field', 'fault'], ...rows].map(line).join('')
}

function line(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${harmless(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}

/** Spreadsheet programs treat a cell that begins with these as a formula. */
function harmless(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
}
