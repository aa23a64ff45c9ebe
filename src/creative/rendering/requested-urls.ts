// Which resources the markup or script of a creative makes a browser load, read from its text: nothing is run or
// requested. URLs that a script builds at run time are not visible here; the frame itself reports those to the
// interactive page.

import { endTagOf, isTextOnly, readMarkupTag, type Tag } from '../macros/read-markup.ts'

/** What it is loaded as; a URL that only appears in a script may never be requested. */
export type RequestedKind =
  | 'script'
  | 'style sheet'
  | 'image'
  | 'media'
  | 'frame'
  | 'object'
  | 'style'
  | 'link'
  | 'named in a script'

export interface RequestedUrl {
  kind: RequestedKind
  url: string
}

/** By element and attribute. Links that a user has to click are excluded. */
const LOADED: ReadonlyMap<string, RequestedKind> = new Map([
  ['script src', 'script'],
  ['img src', 'image'],
  ['input src', 'image'],
  ['image href', 'image'],
  ['image xlink:href', 'image'],
  ['use href', 'image'],
  ['use xlink:href', 'image'],
  ['body background', 'image'],
  ['table background', 'image'],
  ['td background', 'image'],
  ['video poster', 'image'],
  ['video src', 'media'],
  ['audio src', 'media'],
  ['source src', 'media'],
  ['track src', 'media'],
  ['iframe src', 'frame'],
  ['frame src', 'frame'],
  ['object data', 'object'],
  ['embed src', 'object'],
])

/** Each URL once for each kind of resource it is loaded as, in the order of the markup. */
export function requestedUrls(html: string): RequestedUrl[] {
  const found = new Map<string, RequestedUrl>()
  const add = (kind: RequestedKind, given: string) => {
    const url = given.replaceAll('&amp;', '&').trim()
    // A fragment is in the document itself, and an empty page is not a URL.
    if (url !== '' && !/^(#|about:|javascript:)/i.test(url)) {
      found.set(`${kind} ${url}`, { kind, url })
    }
  }
  let at = 0
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', Math.max(open + 1, at))) {
    if (!/[a-zA-Z!?/]/.test(html.charAt(open + 1))) continue
    const tag = readMarkupTag(html, open)
    at = tag.end
    if (tag.name === undefined) continue
    ofAttributes(html, tag, add)
    if (!isTextOnly(tag.name)) continue
    at = endTagOf(html, tag.name, tag.end)
    const text = html.slice(tag.end, at)
    if (tag.name === 'style') ofStyle(text, add)
    if (tag.name === 'script') ofScript(text, add)
  }
  return [...found.values()]
}

type Add = (kind: RequestedKind, url: string) => void

function ofAttributes(html: string, { name = '', attributes }: Tag, add: Add): void {
  for (const attribute of attributes) {
    const value = html.slice(attribute.from, attribute.to)
    const kind = LOADED.get(`${name} ${attribute.name}`)
    if (kind) add(kind, value)
    else if (attribute.name === 'srcset' || attribute.name === 'imagesrcset') ofSet(value, add)
    else if (attribute.name === 'style') ofStyle(value, add)
    else if (attribute.name.startsWith('on')) ofScript(value, add)
    else if (name === 'link' && attribute.name === 'href') add(linkKind(html, attributes), value)
  }
}

function linkKind(html: string, attributes: Tag['attributes']): RequestedKind {
  const rel = attributes.find(({ name }) => name === 'rel')
  return rel && /stylesheet/i.test(html.slice(rel.from, rel.to)) ? 'style sheet' : 'link'
}

/** `a.png 1x, b.png 2x`: a URL may contain commas, but no space. */
function ofSet(value: string, add: Add): void {
  for (const [, url] of value.matchAll(/(?:^|,\s)\s*([^\s,]\S*)/g)) add('image', url as string)
}

function ofStyle(css: string, add: Add): void {
  for (const [, url] of css.matchAll(/url\(\s*(?:["']|&quot;)?([^"')\s&][^"')\s]*)/gi)) {
    add('style', url as string)
  }
  for (const [, url] of css.matchAll(/@import\s+["']([^"']+)/gi)) add('style sheet', url as string)
}

/** XML names that look like URLs and are never requested. */
const NAMESPACE = /^https?:\/\/www\.w3\.org\//

function ofScript(script: string, add: Add): void {
  // In scripts a slash is often escaped with a backslash, so as not to end the element.
  const plain = script.replaceAll('\\/', '/')
  for (const [, url] of plain.matchAll(/["'`]((?:(?:https?|wss?):)?\/\/[^\s"'`<>\\]+)/gi)) {
    if (!NAMESPACE.test(url as string)) add('named in a script', url as string)
  }
}
