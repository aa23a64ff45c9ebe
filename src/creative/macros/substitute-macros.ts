// Replaces macros with values (spec 2.5): `{NAME}` once, encoded for its context. A value is not scanned again, so a
// macro inside one stays unchanged. A macro without a value is left in place, as are VAST's own `[NAME]` tokens.

import type { MacroValues } from './universal-macros.ts'

/**
 * The context of a macro: in a URL, in an attribute of markup that is not a URL, or in a text of markup. A
 * value encoded for a URL needs no escaping in an attribute: it has only unreserved characters and %.
 */
export type MacroContext = 'url' | 'attribute' | 'text'

/** The number of characters that may still be written. A few macros with long values could produce gigabytes. */
export interface MacroRoom {
  left: number
  /** Gets the names of the macros that were replaced. Default: they are not recorded. */
  replaced?: Set<string>
}

interface SubstituteOptions {
  where: MacroContext
  /** Default: any. */
  room?: MacroRoom
}

const MACRO = /\{([A-Z][A-Z0-9_]*)\}/g

/**
 * Replaces only the macros that have a value. The text around them is not encoded. Returns undefined and uses none of
 * the limit if the result would not fit: its size is counted before it is built.
 */
export function substituteMacros(
  text: string,
  values: MacroValues,
  { where, room = { left: Number.POSITIVE_INFINITY } }: SubstituteOptions,
): string | undefined {
  const mayHold = hasAny(values) && text.includes('{')
  const encoded = mayHold ? encodedValues(text, values, where) : undefined
  const length = text.length + (encoded?.growth ?? 0)
  if (length > room.left) return undefined
  room.left -= length
  if (!encoded || encoded.values.size === 0) return text
  for (const name of encoded.values.keys()) room.replaced?.add(name)
  return text.replace(MACRO, (macro, name: string) => encoded.values.get(name) ?? macro)
}

/** Most creatives are displayed without values, and need not be searched for macros. */
export function hasAny(values: MacroValues): boolean {
  for (const name in values) if (Object.hasOwn(values, name)) return true
  return false
}

/** The values of the macros in a text, each encoded once, and by how much they would lengthen it. */
function encodedValues(text: string, values: MacroValues, where: MacroContext) {
  const encode = where === 'url' ? encodeForUrl : escapeMarkup
  const encoded = new Map<string, string>()
  let growth = 0
  for (const [macro, name] of text.matchAll(MACRO) as Iterable<[string, string]>) {
    if (!Object.hasOwn(values, name)) continue
    const value = encoded.get(name) ?? encode(values[name] as string)
    encoded.set(name, value)
    growth += value.length - macro.length
  }
  return { values: encoded, growth }
}

/** The names of all macros in a text, without duplicates. */
export function macrosIn(text: string): string[] {
  const names = new Set<string>()
  for (const [, name] of text.matchAll(MACRO)) names.add(name as string)
  return [...names]
}

/** By the code of the character. */
const MARKUP: readonly (string | undefined)[] = entities()

function entities(): (string | undefined)[] {
  const table = new Array<string | undefined>('>'.charCodeAt(0) + 1).fill(undefined)
  table['&'.charCodeAt(0)] = '&amp;'
  table['<'.charCodeAt(0)] = '&lt;'
  table['>'.charCodeAt(0)] = '&gt;'
  table['"'.charCodeAt(0)] = '&quot;'
  table["'".charCodeAt(0)] = '&#39;'
  return table
}

/** For texts and for attributes in single or double quotes. */
export function escapeMarkup(text: string): string {
  let escaped = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const entity = code < MARKUP.length ? MARKUP[code] : undefined
    if (entity === undefined) continue
    escaped += text.slice(from, at) + entity
    from = at + 1
  }
  return from === 0 ? text : escaped + text.slice(from)
}

/** NFC, then everything outside RFC 3986 unreserved percent-encoded. */
function encodeForUrl(value: string): string {
  // Via UTF-8, because half a surrogate pair would throw.
  const whole = Buffer.from(value.normalize('NFC')).toString()
  return encodeURIComponent(whole).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
