import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adwire, folder } from '../support/cli.ts'
import { catalogueProduct } from '../support/media-buys.ts'

test('products are imported, reported by a dry run, displayed and deleted', async () => {
  const at = ['--data', folder()]
  const products = (...args: string[]) => adwire(['products', ...args, ...at])
  expect((await products('list', '--create')).code).toBe(0)
  const file = join(folder(), 'products.jsonl')
  const rows: object[] = [
    catalogueProduct(),
    catalogueProduct({ product_id: 'second' }),
    { ...catalogueProduct({ product_id: 'third' }), delivery_type: 'sometimes' },
  ]
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const dry = await products('import', file, '--dry-run')
  expect([dry.code, dry.stdout]).toEqual([
    1,
    'line 1: homepage added\nline 2: second added\ndry run: 2 added, 0 changed, 0 unchanged, 1 bad of 3 rows\n',
  ])
  expect(dry.stderr).toMatch(/^line 3: \/delivery_type: /)
  const done = await products('import', file, '--json')
  expect(JSON.parse(done.stdout)).toMatchObject({ rows: 3, added: 2, bad: 1 })
  const list = await products('list', '--json')
  const ids = (JSON.parse(list.stdout) as { product_id: string }[]).map((one) => one.product_id)
  expect(ids).toEqual(['homepage', 'second'])
  expect((await products('delete', 'second', 'none')).stderr).toContain('no product none')
  expect((await products('show', 'second')).code).toBe(2)
  expect((await products('show', 'homepage')).stdout).toContain('name: Homepage banner')
})
