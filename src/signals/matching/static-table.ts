// The distilled table: a vector for each word piece, of which a text's vector is the sum. Made by
// scripts/distill-word-pieces.mjs from the sentence model; needs no package and some microseconds a text.

import { readFileSync } from 'node:fs'
import { createWordPieces, type WordPieces } from './word-pieces.ts'

export const TABLE_DIMENSIONS = 128

export interface StaticTable {
  /** Of no particular length; all zeros when no word of the text is known. */
  vectorOf(text: string): Float32Array
  readonly wordPieces: WordPieces
}

let loaded: StaticTable | undefined

/** The one that comes with the program, read at the first call. */
export function staticTable(): StaticTable {
  loaded ??= readTable(new URL('./table/', import.meta.url))
  return loaded
}

function readTable(folder: URL): StaticTable {
  const pieces = readFileSync(new URL('word-pieces.txt', folder), 'utf8').trimEnd().split('\n')
  const bytes = new Uint8Array(readFileSync(new URL('vectors.bin', folder)))
  const size = pieces.length * TABLE_DIMENSIONS
  if (bytes.length !== size + 4 * pieces.length) {
    throw new Error(
      `table/vectors.bin has ${bytes.length} bytes, and ${pieces.length} word pieces need ${size + 4 * pieces.length}: run scripts/distill-word-pieces.mjs`,
    )
  }
  const worths = new Float32Array(bytes.buffer.slice(size))
  // As floats they take four times the room, 16 MB, and half the time.
  const rows = Float32Array.from(new Int8Array(bytes.buffer, 0, size))
  for (let at = 0; at < size; at++) rows[at]! *= worths[Math.floor(at / TABLE_DIMENSIONS)]!
  const wordPieces = createWordPieces(pieces)
  return {
    wordPieces,
    vectorOf: (text) => {
      const sum = new Float32Array(TABLE_DIMENSIONS)
      for (const id of wordPieces.idsOf(text)) {
        const from = id * TABLE_DIMENSIONS
        for (let d = 0; d < TABLE_DIMENSIONS; d++) sum[d]! += rows[from + d]!
      }
      return sum
    },
  }
}
