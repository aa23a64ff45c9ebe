// The signals that are worth an exact look: those nearest by the distilled table, and those with the
// most of the words. In a small catalogue, all that pass the filters.

import { keepBest } from './best.ts'
import type { Block } from './columns.ts'
import type { Filter } from './filter.ts'
import type { Question } from './question.ts'
import { BLOCK_ROWS } from './scanner.ts'
import type { SignalIndex } from './signal-index.ts'
import { sortInSlices } from './sort-in-slices.ts'

/** Up to so many are all looked at. */
const ALL_UP_TO = 5_000
const NEAREST = 200
/** Rows times questions that are compared one by one; beyond, an intent's wordings are taken together. */
const MOST_COMPARISONS = 500_000

/** Places of the candidates, by id. `intents`: the wordings of each. Pauses between two blocks. */
export async function findCandidates(
  index: SignalIndex,
  passing: readonly Passing[],
  intents: readonly (readonly Question[])[],
  pause: () => Promise<void>,
): Promise<number[]> {
  const total = passing.reduce((sum, { count }) => sum + count, 0)
  const found =
    total <= ALL_UP_TO ? allOf(passing) : await nearestOf(index, passing, intents, pause)
  const compare = (a: number, b: number) => compareIds(index, a, b)
  return sortInSlices(found, { compare, pause })
}

/** The rows of a block that the filters let through. */
export interface Passing {
  block: Block
  first: number
  passes: Uint8Array
  count: number
}

/** Pauses between two blocks. */
export async function passingRows(
  index: SignalIndex,
  filter: Filter,
  pause: () => Promise<void>,
): Promise<Passing[]> {
  const all: Passing[] = []
  for (const { block, first } of [...index.blocks()]) {
    if (all.length > 0) await pause()
    const passes = new Uint8Array(block.used)
    const count = filter(block, passes)
    if (count > 0) all.push({ block, first, passes, count })
  }
  return all
}

export function allOf(passing: readonly Passing[]): number[] {
  const places: number[] = []
  for (const { first, passes } of passing)
    for (let row = 0; row < passes.length; row++) if (passes[row]) places.push(first + row)
  return places
}

async function nearestOf(
  index: SignalIndex,
  passing: readonly Passing[],
  intents: readonly (readonly Question[])[],
  pause: () => Promise<void>,
): Promise<number[]> {
  const wordings = intents.flat()
  const isMany = wordings.length * index.size > MOST_COMPARISONS
  const vectors = isMany ? intents.map(sumOfUnits) : wordings.map(({ tableVector }) => tableVector)
  const places = new Set<number>()
  const isBefore = (a: number, b: number) => compareIds(index, a, b) < 0
  const byMeaning = vectors.map(() => keepBest(NEAREST, isBefore))
  const byWords = wordings.map(() => keepBest(NEAREST, isBefore))
  const sums = new Float32Array(BLOCK_ROWS)
  for (const { block, first, passes } of passing) {
    for (const [at, vector] of vectors.entries()) {
      await pause()
      const cosines = index.scanner.cosines(block.vectors, block.used, vector)
      const best = byMeaning[at]!
      for (let row = 0; row < passes.length; row++) {
        if (cosines[row]! >= best.least && passes[row]) best.offer(first + row, cosines[row]!)
      }
    }
    await pause()
    for (const [at, question] of wordings.entries()) {
      sumWords(block, question, sums)
      const best = byWords[at]!
      for (let row = 0; row < passes.length; row++) {
        const sum = sums[row]!
        if (sum > 0 && sum >= best.least && passes[row]) best.offer(first + row, sum)
      }
    }
  }
  for (const best of [...byMeaning, ...byWords]) {
    for (const { item } of best.take()) places.add(item)
  }
  return [...places]
}

/** BM25 of every row of a block. */
function sumWords(block: Block, { words }: Question, sums: Float32Array): void {
  sums.fill(0, 0, block.used)
  for (const { terms, weight } of words) {
    for (const term of terms) {
      const entries = block.postings.of(term)
      if (!entries) continue
      const { rows, impacts } = entries
      for (let at = 0; at < rows.length; at++) sums[rows[at]!]! += weight * impacts[at]!
    }
  }
}

function sumOfUnits(wordings: readonly Question[]): Float32Array {
  const sum = new Float32Array(wordings[0]?.tableVector.length ?? 0)
  for (const { tableVector } of wordings) {
    const length = Math.hypot(...tableVector)
    if (length > 0) for (let d = 0; d < sum.length; d++) sum[d]! += tableVector[d]! / length
  }
  return sum
}

/** Ids in the order of their bytes. */
export function compareIds(index: SignalIndex, a: number, b: number): number {
  const [left, right] = [index.rowOf(a), index.rowOf(b)]
  return Buffer.compare(left.block.ids.bytes(left.row), right.block.ids.bytes(right.row))
}
