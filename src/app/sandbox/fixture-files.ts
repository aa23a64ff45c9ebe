// The contents of a folder of fixtures for a sandbox: `principals.json`, `signals.jsonl` and `products.jsonl`, each
// of which is optional. The latter two have the format of `adwire signals import` and `adwire products import`.

import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { tryJson } from '../../lib/try-json.ts'
import { importProducts, productRows } from '../../media-buys/import-products.ts'
import { name, opaqueId } from '../../protocol/schemas/common.ts'
import { checkShape } from '../../protocol/schemas/issues.ts'
import { signalRows } from '../../signals/files/signal-rows.ts'
import { importSignals } from '../../signals/import-signals.ts'
import type { Storage } from '../open-storage.ts'

const object = z.looseObject({})

const principalFixture = z.strictObject({
  name,
  /** Its key; several keys are distinguished by what follows the prefix. */
  key: opaqueId,
  /** Every key with this prefix is valid, and is a separate tenant. */
  key_prefix: z.string().min(4).max(100).optional(),
  /** On platforms, as platform:account. */
  accounts: z.array(opaqueId).optional(),
  /** As sync_accounts takes them. */
  buyer_accounts: z.array(object).optional(),
  /** In the format of `seed_creative`, with their creative_id. */
  creatives: z.array(z.looseObject({ creative_id: opaqueId })).optional(),
})
export type PrincipalFixture = z.infer<typeof principalFixture>

/** Throws with all that is wrong. */
export function readPrincipals(folder: string): PrincipalFixture[] {
  const path = join(folder, 'principals.json')
  if (!existsSync(path)) return []
  const document = tryJson(readFileSync(path, 'utf8'))
  if (document === undefined)
    throw new Error(`${path}: This is not JSON: give a list of principals.`)
  const checked = checkShape(z.array(principalFixture), document)
  if (checked.ok) return checked.value
  const faults = checked.issues.map(({ pointer, message }) => `${pointer}: ${message}`)
  throw new Error(`${path}: ${faults.join(' ')}`)
}

/** Returns the resulting number of signals and products; throws when a row is invalid. */
export async function loadCatalogues(
  storage: Storage,
  folder: string,
): Promise<{ signals: number; products: number }> {
  const bad: string[] = []
  const signals = join(folder, 'signals.jsonl')
  const products = join(folder, 'products.jsonl')
  let [known, offered] = [0, 0]
  if (existsSync(signals)) {
    const stream = createReadStream(signals, { encoding: 'utf8' })
    const totals = await importSignals(storage, signalRows('jsonl', stream), {
      onBadRow: (row, faults) =>
        bad.push(`${signals}: ${row}: ${faults.map(({ message }) => message).join(' ')}`),
    })
    known = totals.rows
  }
  if (existsSync(products)) {
    const rows = productRows(readFileSync(products, 'utf8'))
    const totals = await importProducts(storage, rows, {
      onBadRow: (row, faults) => bad.push(`${products}: ${row}: ${faults.join(' ')}`),
    })
    offered = totals.rows
  }
  if (bad.length > 0) throw new Error(bad.join('\n'))
  return { signals: known, products: offered }
}
