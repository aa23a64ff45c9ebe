// Canonical JSON (RFC 8785): members in the order of their UTF-16 code units, numbers as ECMAScript writes them, no
// white space. Equal values have equal texts, whatever the order of their members was.

import { createHash } from 'node:crypto'

/** For values that JSON.parse returns; undefined members are omitted, as in JSON.stringify. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

/** A hash of the canonical text: equal only for equal values. */
export function canonicalDigest(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url')
}
