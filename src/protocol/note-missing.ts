// Ids of a request that do not match anything visible to the caller: without a note, a list would look as if they
// were merely empty.

import type { CallContext } from './task.ts'

/** Adds a note for each id of the request that was not found, with its index in the list. */
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
