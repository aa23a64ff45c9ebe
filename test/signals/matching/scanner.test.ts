import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileScan } from '../../../scripts/build-scan.mjs'
import { cosine, quantise } from '../../../src/signals/matching/quantise.ts'
import { createScanner } from '../../../src/signals/matching/scanner.ts'
import { TABLE_DIMENSIONS } from '../../../src/signals/matching/static-table.ts'

test('scan.wasm is scan.wat compiled: else run scripts/build-scan.mjs', async () => {
  const shipped = readFileSync(new URL('../../../src/signals/matching/scan.wasm', import.meta.url))
  expect(Buffer.from(await compileScan()).equals(shipped)).toBe(true)
})

test('the scan finds the cosines that are reckoned one by one', () => {
  const vector = fc
    .array(fc.float({ min: -1, max: 1, noNaN: true }), {
      minLength: TABLE_DIMENSIONS,
      maxLength: TABLE_DIMENSIONS,
    })
    .map((numbers) => Float32Array.from(numbers))
  fc.assert(
    fc.property(fc.array(vector, { minLength: 1, maxLength: 5 }), vector, (rows, requested) => {
      const scanner = createScanner()
      const block = scanner.addBlock()
      for (const [row, one] of rows.entries()) scanner.write(block, row, quantise(one))
      const found = scanner.cosines(block, rows.length, requested)
      for (const [row, one] of rows.entries()) {
        expect(found[row]).toBeCloseTo(cosine(quantise(requested), quantise(one)), 4)
        expect(scanner.cosineAt(block, row, quantise(requested))).toBeCloseTo(found[row]!, 4)
      }
    }),
    { numRuns: 30 },
  )
})
