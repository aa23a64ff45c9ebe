// Decides which redirects are followed, for the egress guard: only within the same site, and never from https to
// http. The target is then checked from scratch like any other URL.

import { isIP } from 'node:net'
import { getDomain } from 'tldts'
import { isUrl } from '../is-url.ts'
import { bareHost } from './check-url.ts'
import { refuse, type UrlCheck } from './outcome.ts'

/** The redirect target for a GET, or undefined if the response is not a redirect. */
export function redirectOf(status: number, headers: Record<string, string>): string | undefined {
  return REDIRECTS.has(status) ? headers.location : undefined
}

/** The target of a redirect within the same site, or why it is not followed. */
export function followRedirect(from: URL, location: string): UrlCheck {
  if (!isUrl(location, from.href)) {
    return refuse('redirect_refused', 'the redirect names no valid URL')
  }
  const target = new URL(location, from.href)
  target.hash = ''
  if (!isSameSite(from, target)) {
    return refuse('redirect_refused', 'the redirect leads to another site')
  }
  if (from.protocol === 'https:' && target.protocol !== 'https:') {
    return refuse('redirect_refused', 'the redirect leads from https: to another scheme')
  }
  return { ok: true, url: target }
}

/** The headers for the next hop: credentials are only sent to the origin they were meant for. */
export function headersFor(
  headers: Record<string, string>,
  from: URL,
  to: URL,
): Record<string, string> {
  if (from.origin === to.origin) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name)))
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization'])

function isSameSite(one: URL, other: URL): boolean {
  if (one.hostname === other.hostname) return true
  const site = siteOf(one)
  return site !== null && site === siteOf(other)
}

/** The registrable domain; null for an address, a single label or a public suffix. */
function siteOf(url: URL): string | null {
  const host = bareHost(url)
  return isIP(host) === 0 ? getDomain(host, { allowPrivateDomains: true }) : null
}
