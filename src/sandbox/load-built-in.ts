// The products and signals that public tests name, in every sandbox: existing ones with the same ids, from an import
// or a seed, stay as they are. The formats that go with them are read with the catalogue of formats.

import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import {
  type ImportProductsPorts,
  importProducts,
  productRows,
} from '../media-buys/import-products.ts'
import { signalRows } from '../signals/files/signal-rows.ts'
import { type ImportPorts, importSignals } from '../signals/import-signals.ts'

const FOLDER = fileURLToPath(new URL('./fixtures/', import.meta.url))

/** Formats that a sandbox has besides those of every server. */
export const SANDBOX_FORMATS = `${FOLDER}formats`

export async function loadBuiltIn(storage: ImportProductsPorts & ImportPorts): Promise<void> {
  const products = await missing('products.jsonl', 'product_id', (ids) => storage.products.get(ids))
  await importProducts(storage, productRows(products), { onBadRow: refuse })
  const segment = 'signal_agent_segment_id'
  const signals = await missing('signals.jsonl', segment, (ids) => storage.signals.get(ids))
  const rows = signalRows('jsonl', Readable.from([signals]))
  await importSignals(storage, rows, { onBadRow: refuse })
}

function refuse(row: unknown, faults: readonly unknown[]): never {
  throw new Error(`a fixture of the sandbox, ${String(row)}: ${JSON.stringify(faults)}`)
}

/** The rows with ids that are not in the store. */
async function missing(
  file: string,
  member: string,
  find: (ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>,
): Promise<string> {
  const rows = readFileSync(`${FOLDER}${file}`, 'utf8').split('\n').filter(Boolean)
  const idOf = (row: string) => String((JSON.parse(row) as Record<string, unknown>)[member])
  const known = await find(rows.map(idOf))
  return rows.filter((row) => !known.has(idOf(row))).join('\n')
}
