// Ids of a request that do not match anything visible to the caller: without a note, a list would look as if they
// were merely empty.

import { nearIds } from './near-ids.ts'
import type { CallContext } from './task.ts'

/** Adds a note for each id of the request that was not found, with its index in the list. */
export function noteMissing(
  { note }: Pick<CallContext, 'note'>,
  { field, ids, found, what, known = [] }: Missing,
): void {
  if (!note || ids === undefined) return
  const there = new Set(found)
  for (const [index, id] of ids.entries()) {
    if (there.has(id)) continue
    const near = nearIds(id, known).slice(0, MOST_NAMED)
    const meant = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''
    note(`${field}/${index}: no ${what} ${shortened(id)} was found${meant}`)
  }
}

export interface Missing {
  /** Pointer of the list in the request. */
  field: string
  ids: readonly string[] | undefined
  found: Iterable<string>
  /** What the ids are of: `media buy`. */
  what: string
  /** Ids that the caller may see, to name similar ones. Default none. */
  known?: Iterable<string>
}

const MOST_NAMED = 3

const MAX_CHARS = 100

function shortened(id: string): string {
  return id.length > MAX_CHARS ? `${id.slice(0, MAX_CHARS)}…` : id
}
