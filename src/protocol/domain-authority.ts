// Which hosts have authority over a domain, for the proof that a manifest reference needs (spec 3.1). Names are
// compared in A-labels, so a look-alike is a different name.

import { normaliseHost, registrableDomain } from '../lib/host-name.ts'
import { isUrl } from '../lib/is-url.ts'
import type { ManifestType } from './manifest-reference.ts'

/** `domain` means the domain's own authority, `parent` that of the registrable domain above it. */
type Speaker = 'domain' | 'parent'

/** A host whose files are authoritative for a domain. */
export interface Word {
  of: Speaker
  host: string
}

/**
 * The hosts with authority over a domain in its normal form: the domain itself, and the registrable domain above it,
 * whose owner created it. No other parent, no subdomain, and no public suffix: below `github.io` each name belongs to
 * someone else.
 */
export function wordsFor(domain: string): readonly Word[] {
  const parent = registrableDomain(domain)
  const own: Word = { of: 'domain', host: domain }
  return parent === null || parent === domain ? [own] : [own, { of: 'parent', host: parent }]
}

/** Where a domain publishes a manifest of this type. */
export function wellKnownUrl(host: string, type: ManifestType): string {
  return `https://${host}/.well-known/${type}`
}

/** Whether a URL, in any spelling, is the well-known file of the host itself. */
export function isWellKnown(url: string, host: string, type: ManifestType): boolean {
  const found = originOf(url)
  return found?.host === host && found.path === `/.well-known/${type}` && found.search === ''
}

/**
 * Whether all of the URLs are on the host, or on the `www.` that the registry treats as the same name, at the default
 * port. A query could make a server return what a caller wrote into it, so a URL with one does not prove the host's
 * authority.
 */
export function areOn(urls: readonly string[], { host, of }: Word): boolean {
  return urls.length > 0 && urls.every((url) => isOn(url, host, of))
}

function isOn(url: string, host: string, of: Speaker): boolean {
  const found = originOf(url)
  if (found === undefined || found.search !== '') return false
  if (found.host === host) return true
  // Below a public suffix, www is a customer like any other, and among siblings it is a sibling.
  const isWww = found.host === `www.${host}` && of === 'domain'
  return isWww && registrableDomain(host) !== null
}

function originOf(text: string): { host: string; path: string; search: string } | undefined {
  if (!isUrl(text)) return undefined
  const url = new URL(text)
  // Another port may be another's server.
  if (!/^https?:$/.test(url.protocol) || url.port !== '') return undefined
  if (url.username !== '' || url.password !== '') return undefined
  const host = normaliseHost(url.hostname)
  return host.ok ? { host: host.domain, path: url.pathname, search: url.search } : undefined
}
