// Decides which host names can be signed, and their canonical form, for the canonical target URI (spec 5; UTS #46
// non-transitional with CheckHyphens, CheckBidi and STD3; RFC 3986 §3.2.2).

import { isIPv6 } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'

export type HostResult = { ok: true; host: string } | { ok: false; reason: string }

/** A host name in ASCII: lower case, without the trailing dot of the DNS root. */
export function asciiHost(name: string): HostResult {
  const lower = name.toLowerCase()
  const host = lower.endsWith('.') ? lower.slice(0, -1) : lower
  if (host.length > MAX_NAME_LENGTH) return refuse('is too long')
  if (!LABELS.test(host)) return refuse('is empty, has an empty label or a character no name has')
  return { ok: true, host }
}

/** An IPv6 address without its brackets: hex in lower case, neither compressed nor expanded. */
export function ipv6Host(address: string): HostResult {
  // `isIPv6` accepts a zone id, which is only meaningful on one machine.
  if (address.includes('%')) return refuse('has a zone id')
  if (!isIPv6(address)) return refuse('is not an IPv6 address')
  return { ok: true, host: `[${address.toLowerCase()}]` }
}

/** An internationalised name in A-labels; only a signer converts, a verifier refuses such a name. */
export function unicodeHost(name: string): HostResult {
  // Any ASCII text in the name must already be a valid label: the converter parses it as a URL.
  if (!LABEL_CHARACTERS.test(name.replace(NON_ASCII, '')))
    return refuse('has a character no name has')
  const ascii = domainToASCII(name)
  if (ascii === '') return refuse('is not a valid internationalised name')
  const labels = domainToUnicode(ascii).split('.')
  if (!labels.every(hasHyphensInPlace)) return refuse('has a hyphen where no label may have one')
  if (RIGHT_TO_LEFT.test(name) && !labels.every(startsWithLetter)) {
    return refuse('mixes directions of writing')
  }
  if (!STD3.test(ascii)) return refuse('maps to a character no name has')
  return asciiHost(ascii)
}

export function hasNonAscii(text: string): boolean {
  for (let n = 0; n < text.length; n++) if (text.charCodeAt(n) > 0x7f) return true
  return false
}

const MAX_NAME_LENGTH = 253
// STD3 does not allow the underscore in a host name, but names in ASCII are signed unchanged.
const LABELS = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/
const LABEL_CHARACTERS = /^[A-Za-z0-9.-]*$/
const STD3 = /^[a-z0-9.-]+$/
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
const NON_ASCII = /[^\0-\x7f]/g

function hasHyphensInPlace(label: string): boolean {
  return !label.startsWith('-') && !label.endsWith('-') && label.slice(2, 4) !== '--'
}

// The only rule for both directions (RFC 5893 §2, rule 1) that the converter does not check.
function startsWithLetter(label: string): boolean {
  return label === '' || /^\p{L}/u.test(label)
}

function refuse(fault: string): { ok: false; reason: string } {
  return { ok: false, reason: `the host ${fault}` }
}
