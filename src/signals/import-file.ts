// Imports a whole file into the catalogue, or reports what it would do: collects what `import-signals.ts` reports on
// the way, in an amount that a person can read.

import { createHash } from 'node:crypto'
import type { CatalogueChange } from './catalogue-changes.ts'
import type { FileFormat } from './files/file-formats.ts'
import { signalRows } from './files/signal-rows.ts'
import { type ImportPorts, type ImportTotals, importSignals } from './import-signals.ts'
import type { RowFault } from './read-signal.ts'

export interface FileToImport {
  bytes: Uint8Array
  format: FileFormat
  /** Whether signals that are missing in the file are removed. */
  isReplacing: boolean
  /** Whether this is a dry run. */
  isDry: boolean
  /** The digest of the file that was checked before; a different file is not imported. */
  digest?: string | undefined
}

export interface ImportReport {
  totals: ImportTotals
  /** SHA-256 of the bytes, base64url. */
  digest: string
  /** The first rows that were skipped, and why; `totals.bad` is their total number. */
  faults: { row: string; faults: RowFault[] }[]
  /** The first values that were interpreted differently from what the file says. */
  warnings: { row: string; message: string }[]
  warningCount: number
  /** For a dry run: the first of the changes it would make. */
  changes: ImportChange[]
}

interface ImportChange {
  id: string
  outcome: CatalogueChange['outcome']
  row?: string
  /** Those that differ. */
  members?: string[]
}

export interface ImportProgress {
  rows: number
  /** Of the file, so far. */
  bytes: number
}

const MAX_FAULTY_ROWS = 1_000
const MAX_FAULTS_OF_ROW = 10
const MAX_WARNINGS = 100
const MAX_CHANGES = 200
const MAX_CHARS = 500
/** Read in one go; other work can run between two of these. */
const CHUNK_BYTES = 64 * 1024

export async function importFile(
  ports: ImportPorts,
  file: FileToImport,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportReport> {
  const digest = createHash('sha256').update(file.bytes).digest('base64url')
  const report: ImportReport = {
    totals: { ...NOTHING },
    digest,
    faults: [],
    warnings: [],
    warningCount: 0,
    changes: [],
  }
  if (file.digest !== undefined && file.digest !== digest) {
    const stopped = 'this is not the file that was checked: check it again'
    return { ...report, totals: { ...NOTHING, stopped } }
  }
  let read = 0
  let rows = 0
  const texts = textsOf(file.bytes, (bytes) => {
    read = bytes
    onProgress({ rows, bytes: read })
  })
  report.totals = await importSignals(ports, counted(signalRows(file.format, texts)), {
    isReplacing: file.isReplacing,
    onBadRow: (row, faults) => {
      if (report.faults.length >= MAX_FAULTY_ROWS) return
      report.faults.push({ row, faults: faults.slice(0, MAX_FAULTS_OF_ROW).map(shortened) })
    },
    onWarning: (row, message) => {
      report.warningCount++
      if (report.warnings.length >= MAX_WARNINGS) return
      report.warnings.push({ row, message: message.slice(0, MAX_CHARS) })
    },
    ...(file.isDry ? { onlyReport: (change: CatalogueChange) => note(report, change) } : {}),
  })
  return report

  async function* counted<T>(all: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const one of all) {
      rows++
      yield one
    }
  }
}

const NOTHING: ImportTotals = {
  rows: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  bad: 0,
  repeated: 0,
  removed: 0,
}

/** Bytes that are not UTF-8 become replacement characters, which the rows report. */
async function* textsOf(
  bytes: Uint8Array,
  onRead: (bytes: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    await new Promise((resolve) => setImmediate(resolve))
    const end = Math.min(at + CHUNK_BYTES, bytes.length)
    yield decoder.decode(bytes.subarray(at, end), { stream: true })
    onRead(end)
  }
  yield decoder.decode()
}

function shortened({ pointer, message }: RowFault): RowFault {
  return { pointer: pointer.slice(0, MAX_CHARS), message: message.slice(0, MAX_CHARS) }
}

function note({ changes }: ImportReport, change: CatalogueChange): void {
  if (changes.length >= MAX_CHANGES) return
  const { id, outcome } = change
  changes.push({
    id,
    outcome,
    ...(outcome === 'removed' ? {} : { row: change.row }),
    ...(outcome === 'changed' && change.members ? { members: [...change.members] } : {}),
  })
}
