// `adwire products`: what can be bought. Works while servers run, which see a change with their next call.

import { readFileSync, statSync } from 'node:fs'
import { Command } from 'commander'
import type { StoredProduct } from '../media-buys/product-store.ts'
import { iso, wholeNumber } from './arguments.ts'
import { DRY_RUN, storageCommand, withStorage } from './settings-options.ts'
import { print, printJson, printMembers, printTable, UsageError } from './terminal.ts'

export function productsCommand(): Command {
  return new Command('products')
    .description('Manage the products that buyers can buy.')
    .addCommand(importing())
    .addCommand(list())
    .addCommand(show())
    .addCommand(remove())
}

interface ImportFlags {
  replace?: boolean
  dryRun?: boolean
  json?: boolean
}

function importing(): Command {
  return storageCommand('import')
    .description(
      'Import products from a file: new ids are added, existing ids updated. Safe to repeat.',
    )
    .argument('<file>', 'a .json array, or .jsonl with one object per line; - reads standard input')
    .option('--replace', 'delete products that are not in the file')
    .option(...DRY_RUN)
    .option('--json', 'print the totals as JSON')
    .action(importFile)
}

async function importFile(file: string, options: ImportFlags): Promise<void> {
  const { importProducts, productRows } = await import('../media-buys/import-products.ts')
  const rows = productRows(await textOf(file))
  await withStorage({ ...options }, async (storage) => {
    const totals = await importProducts(storage, rows, {
      onBadRow: (row, faults) => process.stderr.write(`${row}: ${faults.join(' ')}\n`),
      onRow: (row, id, outcome) => {
        if (options.dryRun && !options.json) print(`${row}: ${id} ${outcome}`)
      },
      isReplacing: options.replace === true,
      isDryRun: options.dryRun === true,
    })
    if (options.json) printJson(options.dryRun ? { dry_run: true, ...totals } : totals)
    else {
      const { added, changed, unchanged, removed, bad } = totals
      const gone = options.replace ? `, ${removed} removed` : ''
      const counts = `${added} added, ${changed} changed, ${unchanged} unchanged${gone}, ${bad} bad`
      print(`${options.dryRun ? 'dry run: ' : ''}${counts} of ${totals.rows} rows`)
    }
    if (totals.bad > 0) process.exitCode = 1
  })
}

async function textOf(file: string): Promise<string> {
  const { MAX_PRODUCT_FILE_BYTES: most } = await import('../media-buys/import-products.ts')
  const wrong = `cannot read ${file}: give a .json or .jsonl file of at most ${most} bytes`
  if (file === '-') return readFileSync(0, 'utf8')
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile() || found.size > most) throw new UsageError(wrong)
  return readFileSync(file, 'utf8')
}

const MAX_LISTED = 1_000

function list(): Command {
  return storageCommand('list')
    .description('List products by id.')
    .option('--after <id>', 'only items after this id, to get the next page')
    .option('--limit <n>', `maximum number of rows, up to ${MAX_LISTED}`, '50')
    .option('--json', 'print a JSON array')
    .action((options: { after?: string; limit: string; json?: boolean }) =>
      withStorage({ ...options }, async ({ products }) => {
        const limit = Math.min(wholeNumber('--limit', options.limit), MAX_LISTED)
        const page = await products.page(options.after, limit)
        if (options.json) return printJson(page.map(returned))
        printTable(['id', 'delivery', 'price', 'approval', 'name'], page.map(rowOf))
      }),
    )
}

function rowOf({ product }: StoredProduct): string[] {
  const [option] = product.pricing_options
  const price = option?.fixed_price ?? option?.floor_price ?? '-'
  return [
    product.product_id,
    product.delivery_type,
    option ? `${option.pricing_model} ${price} ${option.currency}` : '-',
    product.requires_approval ? 'yes' : 'no',
    product.name,
  ]
}

function show(): Command {
  return storageCommand('show')
    .description('Show a product with all its fields.')
    .argument('<id>')
    .option('--json', 'print one JSON object')
    .action((id: string, options: { json?: boolean }) =>
      withStorage({ ...options }, async ({ products }) => {
        const found = (await products.get([id])).get(id)
        if (!found) throw unknown([id])
        if (options.json) return printJson(returned(found))
        printMembers(returned(found))
      }),
    )
}

function remove(): Command {
  return storageCommand('delete')
    .description('Delete products. Existing media buys of them continue.')
    .argument('<id...>')
    .action((ids: string[], options: Record<string, unknown>) =>
      withStorage(options, async ({ products, transact }) => {
        const known = await products.get(ids)
        print(`${await transact((tx) => products.remove(tx, ids))} deleted`)
        const missing = ids.filter((id) => !known.has(id))
        if (missing.length > 0) throw unknown(missing)
      }),
    )
}

function returned({ product, changed_at }: StoredProduct) {
  return { ...product, changed_at: iso(changed_at) }
}

function unknown(ids: readonly string[]): UsageError {
  return new UsageError(`no product ${ids.join(', ')}: list the products with adwire products list`)
}
