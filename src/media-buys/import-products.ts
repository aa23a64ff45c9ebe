// Imports the operator's own products from rows of a file: valid rows are stored together, in one transaction; for
// invalid rows all errors are reported. Safe to repeat.

import type { Transact } from '../lib/transaction.ts'
import { checkShape } from '../protocol/schemas/issues.ts'
import { type CatalogueProduct, catalogueProduct } from '../protocol/schemas/product.ts'
import { BUY_LIMITS } from './limits.ts'
import type { ProductStore, PutOutcome } from './product-store.ts'

/** A row as it appears in the file, numbered so that the author of the file can find it. */
export type ProductRow = { row: string } & ({ value: unknown } | { fault: string })

export interface ImportProductsPorts {
  transact: Transact
  products: ProductStore
}

export interface ImportProductsOptions {
  /** Called for every row that is skipped, with the reason. */
  onBadRow: (row: string, faults: readonly string[]) => void
  /** Called with what each valid row changes, or would change. */
  onRow?: (row: string, productId: string, outcome: PutOutcome) => void
  /** Whether products that are not in the rows are removed. Default false. */
  isReplacing?: boolean
  /** Whether this is a dry run. Default false. */
  isDryRun?: boolean
}

export interface ImportedProducts {
  rows: number
  added: number
  changed: number
  unchanged: number
  removed: number
  bad: number
}

export async function importProducts(
  { transact, products }: ImportProductsPorts,
  rows: readonly ProductRow[],
  { onBadRow, onRow, isReplacing = false, isDryRun = false }: ImportProductsOptions,
): Promise<ImportedProducts> {
  const good = new Map<string, { row: string; product: CatalogueProduct }>()
  let bad = 0
  for (const one of rows) {
    const read = readRow(one, good)
    if ('faults' in read) {
      bad++
      onBadRow(one.row, read.faults)
    } else good.set(read.product.product_id, { row: one.row, product: read.product })
  }
  const outcomes: PutOutcome[] = []
  let removed = 0
  await transact(async (tx) => {
    const given = [...good.values()].map(({ product }) => product)
    outcomes.splice(0, outcomes.length, ...(await products.put(tx, given)))
    // A file with an invalid row, or without a valid one, does not represent a whole catalogue.
    const isPicture = isReplacing && bad === 0 && good.size > 0
    const others = isPicture ? await othersThan(products, good) : []
    removed = others.length > 0 ? await products.remove(tx, others) : 0
    if (isDryRun) throw new DryRun()
  }).catch((error: unknown) => {
    if (!(error instanceof DryRun)) throw error
  })
  for (const [index, { row, product }] of [...good.values()].entries()) {
    onRow?.(row, product.product_id, outcomes[index] ?? 'unchanged')
  }
  const count = (wanted: PutOutcome) => outcomes.filter((one) => one === wanted).length
  return {
    rows: rows.length,
    added: count('added'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    removed,
    bad,
  }
}

/** Undoes what was only tried. */
class DryRun extends Error {}

function readRow(
  one: ProductRow,
  before: ReadonlyMap<string, { row: string }>,
): { product: CatalogueProduct } | { faults: string[] } {
  if ('fault' in one) return { faults: [one.fault] }
  const checked = checkShape(catalogueProduct, one.value)
  if (!checked.ok) {
    return { faults: checked.issues.map(({ pointer, message }) => `${pointer}: ${message}`) }
  }
  const product = checked.value
  const twin = before.get(product.product_id)
  if (twin) return { faults: [`/product_id: ${product.product_id} is already in ${twin.row}.`] }
  if (before.size >= BUY_LIMITS.products.value) {
    return { faults: [`There may be at most ${BUY_LIMITS.products.value} products.`] }
  }
  return { product }
}

async function othersThan(
  products: ProductStore,
  kept: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const page = await products.page(undefined, BUY_LIMITS.products.value * 2)
  return page.map(({ product }) => product.product_id).filter((id) => !kept.has(id))
}

/** Largest file of products. */
export const MAX_PRODUCT_FILE_BYTES = 64 * 1_024 * 1_024

/** The rows of a JSON array, or of JSON Lines. */
export function productRows(text: string): ProductRow[] {
  const json = text.replace(/^\ufeff/, '')
  if (json.trimStart().startsWith('[')) return rowsOfArray(json)
  return json.split('\n').flatMap((line, index): ProductRow[] => {
    if (line.trim() === '') return []
    const row = `line ${index + 1}`
    try {
      return [{ row, value: JSON.parse(line) as unknown }]
    } catch {
      return [{ row, fault: 'This is not JSON: give one object a line.' }]
    }
  })
}

function rowsOfArray(json: string): ProductRow[] {
  try {
    const values = JSON.parse(json) as unknown[]
    return values.map((value, index) => ({ row: `element ${index}`, value }))
  } catch {
    return [{ row: 'the file', fault: 'This is not JSON: give an array of products.' }]
  }
}
