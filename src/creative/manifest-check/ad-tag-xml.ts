// Reads the XML of an untrusted VAST or DAAST tag: bounded in size, elements and depth, with no document type and no
// custom entities, so that the cost of reading it depends only on its length.

import { createRequire } from 'node:module'
import type * as Xml from 'fast-xml-parser'
import { trimEnd } from '../../lib/trim-end.ts'

export interface XmlElement {
  name: string
  attributes: Readonly<Record<string, string>>
  /** Its own text and CDATA, trimmed. */
  text: string
  children: readonly XmlElement[]
}

export type ReadXml = { ok: true; root: XmlElement } | { ok: false; message: string }

/** Real tags have about ten kilobytes. */
const MAX_BYTES = 256 * 1_024
const MAX_ELEMENTS = 5_000
const MAX_DEPTH = 40

/** Never throws. */
export function readAdTagXml(xml: string): ReadXml {
  if (Buffer.byteLength(xml) > MAX_BYTES) return refuse('must be at most 256 KB')
  const bare = withoutLiterals(xml)
  if (bare === undefined) return refuse('has a comment or CDATA section that does not end')
  if (bare.includes('<!')) return refuse('must have no DOCTYPE, ENTITY or other declaration')
  if (bare.split('<').length > 2 * MAX_ELEMENTS) return refuse('has too many elements')

  const verdict = validate(xml)
  if (verdict !== undefined) return refuse(verdict)
  const nodes = parse(xml)
  if (!nodes) return refuse(`is nested more than ${MAX_DEPTH} levels deep, or has a reserved name`)
  const roots = elementsOf(nodes)
  const [root] = roots
  if (!root || roots.length > 1) return refuse('must have exactly one root element')
  return { ok: true, root }
}

function refuse(message: string): ReadXml {
  return { ok: false, message }
}

const LITERALS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
] as const

/** The text without comments and CDATA, which may contain anything; undefined if one is not closed. */
function withoutLiterals(xml: string): string | undefined {
  const kept: string[] = []
  let from = 0
  for (;;) {
    const start = xml.indexOf('<!', from)
    if (start < 0) return [...kept, xml.slice(from)].join('')
    const literal = LITERALS.find(([open]) => xml.startsWith(open, start))
    if (!literal) return [...kept, xml.slice(from)].join('')
    const [open, close] = literal
    const end = xml.indexOf(close, start + open.length)
    if (end < 0) return undefined
    kept.push(xml.slice(from, start))
    from = end + close.length
  }
}

const MAX_REASON_CHARS = 120

/** Why it is not well-formed; undefined if it is. */
function validate(xml: string): string | undefined {
  try {
    const verdict = library().XMLValidator.validate(xml)
    if (verdict === true) return undefined
    const { msg, line } = verdict.err
    return `is not well-formed in line ${line}: ${trimEnd(msg.slice(0, MAX_REASON_CHARS), '.')}`
  } catch {
    return 'is not well-formed'
  }
}

const ATTRIBUTES = ':@'
const TEXT = '#text'
const CDATA = '#cdata'

type Node = Readonly<Record<string, unknown>>

const require = createRequire(import.meta.url)

/** Loaded with the first tag: many servers never get one. */
function library(): typeof Xml {
  return require('fast-xml-parser') as typeof Xml
}

const OPTIONS: Xml.X2jOptions = {
  preserveOrder: true,
  processEntities: false,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  cdataPropName: CDATA,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: MAX_DEPTH,
}

let parser: Xml.XMLParser | undefined

function parse(xml: string): Node[] | undefined {
  try {
    parser ??= new (library().XMLParser)(OPTIONS)
    return parser.parse(xml) as Node[]
  } catch {
    return undefined
  }
}

function elementsOf(nodes: readonly Node[]): XmlElement[] {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ATTRIBUTES)
    if (name === undefined || name === TEXT || name === CDATA) return []
    const inner = Array.isArray(node[name]) ? (node[name] as Node[]) : []
    const attributes = (node[ATTRIBUTES] ?? {}) as Record<string, string>
    return [{ name, attributes, text: textOf(inner), children: elementsOf(inner) }]
  })
}

function textOf(nodes: readonly Node[]): string {
  const pieces = nodes.map((node) => {
    if (typeof node[TEXT] === 'string') return unescaped(node[TEXT])
    const literal = node[CDATA]
    return Array.isArray(literal) ? String((literal[0] as Node | undefined)?.[TEXT] ?? '') : ''
  })
  return pieces.join('').trim()
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
])

/** Decodes XML's five predefined entities, once; others are left unchanged. */
function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => ENTITIES.get(entity) ?? entity)
}
