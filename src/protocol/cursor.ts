// Cursors of lists: opaque to callers, a place to us. Each is bound to the list it is of, and to whatever
// else its place depends on, such as the order, so that one of another list is refused and not misread.

import { isStorable } from '../lib/storable-text.ts'
import { tryJson } from '../lib/try-json.ts'
import { ProtocolError } from './errors.ts'

interface Parts {
  text: string
  integer: number
}
type Kind = keyof Parts
export type CursorPlace<K extends readonly Kind[]> = { -readonly [N in keyof K]: Parts[K[N]] }

/** `list`: its name and what the place depends on. */
export function cursorOf(list: string, place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([list, ...place])).toString('base64url')
}

/** Undefined when it is broken, forged, or of another list. */
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

/** The refusal of `/pagination/cursor` (spec 7). */
export function noCursor(): ProtocolError {
  return new ProtocolError('INVALID_REQUEST', `/pagination/cursor: ${NO_CURSOR}`, {
    issues: [{ pointer: '/pagination/cursor', message: NO_CURSOR, keyword: 'cursor' }],
  })
}

/** The place of `/pagination/cursor`; undefined without one. */
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
