// The rows that pass the filters, cached while the catalogue does not change: a caller requests many audiences with
// the same targets and countries, and filtering a million rows takes longer than the scan.

import { type Passing, passingRows } from './candidates.ts'
import { createFilter, type Filter } from './filter.ts'
import type { SearchQuery } from './query.ts'
import type { SignalIndex } from './signal-index.ts'

export interface PassingCache {
  /** `pause` is called between two parts of the work; `caller` is who sent the query. */
  passing(
    query: SearchQuery,
    index: SignalIndex,
    by: { caller: string; pause: () => Promise<void> },
  ): Promise<readonly Passing[]>
}

/** One byte per signal in each of them. */
const KEPT = 16

interface Kept {
  caller: string
  passing: readonly Passing[]
}

export function createPassingCache(): PassingCache {
  const kept = new Map<string, Kept>()
  let of: SignalIndex | undefined
  let changes = -1
  return {
    passing: async (query, index, { caller, pause }) => {
      const { signal_spec: _, limit: __, offset: ___, among: named, ...conditions } = query
      const filter = () => createFilter(conditions, index.shared)
      if (named) return passingRows(index, among(named, index, filter()), pause)
      if (of !== index || changes !== index.changes) kept.clear()
      of = index
      changes = index.changes
      const key = JSON.stringify(conditions)
      const known = kept.get(key)
      if (known) return known.passing
      const passing = await passingRows(index, filter(), pause)
      // The catalogue may have changed while this was paused.
      if (of !== index || changes !== index.changes) return passing
      if (kept.size >= KEPT) forgetOne(kept)
      kept.set(key, { caller, passing })
      return passing
    },
  }
}

/**
 * Evicts the oldest entry of the caller that has the most: a caller with a hundred filters evicts its own entries,
 * not those of others.
 */
function forgetOne(kept: Map<string, Kept>): void {
  const counts = new Map<string, number>()
  for (const { caller } of kept.values()) counts.set(caller, (counts.get(caller) ?? 0) + 1)
  const most = Math.max(...counts.values())
  for (const [key, { caller }] of kept) {
    if (counts.get(caller) !== most) continue
    kept.delete(key)
    return
  }
}

/** Passes only the signals that were named. */
function among(ids: readonly string[], index: SignalIndex, filter: Filter): Filter {
  const wanted = new Map<object, Set<number>>()
  for (const id of ids) {
    const place = index.placeOf(id)
    if (place === undefined) continue
    const { block, row } = index.rowOf(place)
    wanted.set(block, (wanted.get(block) ?? new Set()).add(row))
  }
  return (block, passes) => {
    const rows = wanted.get(block)
    if (!rows) return 0
    filter(block, passes)
    let count = 0
    for (let row = 0; row < passes.length; row++) {
      if (!rows.has(row)) passes[row] = 0
      count += passes[row]!
    }
    return count
  }
}
