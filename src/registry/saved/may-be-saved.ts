// For which domains an entry may be saved at all. Shared platforms and public suffixes are excluded because nobody
// speaks for them, and look-alike names because they are used to deceive people.

import { domainToUnicode } from 'node:url'
import { normaliseDomain, registrableDomain } from '../../lib/host-name.ts'
import { isFreeMail } from '../mail-domain.ts'
import { type Refusal, refuse } from '../refusal.ts'

export function savedDomain(given: string): { ok: true; domain: string } | Refusal {
  const named = normaliseDomain(given)
  if (!named.ok) return refuse(400, named.reason)
  const { domain } = named
  if (registrableDomain(domain) === null) {
    return refuse(400, `${domain} is a public suffix: give the name of one site`, { domain })
  }
  if (isFreeMail(domain)) {
    return refuse(400, `${domain} is shared by many people: it cannot be claimed`, { domain })
  }
  if (looksLikeAnother(domain)) {
    return refuse(
      400,
      `${domain} mixes alphabets, or has only letters that look like others: it cannot be saved`,
      { domain },
    )
  }
  return { ok: true, domain }
}

/** Scripts with letters that can be mistaken for Latin ones. */
const LOOK_ALIKE = [/\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u]
const LATIN = /\p{Script=Latin}/u
/** Letters of these scripts that look like a Latin letter. */
const TWINS =
  /^[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u04c0\u04cf\u0501\u051b\u051d\u03bf\u03b1\u03c1\u03bd\u0578\u057d-]+$/u
/** Latin letters that can be mistaken for a, e, g, i, l, o and others. */
const LATIN_TWINS = /[\u0131\u0251\u0261\u026a\u01c0\u0269\u1d04\u1d0f\u1d20\u1d21\ua731]/u

/** A label that mixes several alphabets, or that has only letters of one alphabet that each look like a Latin one. */
function looksLikeAnother(domain: string): boolean {
  return domain
    .split('.')
    .filter((label) => label.startsWith('xn--'))
    .some((label) => {
      const text = domainToUnicode(label)
      const scripts = LOOK_ALIKE.filter((script) => script.test(text)).length
      if (scripts > 1 || (scripts === 1 && LATIN.test(text))) return true
      return TWINS.test(text) || LATIN_TWINS.test(text)
    })
}
