// Puts values in place of macros in the markup of a creative, each encoded for where it stands: in a
// text, in an attribute, in a URL, in a script. It reads tags in one pass from left to right and leaves
// everything else byte for byte. Where it takes a place for another than a browser would, the value is
// still escaped, and the markup is shown in a sandbox only.

import { type MacroPlace, type Room, substituteMacros } from './substitute-macros.ts'
import type { MacroValues } from './universal-macros.ts'

/** What a browser reads as text until its end tag. Their values are encoded as in URLs, which no script
 * or style sheet can take for anything but characters. */
const RAW_TEXT = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript'])
const ESCAPED_TEXT = new Set(['textarea', 'title'])

const URL_ATTRIBUTES = new Set([
  ...['href', 'src', 'srcset', 'action', 'formaction', 'poster', 'data', 'cite', 'background'],
  ...['longdesc', 'ping', 'manifest', 'xlink:href', 'style', 'srcdoc', 'content', 'imagesrcset'],
])

/** Undefined when there is not room for the result: nothing of it is made then. */
export function substituteInHtml(
  html: string,
  values: MacroValues,
  room: Room = { left: Number.POSITIVE_INFINITY },
): string | undefined {
  const pieces: Iterable<Piece> = html.includes('{') ? piecesOf(html) : [{ text: html }]
  const left = { ...room }
  const written: string[] = []
  for (const { text, where } of pieces) {
    const piece = where ? substituteMacros(text, values, where, left) : taken(text, left)
    if (piece === undefined) return undefined
    written.push(piece)
  }
  room.left = left.left
  return written.join('')
}

function taken(text: string, room: Room): string | undefined {
  if (text.length > room.left) return undefined
  room.left -= text.length
  return text
}

/** A piece of the markup, with the kind of place it is if there may be macros in it. */
interface Piece {
  text: string
  where?: MacroPlace
}

function* piecesOf(html: string): Generator<Piece> {
  let at = 0
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', Math.max(open + 1, at))) {
    // One that begins nothing is text.
    if (!/[a-zA-Z!?/]/.test(html.charAt(open + 1))) continue
    if (open > at) yield { text: html.slice(at, open), where: 'text' }
    const tag = readTag(html, open)
    if (tag.name === undefined) {
      yield { text: html.slice(open, tag.end) }
      at = tag.end
      continue
    }
    yield* piecesOfTag(html, tag.attributes, [open, tag.end])
    const close = isTextOnly(tag.name) ? endTagOf(html, tag.name, tag.end) : tag.end
    if (close > tag.end) {
      yield { text: html.slice(tag.end, close), where: RAW_TEXT.has(tag.name) ? 'url' : 'text' }
    }
    at = close
  }
  yield { text: html.slice(at), where: 'text' }
}

interface Attribute {
  name: string
  /** Where its value stands, quotes left out. */
  from: number
  to: number
}

interface Tag {
  /** In lower case; undefined for a comment or an end tag. */
  name?: string
  attributes: Attribute[]
  end: number
}

const TAG_NAME = /<([a-zA-Z][^\s/>]*)/y
const ATTRIBUTE_NAME = /[^\s/>=]+/y
const UNQUOTED = /[^\s>]*/y

/** The tag, comment or other markup that begins at `open`. */
function readTag(html: string, open: number): Tag {
  if (html.startsWith('<!--', open)) return { attributes: [], end: after(html, '-->', open + 4) }
  TAG_NAME.lastIndex = open
  const name = TAG_NAME.exec(html)?.[1]?.toLowerCase()
  if (name === undefined) return { attributes: [], end: after(html, '>', open) }
  const attributes: Attribute[] = []
  let at = TAG_NAME.lastIndex
  while (at < html.length && html[at] !== '>') {
    if (isBlank(html, at) || html[at] === '/') {
      at += 1
      continue
    }
    ATTRIBUTE_NAME.lastIndex = at
    const attribute = ATTRIBUTE_NAME.exec(html)?.[0]
    const equals = afterBlanks(html, at + (attribute?.length ?? 0))
    if (html[equals] !== '=') {
      at = equals
      continue
    }
    const value = readValue(html, afterBlanks(html, equals + 1))
    if (attribute !== undefined) attributes.push({ name: attribute.toLowerCase(), ...value })
    at = value.next
  }
  return { name, attributes, end: Math.min(at + 1, html.length) }
}

function isBlank(html: string, at: number): boolean {
  return /\s/.test(html.charAt(at))
}

function afterBlanks(html: string, from: number): number {
  let at = from
  while (isBlank(html, at)) at += 1
  return at
}

function readValue(html: string, at: number): { from: number; to: number; next: number } {
  const quote = html[at]
  if (quote === '"' || quote === "'") {
    const close = html.indexOf(quote, at + 1)
    const to = close < 0 ? html.length : close
    return { from: at + 1, to, next: Math.min(to + 1, html.length) }
  }
  UNQUOTED.lastIndex = at
  const to = at + (UNQUOTED.exec(html)?.[0].length ?? 0)
  return { from: at, to, next: to }
}

function* piecesOfTag(
  html: string,
  attributes: readonly Attribute[],
  [start, end]: readonly [number, number],
): Generator<Piece> {
  let at = start
  for (const { name, from, to } of attributes) {
    const value = html.slice(from, to)
    if (!value.includes('{')) continue
    // A value without quotes would end at a space: as in a URL, it has none.
    const isBare = !/["']/.test(html.charAt(from - 1))
    const isUrl = URL_ATTRIBUTES.has(name) || name.startsWith('on') || value.includes('://')
    yield { text: html.slice(at, from) }
    yield { text: value, where: isUrl || isBare ? 'url' : 'attribute' }
    at = to
  }
  yield { text: html.slice(at, end) }
}

function isTextOnly(name: string): boolean {
  return RAW_TEXT.has(name) || ESCAPED_TEXT.has(name)
}

/** The names in lower case, so that a piece of the markup can be compared as it stands. */
function endTagOf(html: string, name: string, from: number): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at
  }
  return html.length
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}
