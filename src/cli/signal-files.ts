// What `adwire signals import` and `export` do with files.

import { createReadStream, createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { defined } from '../lib/defined.ts'
import type { CatalogueChange } from '../signals/catalogue-changes.ts'
import type { FileFormat } from '../signals/files/file-formats.ts'
import type { ImportTotals } from '../signals/import-signals.ts'
import { withStorage } from './settings-options.ts'
import { print, printJson, progressBar, UsageError } from './terminal.ts'

export interface ImportFlags {
  replace?: boolean
  format?: FileFormat
  dryRun?: boolean
  json?: boolean
}

/** In place of a file. */
const STDIN = '-'
/** The number of bad rows printed, and of warnings; the rest are only counted. */
const MAX_SHOWN = 20
const READ_BYTES = 256 * 1024

export async function importFile(file: string, options: ImportFlags): Promise<void> {
  // Loaded only here: the other commands start faster without it.
  const { formatOf, signalRows } = await import('../signals/files/signal-rows.ts')
  const { importSignals } = await import('../signals/import-signals.ts')
  const format = options.format ?? formatOf(file)
  if (!format && file === STDIN) {
    throw new UsageError('the format of standard input is not known: use --format json|jsonl|csv')
  }
  if (!format) {
    throw new UsageError(
      `the name of ${file} does not show its format: use --format json|jsonl|csv`,
    )
  }
  const bytes = sizeOf(file)
  await withStorage({ ...options }, async (storage) => {
    const stream =
      file === STDIN
        ? process.stdin.setEncoding('utf8')
        : createReadStream(file, { encoding: 'utf8', highWaterMark: READ_BYTES })
    const bar = progressBar(bytes, 'bytes')
    // A user who requests a dry run wants to see everything.
    const bad = teller('bad rows', options.dryRun ? Number.POSITIVE_INFINITY : MAX_SHOWN)
    const warnings = teller('warnings', MAX_SHOWN)
    const totals = await importSignals(storage, signalRows(format, stream), {
      isReplacing: options.replace === true,
      onBadRow: (row, faults) => {
        const reported = faults.map(({ pointer, message }) =>
          pointer ? `${pointer}: ${message}` : message,
        )
        bad.report(`${row}: ${reported.join(' ')}`)
      },
      ...defined({
        onlyReport: options.dryRun ? (options.json ? () => {} : reportChange) : undefined,
      }),
      onWarning: (row, message) => warnings.report(`${row}: warning: ${message}`),
      onProgress: () => bar.update('bytesRead' in stream ? Number(stream.bytesRead) : 0),
    }).finally(() => bar.stop())
    bad.end()
    warnings.end()
    if (options.json) printJson(options.dryRun ? { dry_run: true, ...totals } : totals)
    else print(summaryOf(totals, options))
    if (totals.bad > 0) process.exitCode = 1
    if (totals.stopped !== undefined) throw new Error(totals.stopped)
  })
}

function sizeOf(file: string): number {
  if (file === STDIN) return 0
  try {
    const found = statSync(file)
    if (found.isFile()) return found.size
  } catch {}
  throw new UsageError(`cannot read ${file}: give the path of a .json, .jsonl or .csv file`)
}

/** Prints the first lines and counts the others. */
function teller(what: string, most: number) {
  let count = 0
  return {
    report: (line: string) => {
      if (count++ < most) process.stderr.write(`${line}\n`)
    },
    end: () => {
      if (count > most) process.stderr.write(`… and ${count - most} more ${what}\n`)
    },
  }
}

/** What a row would do, in a line. */
function reportChange(change: CatalogueChange): void {
  print(changeLine(change))
}

function changeLine(change: CatalogueChange): string {
  const { id, outcome } = change
  if (outcome === 'removed') return `${id}: removed`
  const members = outcome === 'changed' ? change.members : undefined
  const what = members === undefined ? '' : `: ${members.join(', ')}`
  return `${change.row}: ${id} ${outcome}${what}`
}

function summaryOf(totals: ImportTotals, { replace, dryRun }: ImportFlags): string {
  const { rows, added, changed, unchanged, removed, bad } = totals
  const gone = replace ? `, ${removed} removed` : ''
  const counts = `${added} added, ${changed} changed, ${unchanged} unchanged${gone}, ${bad} bad`
  return `${dryRun ? 'dry run: ' : ''}${counts} of ${rows} rows`
}

export async function exportFile(options: { format?: FileFormat; out?: string }): Promise<void> {
  const { formatOf } = await import('../signals/files/signal-rows.ts')
  const { exportSignals } = await import('../signals/export-signals.ts')
  const { out } = options
  const format = options.format ?? (out === undefined ? 'jsonl' : formatOf(out))
  if (!format) {
    throw new UsageError(`the name of ${out} does not show its format: use --format`)
  }
  await withStorage({ ...options }, async ({ signals }) => {
    const source = Readable.from(exportSignals(signals, format))
    if (out === undefined) return pipeline(source, process.stdout, { end: false })
    await writeWhole(source, out)
  })
}

/** The file is written atomically: completely or not at all, even if this is interrupted. */
async function writeWhole(source: Readable, out: string): Promise<void> {
  const part = `${out}.part`
  try {
    await pipeline(source, createWriteStream(part))
    renameSync(part, out)
  } catch (cause) {
    rmSync(part, { force: true })
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR') {
      throw new UsageError(
        `cannot write ${out}: use a file in an existing folder that you can write to`,
      )
    }
    throw cause
  }
}
