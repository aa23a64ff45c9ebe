// The vectors of the whole catalogue in one block of memory, compared with a query vector by the compiled scan.wasm:
// SIMD, so that a million take a few tens of milliseconds.

import { readFileSync } from 'node:fs'
import { type Quantised, quantise } from './quantise.ts'
import { TABLE_DIMENSIONS } from './static-table.ts'

/** Number of rows in a block: the unit of reading and writing. */
export const BLOCK_ROWS = 65_536

export interface Scanner {
  /** Allocates memory for the vectors of one more block; returns its number. */
  addBlock(): number
  /** Frees a block's memory for the next block that is added. */
  freeBlock(block: number): void
  write(block: number, row: number, vector: Quantised): void
  cosineAt(block: number, row: number, question: Quantised): number
  /** Cosines of the first `count` rows; valid until the next call. */
  cosines(block: number, count: number, question: Float32Array): Float32Array
}

// Node supports it, but its types do not include it.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
}

interface Exports {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  scan(
    rows: number,
    worths: number,
    count: number,
    query: number,
    blocks: number,
    out: number,
  ): void
}

const PAGE = 65_536
const QUERY_AT = 0
const OUT_AT = PAGE
const BLOCKS_AT = OUT_AT + 4 * BLOCK_ROWS
const BLOCK_BYTES = BLOCK_ROWS * (TABLE_DIMENSIONS + 4)

let compiled: object | undefined

export function createScanner(): Scanner {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('./scan.wasm', import.meta.url)))
  const { memory, scan } = new WebAssembly.Instance(compiled).exports as Exports
  const free: number[] = []
  let blocks = 0
  memory.grow(BLOCKS_AT / PAGE)

  const rowAt = (block: number, row: number) =>
    BLOCKS_AT + block * BLOCK_BYTES + row * TABLE_DIMENSIONS
  const worthAt = (block: number, row: number) =>
    BLOCKS_AT + block * BLOCK_BYTES + BLOCK_ROWS * TABLE_DIMENSIONS + 4 * row
  // Growing moves the memory, so each use creates a new view.
  const bytesAt = (at: number) => new Int8Array(memory.buffer, at, TABLE_DIMENSIONS)
  const floatsAt = (at: number, count: number) => new Float32Array(memory.buffer, at, count)

  function write(block: number, row: number, { steps, worth }: Quantised): void {
    bytesAt(rowAt(block, row)).set(steps)
    floatsAt(worthAt(block, row), 1)[0] = worth
  }

  function cosineAt(block: number, row: number, { steps, worth }: Quantised): number {
    const there = bytesAt(rowAt(block, row))
    let sum = 0
    for (let d = 0; d < TABLE_DIMENSIONS; d++) sum += there[d]! * steps[d]!
    return sum * worth * floatsAt(worthAt(block, row), 1)[0]!
  }

  return {
    addBlock: () => {
      const block = free.pop() ?? blocks++
      const missing = BLOCKS_AT + blocks * BLOCK_BYTES - memory.buffer.byteLength
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
      return block
    },
    freeBlock: (block) => void free.push(block),
    write,
    cosineAt,
    cosines: (block, count, question) => {
      const { steps, worth } = quantise(question)
      new Int16Array(memory.buffer, QUERY_AT, TABLE_DIMENSIONS).set(steps)
      scan(rowAt(block, 0), worthAt(block, 0), count, QUERY_AT, TABLE_DIMENSIONS / 16, OUT_AT)
      const out = floatsAt(OUT_AT, count)
      for (let row = 0; row < count; row++) out[row]! *= worth
      return out
    },
  }
}
