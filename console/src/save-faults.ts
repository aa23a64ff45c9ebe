// Makes the browser save the errors of an import.

import type { SignalImportReport } from '../../src/console/api/signal-imports.ts'
import { faultLines } from './fault-file.ts'

export function saveFaults(
  fileName: string,
  faults: SignalImportReport['faults'],
  fieldOf: (pointer: string) => string,
): void {
  const url = URL.createObjectURL(
    new Blob([faultLines(faults, fieldOf)], { type: 'text/csv;charset=utf-8' }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = `${fileName.replace(/\.\w+$/, '')}-faults.csv`
  link.click()
  URL.revokeObjectURL(url)
}
