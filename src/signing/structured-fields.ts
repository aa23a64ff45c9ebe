// Reads the structured fields of a signature, for signer and verifier: dictionaries, inner lists and byte sequences
// of RFC 8941, but stricter where the RFC keeps the last of two duplicates (spec 5).

export type DictionaryResult =
  | { ok: true; members: ReadonlyMap<string, string> }
  | { ok: false; reason: string }

/**
 * The members of a dictionary by their label, each as the exact text of its value with parameters; a label without a
 * value has an empty text. A duplicate label is refused. Byte sequences may contain anything but a colon here: a
 * member that no one reads need not be base64.
 */
export function readDictionary(text: string): DictionaryResult {
  if (text.length > MAX_FIELD_LENGTH) return refuse(`is longer than ${MAX_FIELD_LENGTH} characters`)
  const members = new Map<string, string>()
  let at = skipSpaces(text, 0)
  while (true) {
    const afterLabel = endOf(KEY, text, at)
    if (afterLabel < 0) return refuse(`has no label at character ${at}`)
    const label = text.slice(at, afterLabel)
    if (members.has(label)) return refuse(`has the label ${label} twice`)

    const isAlone = text.charCodeAt(afterLabel) !== EQUALS
    const start = isAlone ? afterLabel : afterLabel + 1
    const afterValue = isAlone ? start : endOfValue(text, start)
    const end = afterValue < 0 ? -1 : endOfParameters(text, afterValue)
    if (end < 0) return refuse(`has a value that cannot be read for the label ${label}`)
    members.set(label, text.slice(start, end))

    at = endOf(OPTIONAL_SPACE, text, end)
    if (at === text.length) return { ok: true, members }
    if (text.charCodeAt(at) !== COMMA) return refuse(`has no comma at character ${at}`)
    at = endOf(OPTIONAL_SPACE, text, at + 1)
  }
}

/** A parameter: a string, an integer, or a type that this profile does not use. */
export type ParameterValue = string | number | typeof OTHER
/** @internal */
export const OTHER = Symbol('a value of another type')

export type InnerListResult =
  | { ok: true; items: readonly string[]; parameters: ReadonlyMap<string, ParameterValue> }
  | { ok: false; reason: string }

/**
 * The strings of an inner list and its parameters; items with parameters of their own, items that are not strings,
 * and duplicate parameters are refused.
 */
export function readInnerList(text: string): InnerListResult {
  if (text.charCodeAt(0) !== OPEN) return refuse('is not an inner list')
  const items: string[] = []
  let at = skipSpaces(text, 1)
  while (text.charCodeAt(at) !== CLOSE) {
    const end = endOf(STRING, text, at)
    if (end < 0) return refuse('lists something that is not a quoted string')
    items.push(unquote(text.slice(at, end)))
    at = skipSpaces(text, end)
    if (at === end && text.charCodeAt(at) !== CLOSE) {
      return refuse('lists a component with parameters, or two without a space between them')
    }
  }
  const parameters = readParameters(text, at + 1)
  return parameters.ok ? { ok: true, items, parameters: parameters.found } : parameters
}

/** The text between the colons of a byte sequence; its parameters are read and ignored. */
export function readByteSequence(text: string): string | undefined {
  const end = endOf(BYTES, text, 0)
  return end > 0 && endOfParameters(text, end) === text.length ? text.slice(1, end - 1) : undefined
}

/** A text as a quoted string; undefined if it contains a character that structured fields do not allow. */
export function quote(text: string): string | undefined {
  if (PLAIN.test(text)) return `"${text}"`
  return PRINTABLE.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : undefined
}

// Far above every legitimate field, and too small to take much time to read.
const MAX_FIELD_LENGTH = 16_384

const QUOTE = 0x22
const OPEN = 0x28
const CLOSE = 0x29
const COMMA = 0x2c
const COLON = 0x3a
const SEMICOLON = 0x3b
const EQUALS = 0x3d
const SPACE = 0x20

const KEY = /[a-z*][a-z0-9_.*-]*/y
const OPTIONAL_SPACE = /[ \t]*/y
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/
const PRINTABLE = /^[\x20-\x7e]*$/
const STRING = /"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"/y
const BYTES = /:[\x20-\x39\x3b-\x7e]*:/y
const INTEGER = /-?\d{1,15}(?![\d.])/y
// Decimal, boolean, token.
const UNUSED_ITEM = /-?\d{1,12}\.\d{1,3}(?![\d.])|\?[01]|[A-Za-z*][!#$%&'*+.^_`|~:/0-9A-Za-z-]*/y

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

function endOfItem(text: string, at: number): number {
  const first = text.charCodeAt(at)
  if (first === QUOTE) return endOf(STRING, text, at)
  if (first === COLON) return endOf(BYTES, text, at)
  const end = endOf(INTEGER, text, at)
  return end < 0 ? endOf(UNUSED_ITEM, text, at) : end
}

function endOfValue(text: string, start: number): number {
  if (text.charCodeAt(start) !== OPEN) return endOfItem(text, start)
  let at = skipSpaces(text, start + 1)
  while (text.charCodeAt(at) !== CLOSE) {
    const item = endOfItem(text, at)
    const end = item < 0 ? -1 : endOfParameters(text, item)
    if (end < 0) return -1
    at = skipSpaces(text, end)
    if (at === end && text.charCodeAt(at) !== CLOSE) return -1
  }
  return at + 1
}

function endOfParameters(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) === SEMICOLON) {
    at = endOf(KEY, text, skipSpaces(text, at + 1))
    if (at < 0) return -1
    if (text.charCodeAt(at) === EQUALS) at = endOfItem(text, at + 1)
    if (at < 0) return -1
  }
  return at
}

type ParametersResult =
  | { ok: true; found: ReadonlyMap<string, ParameterValue> }
  | { ok: false; reason: string }

function readParameters(text: string, start: number): ParametersResult {
  const found = new Map<string, ParameterValue>()
  let at = start
  while (at < text.length) {
    if (text.charCodeAt(at) !== SEMICOLON) return refuse('is followed by what is no parameter')
    const from = skipSpaces(text, at + 1)
    const afterName = endOf(KEY, text, from)
    if (afterName < 0) return refuse('has a parameter without a name')
    const name = text.slice(from, afterName)
    if (found.has(name)) return refuse(`has the parameter ${name} twice`)

    at = afterName
    if (text.charCodeAt(at) === EQUALS) at = endOfItem(text, at + 1)
    if (at < 0) return refuse(`has a value that cannot be read for the parameter ${name}`)
    found.set(name, typedValue(text.slice(afterName + 1, at)))
  }
  return { ok: true, found }
}

function typedValue(item: string): ParameterValue {
  if (item.charCodeAt(0) === QUOTE) return unquote(item)
  return endOf(INTEGER, item, 0) === item.length ? Number(item) : OTHER
}

function unquote(quoted: string): string {
  const text = quoted.slice(1, -1)
  return text.indexOf('\\') < 0 ? text : text.replace(/\\(.)/g, '$1')
}

function skipSpaces(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) === SPACE) at++
  return at
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}
