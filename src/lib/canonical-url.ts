// The one spelling under which two URLs are compared: what the parser normalises, and besides the
// root dot of the host, escapes that need none, the fragment and the slashes at the end.

import { isUrl } from './is-url.ts'

/** Undefined for what is no http(s) URL of at most 2048 characters, or carries credentials. */
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
