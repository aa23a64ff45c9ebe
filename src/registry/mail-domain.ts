// Which mail domains identify a company, for the organisation of a user (spec 4.5): those that the identity provider
// has verified and that do not hand out addresses to the public.

import { normaliseHost } from '../lib/host-name.ts'

/** The domain of a verified company address; undefined for free mail, no mail and unverified mail. */
export function corporateDomainOf(user: {
  email: string | null
  emailVerified: boolean
}): string | undefined {
  // An unverified address would let anyone into the organisation of any domain.
  if (user.email === null || !user.emailVerified) return undefined
  const parts = ADDRESS.exec(user.email)
  if (!parts?.[1]) return undefined
  const host = normaliseHost(parts[1])
  if (!host.ok || isFreeMail(host.domain)) return undefined
  return host.domain
}

/** Whether a domain hands out addresses to the public. */
export function isFreeMail(domain: string): boolean {
  return FREE_MAIL.has(domain) || FREE_MAIL_BRAND.test(domain)
}

/** The host is used exactly as written: a port, a path or an escape is refused, not trimmed off. */
const ADDRESS = /^[^\s@/]+@([^\s@/:?#%\\[\]]+)$/

const FREE_MAIL: ReadonlySet<string> = new Set([
  '126.com',
  '163.com',
  'aol.com',
  'fastmail.com',
  'free.fr',
  'gmail.com',
  'googlemail.com',
  'hey.com',
  'icloud.com',
  'laposte.net',
  'libero.it',
  'mac.com',
  'mail.com',
  'mail.ru',
  'me.com',
  'msn.com',
  'naver.com',
  'orange.fr',
  'pm.me',
  'proton.me',
  'protonmail.com',
  'qq.com',
  'rediffmail.com',
  't-online.de',
  'tutanota.com',
  'web.de',
  'ymail.com',
])

/** Providers with one domain for each country, such as yahoo.co.jp. */
const FREE_MAIL_BRAND =
  /^(?:gmx|hotmail|live|outlook|yahoo|yandex|zoho)\.[a-z]{2,3}(?:\.[a-z]{2})?$/
