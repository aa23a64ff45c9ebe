// Ids of a request that name nothing the caller can see: a list without them looks as if they had nothing to show.

import type { CallContext } from './task.ts'

/** Adds a note for each id of the request that was not found, by its place in the list. */
export function noteMissing(
  { note }: Pick<CallContext, 'note'>,
  { field, ids, found, what }: Missing,
): void {
  if (!note || ids === undefined) return
  const known = new Set(found)
  for (const [index, id] of ids.entries()) {
    if (!known.has(id)) note(`${field}/${index}: no ${what} ${shortened(id)} was found`)
  }
}

export interface Missing {
  /** Pointer of the list in the request. */
  field: string
  ids: readonly string[] | undefined
  found: Iterable<string>
  /** What the ids are of: `media buy`. */
  what: string
}

const MAX_CHARS = 100

function shortened(id: string): string {
  return id.length > MAX_CHARS ? `${id.slice(0, MAX_CHARS)}…` : id
}
