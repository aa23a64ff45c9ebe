// Positions in a JSON text: the line of a JSON pointer, and the position at which a text stops being JSON. For
// reports to people who edit the text. Both take one pass over the text, whatever it contains.

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-codes.ts'

/**
 * Lines of the values at these pointers, from 1. A missing value has the line of the value that should contain it.
 */
export function linesOfPointers(text: string, pointers: Iterable<string>): Map<string, number> {
  const wanted = [...new Set(pointers)]
  const root = newNode()
  for (const pointer of wanted) {
    let node = root
    for (const step of stepsOf(pointer)) {
      const child = node.children.get(step) ?? newNode()
      node.children.set(step, child)
      node = child
    }
  }
  findPlaces(text, root)
  const lines = createLineCounter(text)
  const places = wanted.map((pointer) => ({ pointer, offset: placeOf(root, stepsOf(pointer)) }))
  places.sort((a, b) => a.offset - b.offset)
  return new Map(places.map(({ pointer, offset }) => [pointer, lines.at(offset)]))
}

/** The line and column, from 1, at which a text stops being JSON; undefined for JSON. */
export function jsonFault(text: string): { line: number; column: number } | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    const offset = faultOffset(text)
    const before = text.lastIndexOf('\n', offset - 1)
    return { line: createLineCounter(text).at(offset), column: offset - before }
  }
}

interface Node {
  children: Map<string, Node>
  /** The start of its value; -1 if there is none. */
  offset: number
}

function newNode(): Node {
  return { children: new Map(), offset: -1 }
}

function stepsOf(pointer: string): string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at this path, or the last existing one on the way. */
function placeOf(root: Node, steps: readonly string[]): number {
  let node = root
  let offset = Math.max(0, root.offset)
  for (const step of steps) {
    const child = node.children.get(step)
    if (!child || child.offset < 0) break
    node = child
    offset = child.offset
  }
  return offset
}

interface Level {
  node: Node | undefined
  isObject: boolean
  /** The key or the index of the next element. */
  key: string
  index: number
}

/** The text is known to be JSON, so a string before a colon is a key. */
function findPlaces(text: string, root: Node): void {
  const levels: Level[] = []
  const begin = (at: number): Node | undefined => {
    const level = levels.at(-1)
    if (!level) {
      root.offset = at
      return root
    }
    const name = level.isObject ? level.key : String(level.index)
    const node = level.node?.children.get(name)
    if (node) node.offset = at
    return node
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isSpace(code) || code === COLON) continue
    const level = levels.at(-1)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      if (level?.isObject && text.charCodeAt(afterSpace(text, end + 1)) === COLON) {
        if (level.node) level.key = keyOf(text, at, end)
      } else begin(at)
      at = end
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      const node = begin(at)
      levels.push({ node, isObject: code === OPEN_BRACE, key: '', index: 0 })
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) levels.pop()
    else if (code === COMMA) {
      if (level) level.index++
    } else {
      begin(at)
      at = endOfWord(text, at) - 1
    }
  }
}

/** Continues counting from the last requested offset: offsets must not decrease. */
function createLineCounter(text: string): { at(offset: number): number } {
  let line = 1
  let counted = 0
  return {
    at: (offset) => {
      for (let next = text.indexOf('\n', counted); next >= 0 && next < offset; ) {
        line++
        counted = next + 1
        next = text.indexOf('\n', counted)
      }
      return line
    },
  }
}

type Expects = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end'

/** Walks an invalid JSON text to the first character that is not allowed there. */
function faultOffset(text: string): number {
  const open: boolean[] = []
  let expects: Expects = 'value'
  let isDone = false
  for (let at = 0; ; at++) {
    at = afterSpace(text, at)
    if (at >= text.length || isDone) return at
    const code = text.charCodeAt(at)
    const inObject = open.at(-1) === true
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      const isEnd =
        expects === 'comma or end' || expects === 'value or end' || expects === 'key or end'
      if (!isEnd || open.length === 0 || inObject !== (code === CLOSE_BRACE)) return at
      open.pop()
      expects = 'comma or end'
    } else if (expects === 'comma or end') {
      if (code !== COMMA) return at
      expects = inObject ? 'key' : 'value'
      continue
    } else if (expects === 'colon') {
      if (code !== COLON) return at
      expects = 'value'
      continue
    } else if (expects === 'key' || expects === 'key or end') {
      const end = code === QUOTE ? goodStringEnd(text, at) : -1
      if (end < 0) return at
      at = end
      expects = 'colon'
      continue
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      open.push(code === OPEN_BRACE)
      expects = code === OPEN_BRACE ? 'key or end' : 'value or end'
      continue
    } else {
      const end = goodScalarEnd(text, at)
      if (end < 0) return at
      at = end
      expects = 'comma or end'
    }
    isDone = open.length === 0
  }
}

/** The last character of a valid JSON string, number or word; -1 if it is invalid. */
function goodScalarEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === QUOTE) return goodStringEnd(text, start)
  const end = endOfWord(text, start)
  return isJson(text.slice(start, Math.min(end, start + MAX_SCALAR))) ? end - 1 : -1
}

function goodStringEnd(text: string, start: number): number {
  const end = endOfString(text, start)
  return end < text.length && isJson(text.slice(start, end + 1)) ? end : -1
}

/** No number is written longer. */
const MAX_SCALAR = 1_000

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The quote that ends the string, or the end of the text: the first one behind an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

function endOfWord(text: string, start: number): number {
  let at = start
  while (at < text.length && !isDelimiter(text.charCodeAt(at))) at++
  return Math.max(at, start + 1)
}

function isDelimiter(code: number): boolean {
  return (
    isSpace(code) ||
    code === COMMA ||
    code === COLON ||
    code === QUOTE ||
    code === OPEN_BRACE ||
    code === OPEN_BRACKET ||
    code === CLOSE_BRACE ||
    code === CLOSE_BRACKET
  )
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text.charCodeAt(at))) at++
  return at
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Unescaped, since `"\u0061"` and `"a"` are the same key. */
function keyOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end)
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
}
