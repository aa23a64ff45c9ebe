// Parses CSV as defined by RFC 4180, as a stream: quoted fields, doubled quotes, line breaks of any kind, a byte
// order mark. The separator is a comma, or a semicolon or tab if the first line uses one instead.

import { defined } from '../defined.ts'
import { BrokenFile, type Chunks, MAX_ROW_CHARS } from './broken-file.ts'

export interface CsvRecord {
  /** The line on which it starts, from 1. */
  line: number
  fields: readonly string[]
  /** Why the ends of its fields cannot be determined. */
  fault?: string
}

/** Yields the records in order; empty lines are skipped. Throws BrokenFile if a quote is never closed. */
export async function* csvRecords(chunks: Chunks): AsyncGenerator<CsvRecord> {
  let head = ''
  let machine: CsvMachine | undefined
  for await (const chunk of chunks) {
    if (machine) {
      yield* machine.read(chunk)
      continue
    }
    head += chunk
    if (!/[\r\n]/.test(head) && head.length < MAX_ROW_CHARS) continue
    machine = csvMachine(separatorOf(head))
    yield* machine.read(head.replace(/^\ufeff/, ''))
  }
  if (!machine) {
    machine = csvMachine(separatorOf(head))
    yield* machine.read(head.replace(/^\ufeff/, ''))
  }
  yield* machine.end()
}

/** A line of CSV with its line break, for `csvRecords` to read. */
export function csvLine(fields: readonly string[]): string {
  const quoted = fields.map((field) =>
    field === '' || /[",;\t\r\n\ufeff]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field,
  )
  return `${quoted.join(',')}\r\n`
}

function separatorOf(head: string): string {
  const line = head.replace(/"[^"]*"?/g, '').split(/[\r\n]/, 1)[0] ?? ''
  return [',', ';', '\t'].find((mark) => line.includes(mark)) ?? ','
}

interface CsvMachine {
  read(text: string): Generator<CsvRecord>
  end(): Generator<CsvRecord>
}

const QUOTE = 0x22
const CR = 0x0d
const LF = 0x0a

/**
 * | state | a quote | a separator | a line break | anything else |
 * |---|---|---|---|---|
 * | start (of a field) | quoted | start | record ends | plain |
 * | plain | is text | start | record ends | is text |
 * | quoted | closed | is text | is text | is text |
 * | closed (a quote in quotes) | a quote; quoted | start | record ends | a fault; plain |
 */
type State = 'start' | 'plain' | 'quoted' | 'closed'

function csvMachine(mark: string): CsvMachine {
  const separator = mark.charCodeAt(0)
  let state: State = 'start'
  let fields: string[] = []
  let field = ''
  let fault: string | undefined
  let length = 0
  let line = 1
  let began = 1
  let previous = 0

  function take(text: string): void {
    field += text
    length += text.length
    if (length <= MAX_ROW_CHARS) return
    throw new BrokenFile(
      `the row that begins on line ${began} does not end within ${MAX_ROW_CHARS} characters: close its quotes`,
    )
  }

  function endField(): void {
    fields.push(field)
    field = ''
    length++
    state = 'start'
  }

  function* endRecord(): Generator<CsvRecord> {
    const isEmptyLine = state === 'start' && fields.length === 0
    endField()
    const record = { line: began, fields, ...defined({ fault }) }
    fields = []
    fault = undefined
    length = 0
    if (!isEmptyLine) yield record
  }

  function* read(text: string): Generator<CsvRecord> {
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const isBreak = code === CR || code === LF
      const isSecondHalf = code === LF && previous === CR
      if (isBreak && !isSecondHalf) line++
      previous = code
      if (state === 'quoted' ? code !== QUOTE : code !== QUOTE && code !== separator && !isBreak) {
        if (state === 'closed') fault = 'inside quotes, write a quote twice: ""'
        if (state !== 'quoted') state = 'plain'
        continue
      }
      if (state === 'plain' && code === QUOTE) continue
      take(text.slice(from, at))
      from = at + 1
      if (code === QUOTE) {
        if (state === 'closed') take('"')
        state = state === 'quoted' ? 'closed' : 'quoted'
      } else if (code === separator) endField()
      else {
        // The second character of a line break ends nothing, since the first one already did.
        yield* endRecord()
        began = line
      }
    }
    take(text.slice(from))
  }

  function* end(): Generator<CsvRecord> {
    if (state === 'quoted') {
      throw new BrokenFile(`a quote of the row that begins on line ${began} is never closed`)
    }
    yield* endRecord()
  }

  return { read, end }
}
