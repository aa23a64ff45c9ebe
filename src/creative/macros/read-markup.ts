// Reads the tags of markup in one pass from left to right, for code that inserts values and code that reports what
// the markup would load. It builds no tree, so its time is linear for any markup.

/** Elements that a browser reads as text until the end tag. Values in them are URL-encoded, which no script
 * or style sheet can interpret as anything but characters. */
export const RAW_TEXT = new Set([
  'script',
  'style',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'noscript',
])
const ESCAPED_TEXT = new Set(['textarea', 'title'])

export interface Attribute {
  name: string
  /** The position of its value, without quotes. */
  from: number
  to: number
}

export interface Tag {
  /** Lower case; undefined for a comment or an end tag. */
  name?: string
  attributes: Attribute[]
  end: number
}

const TAG_NAME = /<([a-zA-Z][^\s/>]*)/y
const ATTRIBUTE_NAME = /[^\s/>=]+/y
const UNQUOTED = /[^\s>]*/y

/** The tag, comment or other markup that begins at `open`. */
export function readMarkupTag(html: string, open: number): Tag {
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

export function isTextOnly(name: string): boolean {
  return RAW_TEXT.has(name) || ESCAPED_TEXT.has(name)
}

/** The names in lower case, so that a piece of the markup can be compared unchanged. */
export function endTagOf(html: string, name: string, from: number): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at
  }
  return html.length
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}
