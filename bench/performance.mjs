// Every path in one run: each beside its baseline, as a table. The complete run writes docs/performance.md.
// Flags: --quick (small counts, nothing is written) --only PATH,PATH

import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { pageOf, plotsOf } from './performance/page.mjs'
import { PATHS } from './performance/paths.mjs'
import { textOf } from './performance/rows.mjs'

const ROOT = new URL('../', import.meta.url)

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: Object.keys(PATHS).join(',') },
    },
  })
  const names = values.only.split(',')
  const unknown = names.find((name) => !Object.hasOwn(PATHS, name))
  if (unknown !== undefined) {
    throw new Error(`there is no path ${unknown}; there are ${Object.keys(PATHS).join(', ')}`)
  }
  const began = performance.now()
  const rows = []
  const growth = []
  for (const name of names) {
    const { measure } = await PATHS[name]()
    const found = await measure({ isQuick: values.quick })
    for (const row of found.rows ?? found) {
      rows.push(row)
      console.log(textOf(row))
    }
    if (found.growth) growth.push(found.growth)
  }
  const minutes = (performance.now() - began) / 60_000
  console.log(`${minutes.toFixed(1)} minutes`)
  if (values.quick || names.length < Object.keys(PATHS).length) return
  write({ rows, growth, machine: machine(), minutes })
}

function write(figures) {
  writeFileSync(new URL('docs/performance.md', ROOT), pageOf(figures))
  for (const [name, svg] of plotsOf(figures)) {
    writeFileSync(new URL(`docs/images/${name}`, ROOT), svg)
  }
  console.log('wrote docs/performance.md')
}

function machine() {
  const [{ model = 'unknown' } = {}] = cpus()
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  return `${availableParallelism()} cores (${model.trim()}), ${gigabytes} GB, Node ${process.versions.node}, ${process.platform} ${process.arch}`
}
