// The canonical form for comparing two URLs: what the parser normalises, and in addition the root dot of the host,
// unnecessary escapes, the fragment and trailing slashes.

import { isUrl } from './is-url.ts'

/** Undefined unless it is an http(s) URL of at most 2048 characters without credentials. */
export function canonicalUrl(text: string): string | undefined {
  if (text.length > MAX_CHARS || !isUrl(text)) return undefined
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    return undefined
  }
  const host = url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname
  const port = url.port === '' ? '' : `:${url.port}`
  return `${url.protocol}//${host}${port}${canonicalPath(url.pathname)}${url.search}`
}

const MAX_CHARS = 2_048

function canonicalPath(path: string): string {
  const plain = path.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return UNRESERVED.test(character) ? character : escaped.toUpperCase()
  })
  let end = plain.length
  while (plain.charAt(end - 1) === '/') end--
  return plain.slice(0, end)
}

/** RFC 3986 §2.3. */
const UNRESERVED = /^[A-Za-z0-9._~-]$/
