// Processes a long list in chunks, one after the other, and lets other callers run in between.

import { createPacer, type PacerOptions } from './pacer.ts'

export function eachChunk<T>(
  list: readonly T[],
  size: number,
  work: (chunk: readonly T[]) => Promise<void>,
): Promise<void> {
  return runChunks(list, size, { work })
}

/** For work in a transaction, which has priority over that of others. */
export function eachChunkInTransaction<T>(
  list: readonly T[],
  size: number,
  work: (chunk: readonly T[]) => Promise<void>,
): Promise<void> {
  return runChunks(list, size, { work, isInTransaction: true })
}

interface ChunkWork<T> extends PacerOptions {
  work: (chunk: readonly T[]) => Promise<void>
}

async function runChunks<T>(
  list: readonly T[],
  size: number,
  { work, ...pacing }: ChunkWork<T>,
): Promise<void> {
  const pacer = createPacer(pacing)
  for (let first = 0; first < list.length; first += size) {
    await work(list.length <= size ? list : list.slice(first, first + size))
    if (pacer.isDue()) await pacer.pause()
  }
}

/** The same for each entry, for synchronous work. */
export async function mapPaced<T, R>(
  list: readonly T[],
  work: (entry: T) => R,
  options: PacerOptions = {},
): Promise<R[]> {
  const pacer = createPacer(options)
  const results: R[] = []
  for (const entry of list) {
    results.push(work(entry))
    if (pacer.isDue()) await pacer.pause()
  }
  return results
}

/** Those of a list that pass. */
export async function filterPaced<T>(
  list: readonly T[],
  passes: (entry: T) => boolean,
): Promise<T[]> {
  const passing = await mapPaced(list, (entry) => (passes(entry) ? [entry] : []))
  return passing.flat()
}

/** Consecutive entries whose total weight is at most `most`, or a single entry. */
export function groupsOf<T>(
  list: readonly T[],
  weightOf: (entry: T) => number,
  most: number,
): T[][] {
  const groups: T[][] = []
  let total = Number.POSITIVE_INFINITY
  for (const entry of list) {
    const weight = weightOf(entry)
    total += weight
    if (total <= most) groups.at(-1)?.push(entry)
    else {
      groups.push([entry])
      total = weight
    }
  }
  return groups
}
