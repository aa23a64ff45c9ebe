// The signed URL, as far as a server can know it (spec 5): the requested URL, at the address that the operator
// configured or otherwise at the one in the request itself.

import { trimEnd } from '../../../lib/trim-end.ts'

export interface UrlOptions {
  /**
   * Scheme, host and optionally a path prefix for the requested one: `https://hooks.buyer.example`. Set it in
   * production: without it the Host header decides, and a delivery that a seller signed for another receiver is
   * accepted here if someone forwards it with that receiver's Host. Default: none.
   */
  baseUrl?: string
  /** Take scheme and host from X-Forwarded-Proto and -Host, which a proxy must set. Default false. */
  trustProxy?: boolean
}

interface Requested {
  /** The request target as received: a path with its query, or an absolute URL. */
  target: string
  isEncrypted: boolean
  /** Names and values in turn. */
  headers: readonly string[]
}

/** Never passed through a URL parser: a different spelling means a different signature. */
export function asSigned(
  requested: Requested,
  options: UrlOptions,
): { url: string; headers: string[] } {
  const url = urlOf(requested, options)
  const host = ORIGIN.exec(url)?.[1] ?? ''
  // Behind a proxy, the Host header is not the one that the sender called.
  const headers = requested.headers.map((value, at) =>
    at % 2 === 1 && requested.headers[at - 1]?.toLowerCase() === 'host' ? host : value,
  )
  return { url, headers }
}

const ORIGIN = /^https?:\/\/([^/?#]*)/i

function urlOf(requested: Requested, { baseUrl, trustProxy = false }: UrlOptions): string {
  const { target, isEncrypted } = requested
  if (baseUrl !== undefined) return trimEnd(baseUrl, '/') + target.replace(ORIGIN, '')
  if (ORIGIN.test(target)) return target
  const forwarded = (name: string) =>
    trustProxy ? headerOf(requested, `x-forwarded-${name}`)?.split(',')[0]?.trim() : undefined
  const scheme = forwarded('proto') ?? (isEncrypted ? 'https' : 'http')
  return `${scheme}://${forwarded('host') ?? headerOf(requested, 'host') ?? ''}${target}`
}

function headerOf({ headers }: Requested, name: string): string | undefined {
  const at = headers.findIndex((key, n) => n % 2 === 0 && key.toLowerCase() === name)
  return at < 0 ? undefined : headers[at + 1]
}

/** The last segment of a path, which names the route unless an option says otherwise. */
export function lastSegment(target: string): string {
  const path = target.replace(ORIGIN, '').split(/[?#]/, 1)[0] ?? ''
  const segment = trimEnd(path, '/').split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
