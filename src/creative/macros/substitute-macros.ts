// Puts values in place of macros (spec 2.5): `{NAME}` once, encoded for where it stands. A value is
// never read again, so a macro inside one stays as it is. A macro without a value stays, and so do
// VAST's own `[NAME]` tokens.

import type { MacroValues } from './universal-macros.ts'

/**
 * Where a macro stands: in a URL, in an attribute of markup that is no URL, or in a text of markup. A
 * value encoded for a URL needs no escaping in an attribute: it has only unreserved characters and %.
 */
export type MacroPlace = 'url' | 'attribute' | 'text'

const MACRO = /\{([A-Z][A-Z0-9_]*)\}/g

/** Replaces the macros that have a value, and those only. The text around them is not encoded. */
export function substituteMacros(text: string, values: MacroValues, where: MacroPlace): string {
  if (!text.includes('{')) return text
  const encode = where === 'url' ? encodeForUrl : escapeMarkup
  return text.replace(MACRO, (macro, name: string) =>
    Object.hasOwn(values, name) ? encode(values[name] as string) : macro,
  )
}

/** The names of all macros in a text, each once. */
export function macrosIn(text: string): string[] {
  return [...new Set([...text.matchAll(MACRO)].map(([, name]) => name as string))]
}

const MARKUP: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For texts and for attributes in quotes of either kind. */
export function escapeMarkup(text: string): string {
  return /[&<>"']/.test(text)
    ? text.replace(/[&<>"']/g, (character) => MARKUP[character] as string)
    : text
}

/** NFC, then everything outside RFC 3986 unreserved percent-encoded. */
function encodeForUrl(value: string): string {
  // By way of UTF-8, because half a surrogate pair would throw.
  const whole = Buffer.from(value.normalize('NFC')).toString()
  return encodeURIComponent(whole).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
