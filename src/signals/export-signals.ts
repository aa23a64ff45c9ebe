// Exports the catalogue, part by part, as a file that can be imported to give the same catalogue.

import { csvLine } from '../lib/row-files/csv-records.ts'
import type { CatalogueSignal } from './catalogue.ts'
import { CSV_HEADER, cellsOf } from './files/csv-cells.ts'
import type { FileFormat } from './files/file-formats.ts'
import type { SignalStore } from './store.ts'

const PAGE = 500

interface Writer {
  before: string
  between: string
  after: string
  write(signal: CatalogueSignal): string
}

const WRITERS: Readonly<Record<FileFormat, Writer>> = {
  json: { before: '[', between: ',\n', after: ']\n', write: (signal) => JSON.stringify(signal) },
  jsonl: { before: '', between: '', after: '', write: (signal) => `${JSON.stringify(signal)}\n` },
  csv: {
    before: csvLine(CSV_HEADER),
    between: '',
    after: '',
    write: (signal) => csvLine(cellsOf(signal)),
  },
}

/** Texts one after the other, by id. Concurrent changes may or may not be included. */
export async function* exportSignals(
  signals: Pick<SignalStore, 'page'>,
  format: FileFormat,
): AsyncGenerator<string> {
  const { before, between, after, write } = WRITERS[format]
  yield before
  let last: string | undefined
  for (;;) {
    const page = await signals.page(last, PAGE)
    if (page.length === 0) break
    const texts = page.map(({ signal }) => write(signal))
    yield (last === undefined ? '' : between) + texts.join(between)
    last = page.at(-1)?.signal.signal_agent_segment_id
  }
  yield after
}
