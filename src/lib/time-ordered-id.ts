// Ids that nobody guesses and that are ordered by when they were made (RFC 9562, version 7: 74 random bits
// after the milliseconds). Rows that are added together so lie together in an index, which costs a fraction
// of what random ids do.

import { randomUUID } from 'node:crypto'

export function timeOrderedId(now = Date.now()): string {
  const time = now.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
