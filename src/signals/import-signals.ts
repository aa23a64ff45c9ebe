// Imports a file of signals into the catalogue. Each batch is one transaction, so that a crash leaves only complete
// signals; repeating an import finds what it has done and does the rest.

import { BrokenFile } from '../lib/row-files/broken-file.ts'
import type { Transact } from '../lib/transaction.ts'
import {
  type CatalogueChange,
  committing,
  type GoodRow,
  lookingOnly,
  type Writing,
} from './catalogue-changes.ts'
import type { RowName, SignalRow } from './files/signal-rows.ts'
import type { RowFault } from './read-signal.ts'
import type { SignalStore } from './store.ts'

export interface ImportPorts {
  transact: Transact
  signals: SignalStore
}

export interface ImportOptions {
  /** Whether the file is the complete catalogue: signals missing in it are removed. Default false. */
  isReplacing?: boolean
  /** Called for every row that was skipped, with the reason. */
  onBadRow: (row: RowName, faults: readonly RowFault[]) => void
  /** Receives values that were interpreted differently from what the file says. */
  onWarning?: (row: RowName, message: string) => void
  /** Called after each commit. */
  onProgress?: () => void
  /** Called for each change instead of making it: the catalogue is not modified. */
  onlyReport?: (change: CatalogueChange) => void
  /** Rows per transaction. Default 500: other writers wait no longer than that takes. */
  batchSize?: number
}

export interface ImportTotals {
  rows: number
  added: number
  changed: number
  unchanged: number
  bad: number
  /** Rows with a signal that appears again further down: the last one counts. */
  repeated: number
  /** Signals that are missing in the file. */
  removed: number
  /** Why nothing was removed, or why the rest of the file was not read; absent if there was no problem. */
  stopped?: string
}

export async function importSignals(
  ports: ImportPorts,
  rows: AsyncIterable<SignalRow>,
  options: ImportOptions,
): Promise<ImportTotals> {
  const totals: ImportTotals = {
    rows: 0,
    added: 0,
    changed: 0,
    unchanged: 0,
    bad: 0,
    repeated: 0,
    removed: 0,
  }
  const named = new Map<string, RowName>()
  const { onlyReport } = options
  const writing = onlyReport ? lookingOnly(ports.signals, onlyReport) : committing(ports)
  const broken = await putAll(writing, rows, { ...options, named, totals })
  if (broken !== undefined) totals.stopped = broken
  if (!options.isReplacing) return totals

  if (broken === undefined && totals.rows === totals.bad) {
    const why = totals.rows === 0 ? 'the file has no rows' : 'no row of the file is valid'
    totals.stopped = `${why}: the catalogue was not changed`
  }
  // A file that could not be read completely, or that has no valid row, does not represent a catalogue.
  if (totals.stopped === undefined) {
    await removeOthers({ ...ports, writing }, named, { ...options, totals })
  }
  return totals
}

interface Putting extends ImportOptions {
  /** The ids in the file, including those of bad rows, with the last row of each. */
  named: Map<string, RowName>
  totals: ImportTotals
}

/** Imports the valid rows. Returns why it could not read to the end, if so. */
async function putAll(
  writing: Writing,
  rows: AsyncIterable<SignalRow>,
  { named, totals, onBadRow, onWarning, onProgress, onlyReport, batchSize = 500 }: Putting,
): Promise<string | undefined> {
  let batch: GoodRow[] = []
  const commit = async () => {
    const good = batch
    batch = []
    if (good.length > 0) for (const outcome of await writing.put(good)) totals[outcome]++
    onProgress?.()
  }
  try {
    for await (const read of rows) {
      totals.rows++
      if (!read.ok) {
        totals.bad++
        if (read.id !== undefined && !named.has(read.id)) named.set(read.id, read.row)
        onBadRow(read.row, read.faults)
        continue
      }
      const id = read.signal.signal_agent_segment_id
      const before = named.get(id)
      if (before !== undefined) {
        totals.repeated++
        onWarning?.(read.row, `${id} is also on ${before}: this one is used`)
      }
      named.set(id, read.row)
      for (const { pointer, message } of read.warnings)
        onWarning?.(read.row, `${pointer}: ${message}`)
      batch.push(read)
      if (batch.length >= batchSize) await commit()
    }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
    await commit()
    return `${error.message}; the rows before that ${onlyReport ? 'would be' : 'were'} taken`
  }
  await commit()
  return undefined
}

/**
 * Removes signals without a row in the file, in parts. All valid rows have been imported by now, so if this is
 * interrupted, the catalogue is the file plus some of the old signals. A signal with a bad row is left unchanged.
 */
async function removeOthers(
  { signals, writing }: Pick<ImportPorts, 'signals'> & { writing: Writing },
  named: ReadonlyMap<string, RowName>,
  { totals, onProgress, batchSize = 500 }: Omit<Putting, 'named'>,
): Promise<void> {
  let after: string | undefined
  for (;;) {
    const ids = await signals.ids(after, batchSize)
    after = ids.at(-1)
    if (after === undefined) return
    const others = ids.filter((id) => !named.has(id))
    if (others.length === 0) continue
    totals.removed += await writing.remove(others)
    onProgress?.()
  }
}
