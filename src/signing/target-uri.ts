// Determines the canonical `@target-uri` and `@authority` that are signed (spec 5; RFC 9421 §2.2.2, §2.2.3). Works on
// the raw text: a URL parser would rewrite addresses, dots and queries.

import { createRecentCache } from '../lib/recent-cache.ts'
import { asciiHost, type HostResult, hasNonAscii, ipv6Host, unicodeHost } from './ascii-host.ts'

export interface TargetUri {
  ok: true
  scheme: 'http' | 'https'
  targetUri: string
  authority: string
}

/** `unicode_host` is a separate error: a verifier must receive ASCII (spec 5). */
export interface TargetUriFault {
  ok: false
  fault: 'malformed' | 'unicode_host'
  reason: string
}

export interface TargetUriOptions {
  /** Whether an internationalised host is converted, as signers do, or refused. */
  allowUnicodeHost: boolean
}

/** The canonical form of an absolute http or https URL by the eight rules; idempotent. */
export function canonicalTargetUri(
  url: string,
  options: TargetUriOptions,
): TargetUri | TargetUriFault {
  if (url.length > MAX_CACHED_LENGTH) return canonicalise(url, options)
  const cache = options.allowUnicodeHost ? toSign : toVerify
  const known = cache.get(url)
  if (known) return known
  const result = canonicalise(url, options)
  cache.set(url, result)
  return result
}

/** The canonical form of a `Host` header or `:authority`; user names are refused there. */
export function canonicalAuthority(
  authority: string,
  scheme: 'http' | 'https',
  { allowUnicodeHost }: TargetUriOptions,
): { ok: true; authority: string } | TargetUriFault {
  const parts = AUTHORITY.exec(authority)
  if (!parts) return malformed('the authority is not a host with an optional port')
  const [, bracketed, name = '', port = ''] = parts

  const host = hostOf(bracketed, name, allowUnicodeHost)
  if ('fault' in host) return host
  if (!host.ok) return malformed(host.reason)
  if (!PORT.test(port)) return malformed('the port is not a number from 0 to 65535')
  if (port === '' || port === DEFAULT_PORTS[scheme]) return { ok: true, authority: host.host }
  return { ok: true, authority: `${host.host}:${port}` }
}

// Senders and receivers use the same few URLs again and again.
const CACHE_SIZE = 1_024
const MAX_CACHED_LENGTH = 1_024
const toSign = createRecentCache<TargetUri | TargetUriFault>(CACHE_SIZE)
const toVerify = createRecentCache<TargetUri | TargetUriFault>(CACHE_SIZE)

const URI = /^(https?):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(?:#.*)?$/is
const AUTHORITY = /^(?:\[([^[\]]*)\]|([^:[\]@\\]*))(?::(.*))?$/s
const PORT = /^(?:0|[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])?$/
const DEFAULT_PORTS = { http: '80', https: '443' } as const
const VISIBLE = /^[\x21-\x7e]*$/
const BROKEN_TRIPLET = /%(?![0-9A-Fa-f]{2})/
const TRIPLET = /%[0-9A-Fa-f]{2}/g
const UNRESERVED = /[A-Za-z0-9._~-]/

function canonicalise(url: string, options: TargetUriOptions): TargetUri | TargetUriFault {
  const parts = URI.exec(url)
  if (!parts) return malformed('not an absolute http or https URL')
  const scheme = parts[1]!.toLowerCase() === 'https' ? 'https' : 'http' // rule 1
  const stripped = withoutUserinfo(parts[2]!) // rule 3
  if (stripped === undefined) return malformed('the user name or password cannot be read')
  const authority = canonicalAuthority(stripped, scheme, options) // rules 2 and 4
  if (!authority.ok) return authority

  const path = canonicalPath(parts[3]!) // rules 5 and 6
  if (!path.ok) return path
  const query = parts[4] ?? '' // rule 7: byte for byte; rule 8: the fragment is gone
  if (!VISIBLE.test(query)) return malformed('the query has white space or a byte outside ASCII')
  const targetUri = `${scheme}://${authority.authority}${path.path}${query}`
  return { ok: true, scheme, targetUri, authority: authority.authority }
}

function withoutUserinfo(authority: string): string | undefined {
  const at = authority.indexOf('@')
  if (at < 0) return authority
  // Parsers disagree about which of two @ ends the user name, and so about which host it is.
  if (!VISIBLE.test(authority.slice(0, at)) || authority.includes('\\')) return undefined
  return authority.indexOf('@', at + 1) < 0 ? authority.slice(at + 1) : undefined
}

function hostOf(
  bracketed: string | undefined,
  name: string,
  allowUnicodeHost: boolean,
): HostResult | TargetUriFault {
  if (bracketed !== undefined) return ipv6Host(bracketed)
  if (!hasNonAscii(name)) return asciiHost(name)
  if (allowUnicodeHost) return unicodeHost(name)
  return { ok: false, fault: 'unicode_host', reason: 'the host is not in A-labels' }
}

function canonicalPath(path: string): { ok: true; path: string } | TargetUriFault {
  if (path === '') return { ok: true, path: '/' }
  if (!VISIBLE.test(path)) return malformed('the path has white space or a byte outside ASCII')
  if (path.includes('\\')) return malformed('the path has a backslash')
  const withoutDots = path.includes('/.') ? removeDotSegments(path) : path
  if (!withoutDots.includes('%')) return { ok: true, path: withoutDots }

  if (BROKEN_TRIPLET.test(withoutDots)) return malformed('the path has a % without two hex digits')
  const decoded = withoutDots.replace(TRIPLET, canonicalTriplet)
  // Dots that only appear after decoding would be a dot segment for some parsers and a name for others.
  if (removeDotSegments(decoded) !== decoded)
    return malformed('the path has an escaped dot segment')
  return { ok: true, path: decoded }
}

/** RFC 3986 §5.2.4 for a path that starts with a slash; empty segments are kept. */
function removeDotSegments(path: string): string {
  const segments = path.slice(1).split('/')
  const kept: string[] = []
  for (const [n, segment] of segments.entries()) {
    const isDots = segment === '.' || segment === '..'
    if (segment === '..') kept.pop()
    if (!isDots) kept.push(segment)
    else if (n === segments.length - 1) kept.push('')
  }
  return `/${kept.join('/')}`
}

function canonicalTriplet(triplet: string): string {
  const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16))
  return UNRESERVED.test(character) ? character : triplet.toUpperCase()
}

function malformed(reason: string): TargetUriFault {
  return { ok: false, fault: 'malformed', reason }
}
