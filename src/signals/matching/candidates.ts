// The signals that are worth an exact comparison: those nearest by the distilled table, and those that share the most
// words. In a small catalogue, all that pass the filters.

import { keepBest } from './best.ts'
import type { Block } from './columns.ts'
import type { Filter } from './filter.ts'
import type { Question } from './question.ts'
import { BLOCK_ROWS } from './scanner.ts'
import type { SignalIndex } from './signal-index.ts'
import { sortInSlices } from './sort-in-slices.ts'

/** Up to this number, all are examined. */
const ALL_UP_TO = 5_000
const NEAREST = 200
/** Candidates among the rows that the filters exclude, for the report about them. */
const NEAREST_HIDDEN = 100
/** Maximum of rows times questions that are compared one by one; above it, the wordings of an intent are merged. */
const MOST_COMPARISONS = 500_000

interface CandidateSearch {
  /** The wordings of each intent. */
  intents: readonly (readonly Question[])[]
  pause: () => Promise<void>
}

export interface Candidates {
  found: number[]
  hidden: number[]
}

/**
 * Places of the candidates among the rows that pass, and among those that the filters exclude, each by id. Pauses
 * between two blocks.
 */
export async function findCandidates(
  index: SignalIndex,
  { passing, hidden }: { passing: readonly Passing[]; hidden: readonly Passing[] },
  search: CandidateSearch,
): Promise<Candidates> {
  const isAll = countOf(passing) <= ALL_UP_TO
  const [nearest, nearestHidden] = await nearestOf(
    index,
    [
      { of: isAll ? [] : passing, keep: NEAREST },
      { of: hidden, keep: NEAREST_HIDDEN },
    ],
    search,
  )
  const compare = (a: number, b: number) => compareIds(index, a, b)
  const { pause } = search
  const sorted = (places: number[]) => sortInSlices(places, { compare, pause })
  return {
    found: await sorted(isAll ? allOf(passing) : nearest!),
    hidden: await sorted(nearestHidden!),
  }
}

/** The rows of a block that pass the filters. */
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

export function countOf(passing: readonly Passing[]): number {
  return passing.reduce((sum, { count }) => sum + count, 0)
}

/** The elements of the first that are not in the second; both belong to the same index. */
export function without(all: readonly Passing[], some: readonly Passing[]): Passing[] {
  const taken = new Map(some.map(({ block, passes }) => [block, passes]))
  return all.flatMap((one) => {
    const out = taken.get(one.block)
    if (!out) return [one]
    const passes = one.passes.map((is, row) => is & ~(out[row] ?? 0))
    const count = passes.reduce((sum, is) => sum + is, 0)
    return count > 0 ? [{ ...one, passes, count }] : []
  })
}

export function allOf(passing: readonly Passing[]): number[] {
  const places: number[] = []
  for (const { first, passes } of passing)
    for (let row = 0; row < passes.length; row++) if (passes[row]) places.push(first + row)
  return places
}

/** A set of rows, and how many of its nearest are kept for each question. */
interface Kept {
  of: readonly Passing[]
  keep: number
}

/** The nearest rows of each set, with one scan for all sets. */
async function nearestOf(
  index: SignalIndex,
  sets: readonly Kept[],
  { intents, pause }: CandidateSearch,
): Promise<number[][]> {
  const wordings = intents.flat()
  const isMany = wordings.length * index.size > MOST_COMPARISONS
  const vectors = isMany ? intents.map(sumOfUnits) : wordings.map(({ tableVector }) => tableVector)
  const isBefore = (a: number, b: number) => compareIds(index, a, b) < 0
  const best = sets.map(({ keep }) => ({
    byMeaning: vectors.map(() => keepBest(keep, isBefore)),
    byWords: wordings.map(() => keepBest(keep, isBefore)),
  }))
  const sums = new Float32Array(BLOCK_ROWS)
  for (const { block, rows } of byBlock(sets)) {
    for (const [at, vector] of vectors.entries()) {
      await pause()
      const cosines = index.scanner.cosines(block.vectors, block.used, vector)
      for (const { set, first, passes } of rows) {
        const kept = best[set]!.byMeaning[at]!
        for (let row = 0; row < passes.length; row++) {
          if (cosines[row]! >= kept.least && passes[row]) kept.offer(first + row, cosines[row]!)
        }
      }
    }
    await pause()
    for (const [at, question] of wordings.entries()) {
      sumWords(block, question, sums)
      for (const { set, first, passes } of rows) {
        const kept = best[set]!.byWords[at]!
        for (let row = 0; row < passes.length; row++) {
          const sum = sums[row]!
          if (sum > 0 && sum >= kept.least && passes[row]) kept.offer(first + row, sum)
        }
      }
    }
  }
  return best.map(({ byMeaning, byWords }) => {
    const items = [...byMeaning, ...byWords].flatMap((kept) => kept.take().map(({ item }) => item))
    return [...new Set(items)]
  })
}

type RowsOfSet = Passing & { set: number }

/** Each block that contains rows of any of the sets, with those rows. */
function byBlock(sets: readonly Kept[]): { block: Block; rows: RowsOfSet[] }[] {
  const blocks = new Map<Block, RowsOfSet[]>()
  for (const [set, { of }] of sets.entries()) {
    for (const one of of) {
      const rows = blocks.get(one.block) ?? []
      rows.push({ ...one, set })
      blocks.set(one.block, rows)
    }
  }
  return [...blocks].map(([block, rows]) => ({ block, rows }))
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
