// The headers of an attempt in a column: one per line, as in a request, which is shorter than JSON and needs no
// quotes to escape. For a secret value, the line has the name only.

import { storable } from '../../../lib/storable-text.ts'
import { tryJsonObject } from '../../../lib/try-json.ts'
import type { SentHeaders } from '../../../webhooks/sender/store.ts'

/** No name contains a colon or a line break, and no value a line break: they were sent. */
export function writeHeaders(headers: SentHeaders): string {
  const lines = Object.entries(headers).map(([name, value]) =>
    value === null ? name : `${name}: ${value}`,
  )
  return storable(lines.join('\n'))
}

/** Older rows have a JSON object instead; no header name begins with a brace (RFC 9110 §5.6.2). */
export function readHeaders(text: string): SentHeaders {
  if (text.startsWith('{')) return (tryJsonObject(text) ?? {}) as SentHeaders
  const lines = text === '' ? [] : text.split('\n')
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.indexOf(': ')
      return end < 0 ? [line, null] : [line.slice(0, end), line.slice(end + 2)]
    }),
  )
}
