// Decides what counts as a domain and its canonical spelling, for code that stores, looks up or compares domains
// (spec 2.1, 4.1).
import { getDomain } from 'tldts'
import { toAsciiName } from './idna.ts'

export type DomainResult = { ok: true; domain: string } | { ok: false; reason: string }

/**
 * The canonical spelling for storing and looking up a domain: a lower-case multi-label host name in A-labels, without
 * scheme, port, path, root dot and leading `www.`. Idempotent; never throws. `www.com` and `www.www.example.com` stay
 * unchanged: the remainder would not be a domain, or not in its own normal form.
 */
export function normaliseDomain(input: string): DomainResult {
  const host = normaliseHost(input)
  if (!host.ok || !REMOVABLE_WWW.test(host.domain)) return host
  return { ok: true, domain: host.domain.slice('www.'.length) }
}

/** Like `normaliseDomain`, but keeps a leading `www.`: the name used for a connection. */
export function normaliseHost(input: string): DomainResult {
  if (input.length <= MAX_LABEL_LENGTH && NORMAL.test(input)) return { ok: true, domain: input }

  const text = input.trim()
  if (text.length > MAX_INPUT_LENGTH) return refuse(`is longer than ${MAX_INPUT_LENGTH} characters`)
  if (CONTROL.test(text)) return refuse('holds a control character')

  const authority = text.replace(SCHEME, '').replace(PATH, '')
  const fault = authorityFault(authority)
  if (fault) return refuse(fault)

  const ascii = toAsciiName(authority.replace(PORT, ''))
  if (ascii === undefined) return refuse('is not a valid internationalised name')

  const host = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii
  const nameFault = hostFault(host)
  return nameFault ? refuse(nameFault) : { ok: true, domain: host }
}

/**
 * The registrable part of a host name (`example.co.uk` of `a.b.example.co.uk`), counting private suffixes, so two
 * customers of one hosting platform differ. Null for an IP address, a public suffix, a single label and anything that
 * is not a host name.
 */
export function registrableDomain(host: string): string | null {
  const named = normaliseHost(host)
  return named.ok ? getDomain(named.domain, SUFFIX_OPTIONS) : null
}

/** The registrable domain of a host, or the host itself if it has none. */
export function siteOf(host: string): string {
  return registrableDomain(host) ?? host
}

/** Whether two hosts have the same registrable domain; a host is always the same site as itself. */
export function sameSite(a: string, b: string): boolean {
  if (a.toLowerCase() === b.toLowerCase()) return true
  const site = registrableDomain(a)
  return site !== null && site === registrableDomain(b)
}

const MAX_NAME_LENGTH = 253
const MAX_LABEL_LENGTH = 63
const MAX_INPUT_LENGTH = 4096

// Handles the common case in one test without backtracking, for names so short that no label is too long. A-labels
// are left to the slow path, which checks their punycode; so are last labels that begin with a digit, which may be
// the end of an IP address.
const NORMAL = /^(?:(?!xn--)[a-z0-9]+(?:-+[a-z0-9]+)*\.)+(?!xn--)[a-z][a-z0-9]*(?:-+[a-z0-9]+)*$/
const REMOVABLE_WWW = /^www\.(?!www\.)[^.]+\./
const CONTROL = /\p{Cc}/u
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i
const PATH = /[/?#].*$/s
const PORT = /:\d{0,5}$/
const NUMERIC_END = /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/i
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
const SUFFIX_OPTIONS = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
} as const

const IS_ADDRESS = 'is an IP address'

function authorityFault(authority: string): string | undefined {
  if (authority === '') return 'is empty'
  if (authority.includes('@')) return 'carries a user name or password'
  if (/\s/.test(authority)) return 'holds white space'
  if (authority.includes('%') || authority.includes('\\')) return 'holds an escape'

  const host = authority.replace(PORT, '')
  if (host.startsWith('[') || authority.indexOf(':') !== authority.lastIndexOf(':')) {
    return IS_ADDRESS
  }
  if (host.includes(':')) return 'has a port that is not a number'
  if (NUMERIC_END.test(host)) return IS_ADDRESS
  return undefined
}

function hostFault(host: string): string | undefined {
  if (NUMERIC_END.test(host)) return IS_ADDRESS
  if (host.length > MAX_NAME_LENGTH) return `is longer than ${MAX_NAME_LENGTH} characters`

  const labels = host.split('.')
  if (labels.includes('')) return 'has an empty label between two dots'
  if (labels.length < 2) return 'is a single label'
  for (const label of labels) {
    if (label.length > MAX_LABEL_LENGTH) return `has a label over ${MAX_LABEL_LENGTH} characters`
    if (!LABEL.test(label)) {
      return 'has a label that is not letters, digits and inner hyphens only'
    }
  }
  return undefined
}

function refuse(fault: string): DomainResult {
  return { ok: false, reason: `The domain ${fault}; use a host name such as example.com.` }
}
