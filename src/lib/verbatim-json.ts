// JSON with some members that are returned exactly as they were received: numbers that do not fit a double, names
// like `__proto__`, the spelling of every value. Their text is found in one pass, remembered with the parsed value,
// and inserted whenever the value is serialized.

import { randomUUID } from 'node:crypto'
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-codes.ts'
import { stringifyPaced } from './paced-json.ts'

/** Member names from the outside in; `*` is any element of a list. */
export type JsonPath = readonly string[]

/** A name that would change an object's prototype, in a place that is not returned verbatim. */
export class ForbiddenMember extends Error {
  override readonly name = 'ForbiddenMember'

  constructor(member: string) {
    super(`a member must not be called ${member}`)
  }
}

/** The text of each kept object, for as long as the object is referenced. */
const texts = new WeakMap<object, string>()

export type KeepingParser = (text: string) => unknown

/** Throws a SyntaxError for invalid JSON, and ForbiddenMember outside of the kept members. */
export function keepingParser(paths: readonly JsonPath[]): KeepingParser {
  const root = treeOf(paths)
  return (given) => {
    const text = given.charCodeAt(0) === BYTE_ORDER_MARK ? given.slice(1) : given
    const value = JSON.parse(text) as unknown
    const kept = new Set<object>()
    findKept(value, root, kept)
    if (kept.size > 0) keepTexts(text, 0, { value, node: root })
    if (mayNameForbidden(text)) refuseForbidden(value, kept)
    return value
  }
}

/** Like JSON.parse, but the object keeps its text: for text that was stored before, such as in a database. */
export function parseVerbatim(text: string): unknown {
  const value = JSON.parse(text) as unknown
  if (typeof value === 'object' && value !== null) texts.set(value, text)
  return value
}

/** The text that an object was parsed from, if it was kept; else undefined. */
export function verbatimOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? texts.get(value) : undefined
}

/** Like JSON.stringify, with the member at the end exactly as it was sent, if its text was kept. */
export function stringifyKeeping(value: Readonly<Record<string, unknown>>, member: string): string {
  const text = verbatimOf(memberOf(value, member))
  if (text === undefined) return JSON.stringify(value)
  return withMember(JSON.stringify({ ...value, [member]: undefined }), member, text)
}

/** Like `stringifyKeeping`, in slices; undefined if the text would be longer than `maxChars`. */
export async function stringifyKeepingPaced(
  value: Readonly<Record<string, unknown>>,
  member: string,
  maxChars: number,
): Promise<string | undefined> {
  const text = verbatimOf(memberOf(value, member))
  if (text === undefined) return stringifyPaced(value, maxChars)
  const others = await stringifyPaced({ ...value, [member]: undefined }, maxChars - text.length)
  return others && withMember(others, member, text)
}

function withMember(others: string, member: string, text: string): string {
  const head = others === '{}' ? '{' : `${others.slice(0, -1)},`
  return `${head}${JSON.stringify(member)}:${text}}`
}

/**
 * Like JSON.stringify of the object that `make` returns, with the value exactly as it was sent wherever it was
 * inserted. If its text was kept, a placeholder is used until the end; otherwise the value is inserted unchanged.
 */
export function stringifyWith<T extends object>(
  value: T | undefined,
  make: (value: T | undefined) => object,
): string {
  const text = verbatimOf(value)
  if (text === undefined) return JSON.stringify(make(value))
  // Random, so that no other text can match it.
  const mark = randomUUID()
  const written = JSON.stringify(make({ toJSON: () => mark } as object as T))
  return written.split(`"${mark}"`).join(text)
}

interface Node {
  isKept: boolean
  members: Map<string, Node>
}

function treeOf(paths: readonly JsonPath[]): Node {
  const root: Node = { isKept: false, members: new Map() }
  for (const path of paths) {
    let node = root
    for (const name of path) {
      const next = node.members.get(name) ?? { isKept: false, members: new Map() }
      node.members.set(name, next)
      node = next
    }
    node.isKept = true
  }
  return root
}

const ANY = '*'

/** Most texts contain nothing to keep: the parsed value shows this before the text is walked. */
function findKept(value: unknown, node: Node, kept: Set<object>): void {
  if (typeof value !== 'object' || value === null) return
  if (node.isKept) {
    kept.add(value)
    return
  }
  const each = Array.isArray(value) ? node.members.get(ANY) : undefined
  if (each) for (const element of value as unknown[]) findKept(element, each, kept)
  if (Array.isArray(value)) return
  for (const [name, next] of node.members) {
    if (Object.hasOwn(value, name)) findKept(memberOf(value, name), next, kept)
  }
}

function memberOf(value: unknown, name: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string | number, unknown>)[name]
    : undefined
}

interface Place {
  /** The parsed value of this place; for a duplicate member, the last one. */
  value: unknown
  node: Node
}

/** Walks the value that starts at `from` and returns its end. The text is known to be JSON. */
function keepTexts(text: string, from: number, { value, node }: Place): number {
  const start = afterSpace(text, from)
  const opening = text.charCodeAt(start)
  if (node.isKept) {
    const end = endOfValue(text, start)
    // A copy, because a slice would keep the whole text in memory.
    if (typeof value === 'object' && value !== null) texts.set(value, copyOf(text, start, end))
    return end
  }
  if (node.members.size === 0) return endOfValue(text, start)
  if (opening === OPEN_BRACE) return keepInObject(text, start, { value, node })
  const each = node.members.get(ANY)
  if (opening !== OPEN_BRACKET || !each) return endOfValue(text, start)

  let at = afterSpace(text, start + 1)
  for (let index = 0; text.charCodeAt(at) !== CLOSE_BRACKET; index++) {
    const end = keepTexts(text, at, { value: memberOf(value, index), node: each })
    at = afterComma(text, end)
  }
  return at + 1
}

function keepInObject(text: string, start: number, { value, node }: Place): number {
  let at = afterSpace(text, start + 1)
  while (text.charCodeAt(at) !== CLOSE_BRACE) {
    const quote = endOfString(text, at)
    const name = nameOf(text, at, quote)
    const colon = afterSpace(text, quote + 1)
    const from = afterSpace(text, colon + 1)
    const next = node.members.get(name)
    const end = next
      ? keepTexts(text, from, { value: memberOf(value, name), node: next })
      : endOfValue(text, from)
    at = afterComma(text, end)
  }
  return at + 1
}

function copyOf(text: string, start: number, end: number): string {
  return Buffer.from(text.slice(start, end), 'utf16le').toString('utf16le')
}

const BYTE_ORDER_MARK = 0xfeff

/** The position after the value that starts at `start`. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
      if (depth === 0) return at + 1
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      // The closing bracket of the parent ends a number or a literal.
      if (depth === 0) return at
      if (--depth === 0) return at + 1
    } else if (depth === 0 && (code === COMMA || Number.isNaN(code) || isSpace(code))) return at
  }
}

/** The quote that ends the string: the first one behind an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
}

/** Unescaped, since `"\u0061"` and `"a"` are the same name. */
function nameOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end)
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

/** The start of the next member or of the closing bracket. */
function afterComma(text: string, from: number): number {
  const at = afterSpace(text, from)
  return text.charCodeAt(at) === COMMA ? afterSpace(text, at + 1) : at
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Either name can also be spelt with escapes. */
function mayNameForbidden(text: string): boolean {
  return text.includes('__proto__') || text.includes('constructor') || text.includes('\\u00')
}

/** Code that assigns members one by one would change its object's prototype. */
function refuseForbidden(value: unknown, kept: ReadonlySet<object>): void {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one !== 'object' || one === null || kept.has(one)) continue
    if (Object.hasOwn(one, '__proto__')) throw new ForbiddenMember('__proto__')
    const made = memberOf(one, 'constructor')
    if (memberOf(made, 'prototype') !== undefined) throw new ForbiddenMember('constructor')
    for (const member of Object.values(one)) open.push(member)
  }
}
