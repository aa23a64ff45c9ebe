// An identifier derived from what it names (RFC 9562 version 8, over SHA-256): the same thing gets the same one
// everywhere, so "add it unless it exists" needs no lookup.

import { hash } from 'node:crypto'

export function namedUuid(name: string): string {
  const bytes = hash('sha256', name, 'buffer')
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex', 0, 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
