// Imports a file of signals from the console into the catalogue: the file is checked, then imported exactly as
// checked. The audit entry of an import is written when it starts, since its batches commit one by one.

import { StorageUnavailable, type Transaction } from '../lib/transaction.ts'
import type { FileToImport, ImportProgress, ImportReport } from '../signals/import-file.ts'
import type { SignalImportQuery, SignalImportReport } from './api/signal-imports.ts'
import type { ActionPorts } from './audit.ts'
import type { Visitor } from './sessions.ts'

export interface SignalImportPorts extends ActionPorts {
  /** Rejects when it is aborted; what was committed by then stays. */
  run: (
    file: FileToImport,
    onProgress: (progress: ImportProgress) => void,
    abort: AbortSignal,
  ) => Promise<ImportReport>
}

export interface SentFile {
  requested: SignalImportQuery
  bytes: Uint8Array
  onProgress: (progress: ImportProgress) => void
  abort: AbortSignal
}

export async function importSent(
  ports: SignalImportPorts,
  visitor: Visitor,
  { requested, bytes, onProgress, abort }: SentFile,
): Promise<SignalImportReport> {
  const { mode, format, replace: isReplacing, digest } = requested
  const isDry = mode === 'check'
  const size = bytes.length
  const run = () => ports.run({ bytes, format, isReplacing, isDry, digest }, onProgress, abort)
  if (isDry) return serializeReport(mode, await run())

  const how = isReplacing ? ', in place of the whole catalogue' : ''
  const note = (outcome: 'done' | 'refused', detail: string) =>
    addEntry(ports, visitor, { target: requested.name, outcome, detail })
  await note('done', `begun: ${size} bytes${how}`)
  try {
    const report = await run()
    const { stopped } = report.totals
    const reported = stopped === undefined ? summary(report) : `${summary(report)}; ${stopped}`
    await note(stopped === undefined ? 'done' : 'refused', reported)
    return serializeReport(mode, report)
  } catch (error) {
    const why = abort.aborted ? 'it was cancelled' : faultOf(error)
    await note('refused', `stopped early, rows already imported stay: ${why}`)
    throw error
  }
}

function faultOf(error: unknown): string {
  if (error instanceof StorageUnavailable) return 'the database was unavailable'
  return 'an internal error'
}

async function addEntry(
  { transact, audit }: SignalImportPorts,
  { principal }: Visitor,
  entry: { target: string; outcome: 'done' | 'refused'; detail: string },
): Promise<void> {
  await transact((tx: Transaction) =>
    audit.add(tx, {
      principal_id: principal.principal_id,
      principal_name: principal.name,
      action: 'signals.import',
      ...entry,
    }),
  )
}

function summary({ totals }: ImportReport): string {
  const { added, changed, unchanged, removed, bad } = totals
  return `${added} added, ${changed} changed, ${unchanged} unchanged, ${removed} removed, ${bad} bad`
}

function serializeReport(
  mode: SignalImportQuery['mode'],
  report: ImportReport,
): SignalImportReport {
  const { warningCount, ...rest } = report
  return { mode, warning_count: warningCount, ...rest }
}
