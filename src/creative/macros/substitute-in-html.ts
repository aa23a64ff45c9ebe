// Replaces macros with values in the markup of a creative, each encoded for its context: a text, an attribute, a URL,
// a script. It reads tags in one pass from left to right and leaves everything else byte for byte. If it interprets a
// context differently from a browser, the value is still escaped, and the markup is displayed only in a sandbox.

import { type Attribute, endTagOf, isTextOnly, RAW_TEXT, readMarkupTag } from './read-markup.ts'
import { hasAny, type MacroContext, type MacroRoom, substituteMacros } from './substitute-macros.ts'
import type { MacroValues } from './universal-macros.ts'

const URL_ATTRIBUTES = new Set([
  'href',
  'src',
  'srcset',
  'action',
  'formaction',
  'poster',
  'data',
  'cite',
  'background',
  'longdesc',
  'ping',
  'manifest',
  'xlink:href',
  'style',
  'srcdoc',
  'content',
  'imagesrcset',
])

/** Undefined if the result would not fit: then none of it is built. */
export function substituteInHtml(
  html: string,
  values: MacroValues,
  room: MacroRoom = { left: Number.POSITIVE_INFINITY },
): string | undefined {
  const mayHold = hasAny(values) && html.includes('{')
  const pieces: Iterable<Piece> = mayHold ? piecesOf(html) : [{ text: html }]
  const left = { left: room.left, replaced: new Set<string>() }
  const written: string[] = []
  for (const { text, where } of pieces) {
    const piece = where ? substituteMacros(text, values, { where, room: left }) : taken(text, left)
    if (piece === undefined) return undefined
    written.push(piece)
  }
  room.left = left.left
  for (const name of left.replaced) room.replaced?.add(name)
  return written.join('')
}

function taken(text: string, room: MacroRoom): string | undefined {
  if (text.length > room.left) return undefined
  room.left -= text.length
  return text
}

/** A piece of the markup, with its context if it may contain macros. */
interface Piece {
  text: string
  where?: MacroContext
}

function* piecesOf(html: string): Generator<Piece> {
  let at = 0
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', Math.max(open + 1, at))) {
    // One that begins nothing is text.
    if (!/[a-zA-Z!?/]/.test(html.charAt(open + 1))) continue
    if (open > at) yield { text: html.slice(at, open), where: 'text' }
    const tag = readMarkupTag(html, open)
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

function* piecesOfTag(
  html: string,
  attributes: readonly Attribute[],
  [start, end]: readonly [number, number],
): Generator<Piece> {
  let at = start
  for (const { name, from, to } of attributes) {
    const value = html.slice(from, to)
    if (!value.includes('{')) continue
    // A space would end an unquoted value: a value encoded for a URL has none.
    const isBare = !/["']/.test(html.charAt(from - 1))
    const isUrl = URL_ATTRIBUTES.has(name) || name.startsWith('on') || value.includes('://')
    yield { text: html.slice(at, from) }
    yield { text: value, where: isUrl || isBare ? 'url' : 'attribute' }
    at = to
  }
  yield { text: html.slice(at, end) }
}
