// Writes src/signals/matching/scan.wasm, which is scan.wat compiled: to be run after a change of it. A test
// compares the two, so that what is shipped is what can be read.
import { readFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import openWabt from 'wabt'

const SOURCE = new URL('../src/signals/matching/scan.wat', import.meta.url)
const TARGET = new URL('../src/signals/matching/scan.wasm', import.meta.url)

/** @returns {Promise<Uint8Array>} */
export async function compileScan() {
  const { parseWat } = await openWabt()
  const module = parseWat('scan.wat', readFileSync(SOURCE, 'utf8'), { simd: true })
  try {
    module.validate({ simd: true })
    return module.toBinary({}).buffer
  } finally {
    module.destroy()
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const compiled = await compileScan()
  writeFileSync(TARGET, compiled)
  console.log(`${compiled.length} bytes`)
}
