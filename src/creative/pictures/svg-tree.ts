// The elements of an SVG, as far as they are needed to estimate its cost. It reads any input in one pass and
// validates nothing: the renderer refuses input that is not XML.

export interface SvgElement {
  /** Without its prefix. */
  name: string
  /** By name without prefix, so that `xlink:href` is `href`. */
  attributes: ReadonlyMap<string, string>
  children: SvgElement[]
  /** What is written between its tags. */
  text: string
}

export interface SvgTree {
  /** Holds all others; its own name is empty. */
  root: SvgElement
  /** Total number of elements; reading ends after `maxElements`. */
  count: number
  /** Most elements within each other. */
  depth: number
}

export function readSvgTree(text: string, maxElements: number): SvgTree {
  const root: SvgElement = { name: '', attributes: new Map(), children: [], text: '' }
  const open = [root]
  let [count, depth] = [0, 0]
  let at = 0
  while (at < text.length && count <= maxElements) {
    const start = text.indexOf('<', at)
    const parent = open.at(-1) as SvgElement
    parent.text += text.slice(at, start < 0 ? text.length : start)
    if (start < 0) break
    const skipped = SKIPPED.find(([first]) => text.startsWith(first, start))
    if (skipped) {
      const [first, last] = skipped
      const end = text.indexOf(last, start + first.length)
      if (end < 0) break
      if (first === CDATA) parent.text += text.slice(start + first.length, end)
      at = end + last.length
      continue
    }
    const end = endOfTag(text, start + 1)
    at = end + 1
    if (text[start + 1] === '/') {
      if (open.length > 1) open.pop()
      continue
    }
    const element = elementIn(text.slice(start + 1, end))
    count += 1
    parent.children.push(element)
    if (text[end - 1] === '/') continue
    open.push(element)
    depth = Math.max(depth, open.length - 1)
  }
  return { root, count, depth }
}

/** With those within them. */
export function* everyElement(root: SvgElement): Generator<SvgElement> {
  const left = [root]
  for (let element = left.pop(); element; element = left.pop()) {
    yield element
    for (const child of element.children) left.push(child)
  }
}

const CDATA = '<![CDATA['
const SKIPPED = [
  ['<!--', '-->'],
  [CDATA, ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const

/** The position of its >, or the end of the text; a > within quotes is part of a value. */
function endOfTag(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const letter = text.charAt(at)
    if (quote !== '') {
      if (letter === quote) quote = ''
    } else if (letter === '"' || letter === "'") quote = letter
    else if (letter === '>') return at
  }
  return text.length
}

function elementIn(tag: string): SvgElement {
  const end = tag.search(/[\s/]/)
  const name = end < 0 ? tag : tag.slice(0, end)
  const attributes = end < 0 ? new Map<string, string>() : attributesIn(tag, end)
  return { name: localName(name), attributes, children: [], text: '' }
}

function attributesIn(tag: string, from: number): Map<string, string> {
  const attributes = new Map<string, string>()
  for (let at = from; ; ) {
    const equals = tag.indexOf('=', at)
    if (equals < 0) return attributes
    const name = localName(tag.slice(at, equals).trim())
    let open = equals + 1
    while (/\s/.test(tag.charAt(open))) open += 1
    const quote = tag.charAt(open)
    const close = quote === '"' || quote === "'" ? tag.indexOf(quote, open + 1) : -1
    if (close < 0) return attributes
    attributes.set(name, tag.slice(open + 1, close))
    at = close + 1
  }
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
}
