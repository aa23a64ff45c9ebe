// The demo inventory: loaded into an empty product catalogue only.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ImportProductsPorts, importProducts, productRows } from '../import-products.ts'

const FILE = fileURLToPath(new URL('./products.jsonl', import.meta.url))

export async function loadDemoProducts(storage: ImportProductsPorts): Promise<void> {
  if ((await storage.products.count()) > 0) return
  await importProducts(storage, productRows(readFileSync(FILE, 'utf8')), {
    onBadRow: (row, [fault]) => {
      throw new Error(`a demo product, ${row}: ${fault}`)
    },
  })
}
