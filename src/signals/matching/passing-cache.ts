// What the filters let through, remembered while the catalogue does not change: a caller asks for many
// audiences with the same targets and countries, and a look at a million rows takes longer than the scan.

import { type Passing, passingRows } from './candidates.ts'
import { createFilter, type Filter } from './filter.ts'
import type { SearchQuery } from './search.ts'
import type { SignalIndex } from './signal-index.ts'

export interface PassingCache {
  passing(query: SearchQuery, index: SignalIndex): readonly Passing[]
}

/** A byte for each signal in each of them. */
const KEPT = 8

export function createPassingCache(): PassingCache {
  const kept = new Map<string, readonly Passing[]>()
  let of: SignalIndex | undefined
  let changes = -1
  return {
    passing: (query, index) => {
      const { spec: _, limit: __, offset: ___, among: named, ...conditions } = query
      const filter = () => createFilter(conditions, index.shared)
      if (named) return passingRows(index, among(named, index, filter()))
      if (of !== index || changes !== index.changes) kept.clear()
      of = index
      changes = index.changes
      const key = JSON.stringify(conditions)
      const known = kept.get(key)
      if (known) return known
      const passing = passingRows(index, filter())
      const [oldest] = kept.keys()
      if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest)
      kept.set(key, passing)
      return passing
    },
  }
}

/** Lets through only the signals that were named. */
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
