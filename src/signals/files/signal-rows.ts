// The rows of an operator's file, in any format, each read separately: a signal, or all errors of the row. Rows are
// numbered so that the author of the file can find them: by line, or in a JSON array by index.

import { defined } from '../../lib/defined.ts'
import { BrokenFile, type Chunks, MAX_ROW_CHARS } from '../../lib/row-files/broken-file.ts'
import { csvRecords } from '../../lib/row-files/csv-records.ts'
import { textLines } from '../../lib/row-files/text-lines.ts'
import type { CatalogueSignal } from '../catalogue.ts'
import { type RowFault, readSignal } from '../read-signal.ts'
import { readCells, readHeader } from './csv-cells.ts'
import { FILE_FORMATS, type FileFormat } from './file-formats.ts'
import { jsonElements } from './json-elements.ts'

/** Such as `line 7`, or `element 6`. */
export type RowName = `${'line' | 'element'} ${number}`

export type SignalRow = { row: RowName } & (
  | { ok: true; signal: CatalogueSignal; warnings: readonly RowFault[] }
  | { ok: false; faults: readonly RowFault[]; id?: string | undefined }
)

/** The format by the name of a file; undefined when it cannot be determined. */
export function formatOf(file: string): FileFormat | undefined {
  const ending = /\.(\w+)$/.exec(file.toLowerCase())?.[1]
  return ending === 'ndjson' ? 'jsonl' : FILE_FORMATS.find((format) => format === ending)
}

/** Rows one after the other; empty lines are skipped. Throws BrokenFile if the file cannot be read any further. */
export function signalRows(format: FileFormat, chunks: Chunks): AsyncGenerator<SignalRow> {
  return READERS[format](chunks)
}

const READERS: Readonly<Record<FileFormat, (chunks: Chunks) => AsyncGenerator<SignalRow>>> = {
  json: async function* (chunks) {
    let index = 0
    for await (const text of jsonElements(chunks)) yield rowOfJson(`element ${index++}`, text)
  },
  jsonl: async function* (chunks) {
    let line = 0
    for await (const text of textLines(chunks)) {
      line++
      const json = line === 1 ? text?.replace(/^\ufeff/, '') : text
      if (json === undefined || json.trim() !== '') yield rowOfJson(`line ${line}`, json)
    }
  },
  csv: async function* (chunks) {
    let header: string[] | undefined
    for await (const { line, fields, fault } of csvRecords(chunks)) {
      if (!header) {
        header = headerOf(fields, fault)
        continue
      }
      const row: RowName = `line ${line}`
      const unread = fault ?? unreadable(fields.join(''))
      if (unread !== undefined) yield refused(row, unread)
      else yield rowOfCells(row, readCells(header, fields))
    }
  },
}

function rowOfJson(row: RowName, text: string | undefined): SignalRow {
  if (text === undefined) return refused(row, `This is longer than ${MAX_ROW_CHARS} characters.`)
  const unread = unreadable(text)
  if (unread !== undefined) return refused(row, unread)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refused(row, 'This is not JSON: each line must be one object.')
  }
  return rowOf(row, value)
}

function rowOfCells(row: RowName, read: ReturnType<typeof readCells>): SignalRow {
  return read.ok ? rowOf(row, read.row) : { row, ok: false, faults: read.faults }
}

function rowOf(row: RowName, value: unknown): SignalRow {
  const read = readSignal(value)
  if (read.ok) return { row, ...read }
  const id = (value as { signal_agent_segment_id?: unknown } | null)?.signal_agent_segment_id
  return { row, ...read, ...defined({ id: typeof id === 'string' ? id.trim() : undefined }) }
}

function refused(row: RowName, message: string): SignalRow {
  return { row, ok: false, faults: [{ pointer: '', message }] }
}

/** Bytes that are not UTF-8 were converted to replacement characters during reading. */
function unreadable(text: string): string | undefined {
  if (!text.includes('\ufffd')) return undefined
  return 'This has bytes that are not UTF-8: save the file as UTF-8.'
}

const KEY = 'signal_agent_segment_id'

function headerOf(fields: readonly string[], fault: string | undefined): string[] {
  const header = readHeader(fields)
  const twice = header.find((name, index) => name !== '' && header.indexOf(name) < index)
  if (fault !== undefined) throw new BrokenFile(`the first line cannot be read: ${fault}`)
  if (twice !== undefined) throw new BrokenFile(`the first line names the column ${twice} twice`)
  if (header.includes(KEY)) return header
  throw new BrokenFile(`the first line must list the columns, including ${KEY}`)
}
