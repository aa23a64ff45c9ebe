// The words of the concepts, in all languages, as a table of hashes. `npm run messages:train` makes it from data/concepts.

import { readFileSync } from 'node:fs'

export interface ConceptTable {
  /** Concept names and language codes; a meaning refers to them by index. */
  concepts: readonly string[]
  languages: readonly string[]
  /** Sorted; a form with several meanings has several rows. */
  hashes: Uint32Array
  /** For each row: the index of the language in the upper six bits, that of the concept in the lower ten. */
  meanings: Uint16Array
  /** The index of the first row whose hash has these upper bits. */
  starts: Uint32Array
}

/** The number of hash bits in the index. */
const INDEX_BITS = 14
export const CONCEPT_BITS = 10

let loaded: ConceptTable | undefined

export function conceptTable(): ConceptTable {
  loaded ??= tableOf(readFileSync(new URL('./concepts.bin', import.meta.url)))
  return loaded
}

/** A JSON header preceded by its length, then all hashes, then all meanings. */
function tableOf(file: Uint8Array): ConceptTable {
  const bytes = new Uint8Array(file)
  const [length] = new Uint32Array(bytes.buffer, 0, 1) as unknown as [number]
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)))
  const { concepts, languages, rows } = head as {
    concepts: string[]
    languages: string[]
    rows: number
  }
  const from = Math.ceil((4 + length) / 4) * 4
  const hashes = new Uint32Array(bytes.buffer, from, rows)
  const meanings = new Uint16Array(bytes.buffer, from + rows * 4, rows)
  return { concepts, languages, hashes, meanings, starts: startsOf(hashes) }
}

function startsOf(hashes: Uint32Array): Uint32Array {
  const starts = new Uint32Array((1 << INDEX_BITS) + 1)
  let row = 0
  for (let bits = 0; bits < starts.length; bits++) {
    while (row < hashes.length && (hashes[row] as number) >>> (32 - INDEX_BITS) < bits) row++
    starts[bits] = row
  }
  return starts
}

/** The first row of a hash, or -1. */
export function rowOf({ hashes, starts }: ConceptTable, hash: number): number {
  const bits = hash >>> (32 - INDEX_BITS)
  const end = starts[bits + 1] as number
  for (let row = starts[bits] as number; row < end; row++) {
    const one = hashes[row] as number
    if (one === hash) return row
    if (one > hash) return -1
  }
  return -1
}
