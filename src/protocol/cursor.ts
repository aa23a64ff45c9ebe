// Cursors of lists: opaque to callers, a position to us. Each is bound to its list, and to whatever else the position
// depends on, such as the order, so that a cursor of another list is refused and not misinterpreted.

import { isStorable } from '../lib/storable-text.ts'
import { tryJson } from '../lib/try-json.ts'
import { ProtocolError } from './errors.ts'

interface Parts {
  text: string
  integer: number
}
type Kind = keyof Parts
export type CursorPlace<K extends readonly Kind[]> = { -readonly [N in keyof K]: Parts[K[N]] }

/** `list`: its name and everything the position depends on. */
export function cursorOf(list: string, place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([list, ...place])).toString('base64url')
}

/** Undefined if it is broken, forged, or belongs to another list. */
export function readCursor<const K extends readonly Kind[]>(
  list: string,
  cursor: string,
  kinds: K,
): CursorPlace<K> | undefined {
  const parts = tryJson(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (!Array.isArray(parts) || parts.length !== kinds.length + 1 || parts[0] !== list) return
  const place: unknown[] = parts.slice(1)
  const isOfKind = (part: unknown, index: number) =>
    kinds[index] === 'text'
      ? typeof part === 'string' && isStorable(part)
      : Number.isSafeInteger(part)
  return place.every(isOfKind) ? (place as CursorPlace<K>) : undefined
}

export const NO_CURSOR =
  'this cursor does not belong to this list and these filters: use the cursor of the previous page, or start again without one'

/** The error for `/pagination/cursor` (spec 7). */
export function noCursor(): ProtocolError {
  return new ProtocolError('INVALID_REQUEST', `/pagination/cursor: ${NO_CURSOR}`, {
    issues: [{ pointer: '/pagination/cursor', message: NO_CURSOR, keyword: 'cursor' }],
  })
}

/** The position in `/pagination/cursor`; undefined without one. */
export function pageAfter<const K extends readonly Kind[]>(
  list: string,
  cursor: string | undefined,
  kinds: K,
): CursorPlace<K> | undefined {
  if (cursor === undefined) return undefined
  const place = readCursor(list, cursor, kinds)
  if (!place) throw noCursor()
  return place
}
