// Whether a URL may be requested at all, decided from its text alone, for the egress guard. The addresses behind a
// host name are checked later, after resolution.

import { isIP } from 'node:net'
import { parseUrl } from '../is-url.ts'
import { type AllowList, checkAddress, mayReachLoopback } from './addresses.ts'
import { type Refusal, refuse, type UrlCheck } from './outcome.ts'

export interface UrlPolicy {
  allow: AllowList
  allowHttp: boolean
}

/** Accepts an absolute URL whose scheme, host and literal address are suitable for a request. */
export function checkUrl(text: string, policy: UrlPolicy): UrlCheck {
  if (text.length > MAX_URL_LENGTH) {
    return refuse('invalid_url', `the URL is longer than ${MAX_URL_LENGTH} characters`)
  }
  // URL parsers disagree about white space, control characters and backslashes.
  const url = AMBIGUOUS.test(text) ? undefined : parseUrl(text)
  if (!url) return notAUrl()
  const scheme = checkScheme(url, policy)
  if (scheme !== null) return scheme

  const authority = AUTHORITY.exec(text)?.[1]
  if (authority === undefined || url.hostname === '' || url.port === '0') return notAUrl()
  if (authority.includes('@')) {
    return refuse(
      'credentials_in_url',
      'the URL carries a user name or password; send credentials in a header instead',
    )
  }
  return checkHost(url, policy) ?? { ok: true, url }
}

/** The host without brackets, as passed to a resolver or a socket. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** Plain http is only for allowed addresses: on the public internet anyone could read it. */
export function checkSchemeFor(url: URL, verdict: 'public' | 'allowed'): Refusal | null {
  if (url.protocol === 'https:' || verdict === 'allowed') return null
  return refuse('scheme_refused', 'the scheme is http: where a public address requires https:')
}

const MAX_URL_LENGTH = 2048
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const AMBIGUOUS = /[\u0000-\u0020\u007f\\]/
const AUTHORITY = /^[a-z]+:\/\/([^/?#]+)/i

/** Names that have a meaning only inside a network, by RFC 6761, RFC 6762, RFC 8375 or convention. */
const INTERNAL_SUFFIXES = [
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'onion',
]

function notAUrl(): Refusal {
  return refuse('invalid_url', 'not an absolute URL such as https://example.com/path')
}

function checkScheme(url: URL, policy: UrlPolicy): Refusal | null {
  if (url.protocol === 'https:') return null
  if (url.protocol === 'http:' && policy.allowHttp) return null
  return refuse('scheme_refused', `the scheme is ${url.protocol} where https: is required`)
}

function checkHost(url: URL, policy: UrlPolicy): Refusal | null {
  const host = bareHost(url)
  if (isIP(host) !== 0) return checkLiteral(url, host, policy)

  const name = host.replace(/\.$/, '')
  if (name === '' || name.split('.').includes('')) return notAUrl()
  if (isNameOf(name, 'localhost')) {
    return mayReachLoopback(policy.allow) ? null : internalName(name)
  }
  const isInternal =
    !name.includes('.') || INTERNAL_SUFFIXES.some((suffix) => isNameOf(name, suffix))
  return isInternal && policy.allow.length === 0 ? internalName(name) : null
}

function checkLiteral(url: URL, host: string, policy: UrlPolicy): Refusal | null {
  const { verdict } = checkAddress(host, policy.allow)
  if (verdict === 'refused') {
    return refuse('address_refused', 'the URL names an address that is not public')
  }
  return checkSchemeFor(url, verdict)
}

function isNameOf(name: string, suffix: string): boolean {
  return name === suffix || name.endsWith(`.${suffix}`)
}

function internalName(name: string): Refusal {
  return refuse('address_refused', `the host ${name} is an internal name; use a public host name`)
}
