// A request as its caller signed it, as far as a server can know it before the body is read (spec 5): the public
// address of this server, not the one a proxy substituted, and every header line as received.

import type { IncomingMessage } from 'node:http'
import { trimEnd } from '../lib/trim-end.ts'
import type { MessageHead } from '../signing/verify-steps.ts'

export interface SignedUrls {
  /** Where others reach this server. */
  publicUrl: () => string
  /**
   * Whether the operator configured that address: then a proxy may be in front of the server, and its Host header is
   * ignored.
   */
  isNamed: boolean
}

/** Undefined for a request without any part of a signature. */
export function signedHead(request: IncomingMessage, urls: SignedUrls): MessageHead | undefined {
  const { headers, method = '', url = '' } = request
  if (headers.signature === undefined && headers['signature-input'] === undefined) return undefined
  const base = trimEnd(urls.publicUrl(), '/')
  const lines = linesOf(request)
  if (urls.isNamed) lines.set('host', [ORIGIN.exec(base)?.[1] ?? ''])
  return {
    method,
    // An absolute form names its own server, which is ignored: only its path is used.
    url: base + url.replace(ORIGIN, ''),
    headers: Object.fromEntries(lines),
    hasBody: hasBody(request),
  }
}

const ORIGIN = /^https?:\/\/([^/?#]*)/i

/** Node joins some lines and drops others: two of a covered header must not look like one. */
function linesOf({ rawHeaders }: IncomingMessage): Map<string, string[]> {
  const lines = new Map<string, string[]>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase()
    const value = rawHeaders[at + 1] as string
    const known = lines.get(name)
    if (known) known.push(value)
    else lines.set(name, [value])
  }
  return lines
}

/** The body of a GET is never read, so it has none. */
function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  if (headers['transfer-encoding'] !== undefined) return true
  return Number(headers['content-length'] ?? 0) > 0
}
