// Decides whether a manifest names the domain it is registered for, so that a valid file cannot verify a reference of
// someone else's domain (spec 3.1).

import { normaliseDomain, normaliseHost, registrableDomain } from '../lib/host-name.ts'
import { isUrl } from '../lib/is-url.ts'

/**
 * Whether any string of the document is a URL, a bare host name (or `*.` wildcard) or an e-mail address whose host is
 * the domain, a subdomain of it, or has the same registrable domain. Checks the first 200 000 values, 64 levels deep,
 * strings of up to 2 048 characters, and parses at most 1 000.
 */
export function namesDomain(document: unknown, domain: string): boolean {
  const normal = normaliseDomain(domain)
  if (!normal.ok) return false
  const wanted = { domain: normal.domain, site: registrableDomain(normal.domain) }

  // An explicit stack: a hostile document may be nested deeper than the call stack allows.
  const pending: { value: unknown; depth: number }[] = [{ value: document, depth: 0 }]
  let budget = MAX_VALUES
  let candidates = MAX_CANDIDATES
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next
    if (typeof value === 'string' && mayName(value, wanted)) {
      if (candidates-- <= 0) return false
      if (isNaming(value, wanted)) return true
    }
    if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) continue
    for (const child of Array.isArray(value) ? value : Object.values(value)) {
      if (budget-- <= 0) break
      pending.push({ value: child, depth: depth + 1 })
    }
  }
  return false
}

const MAX_VALUES = 200_000
const MAX_DEPTH = 64
/** Parsing a name is expensive, and a manifest of the domain names it before this limit. */
const MAX_CANDIDATES = 1_000
const MAX_STRING_LENGTH = 2_048
const BEYOND_ASCII = /\P{ASCII}/u
/** The label separators of a name, in every form that IDNA accepts. */
const DOT = /[.\u3002\uff0e\uff61]/

interface Wanted {
  domain: string
  site: string | null
}

function isNaming(text: string, { domain, site }: Wanted): boolean {
  const host = hostOf(text)
  if (host === undefined) return false
  if (isWithin(host, domain)) return true
  // Sharing a suffix is not enough: below a private suffix each customer is a separate site.
  return site !== null && isWithin(host, site) && registrableDomain(host) === site
}

// Avoids parsing nearly all strings; only one with non-ASCII characters may spell the name differently.
function mayName(text: string, { domain, site }: Wanted): boolean {
  if (text.length > MAX_STRING_LENGTH) return false
  if (BEYOND_ASCII.test(text)) return DOT.test(text) && !/\s/.test(text)
  return text.toLowerCase().includes(site ?? domain)
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

function hostOf(text: string): string | undefined {
  if (/\s/.test(text)) return undefined
  const written = text.includes('://') ? urlHost(text) : (mailHost(text) ?? bareHost(text))
  if (written === undefined) return undefined
  const host = normaliseHost(written)
  return host.ok ? host.domain : undefined
}

function urlHost(text: string): string | undefined {
  return isUrl(text) ? new URL(text).hostname : undefined
}

function mailHost(text: string): string | undefined {
  return /^(?:mailto:)?[^@:/?#]+@([^@:/?#]+)$/i.exec(text)?.[1]
}

function bareHost(text: string): string | undefined {
  return /^(?:\*\.)?([^@:/?#*]+)$/.exec(text)?.[1]
}
