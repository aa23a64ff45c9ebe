// Reads the parts of a VAST or DAAST document that a preview shows: media files, companions, the click URL, and every
// tracker. It never throws, and anything unusual in a document is omitted, not guessed.

import { createRequire } from 'node:module'
import type * as Xml from 'fast-xml-parser'
import { isObject } from '../../protocol/schemas/checks.ts'
import { MAX_TAG_CHARS } from '../limits.ts'

export interface MediaFile {
  url: string
  type: string
  width: number | undefined
  height: number | undefined
  /** A player that the file needs, such as VPAID: then it is a program, and not displayed. */
  apiFramework: string | undefined
}

export interface Companion {
  width: number | undefined
  height: number | undefined
  imageUrl: string | undefined
  html: string | undefined
  frameUrl: string | undefined
  clickThrough: string | undefined
}

interface Tracker {
  event: string
  url: string
}

export interface AdTag {
  kind: 'VAST' | 'DAAST'
  version: string
  title: string | undefined
  durationMs: number | undefined
  /** Where a wrapper's ad is. */
  wrapped: string | undefined
  mediaFiles: MediaFile[]
  companions: Companion[]
  clickThrough: string | undefined
  trackers: Tracker[]
}

export type ReadTag = { ok: true; tag: AdTag } | { ok: false; reason: string }

type Node = Record<string, unknown>

export function readTag(text: string): ReadTag {
  if (text.length > MAX_TAG_CHARS) return refuse('the tag is too large')
  // No tag needs one, and it is where a document would define entities that grow.
  if (/<!DOCTYPE|<!ENTITY/i.test(text))
    return refuse('the tag has a document type, which is refused')
  const root = parse(text)
  if (!root) return refuse('the tag is not well-formed XML')
  const kind = 'VAST' in root ? 'VAST' : 'DAAST' in root ? 'DAAST' : undefined
  if (!kind) return refuse('the tag is neither VAST nor DAAST')
  const document = childOf(root, kind)
  const ad = childrenOf(document, 'Ad')[0]
  if (!ad) return refuse(`the ${kind} tag holds no ad`)
  return { ok: true, tag: tagOf(kind, document, ad) }
}

function tagOf(kind: AdTag['kind'], document: Node, ad: Node): AdTag {
  const wrapper = childrenOf(ad, 'Wrapper')[0]
  const body = wrapper ?? childOf(ad, 'InLine')
  const creatives = childrenOf(body, 'Creatives').flatMap((list) => childrenOf(list, 'Creative'))
  const linears = creatives.flatMap((creative) => childrenOf(creative, 'Linear'))
  const clicks = linears.flatMap((linear) => [
    ...childrenOf(linear, 'VideoClicks'),
    ...childrenOf(linear, 'AdInteractions'),
    ...childrenOf(linear, 'AudioInteractions'),
  ])
  return {
    kind,
    version: attribute(document, 'version') ?? '',
    title: textsOf(body, 'AdTitle')[0],
    durationMs: linears.flatMap((linear) => textsOf(linear, 'Duration')).map(milliseconds)[0],
    wrapped:
      wrapper && (textsOf(wrapper, 'VASTAdTagURI')[0] ?? textsOf(wrapper, 'DAASTAdTagURI')[0]),
    mediaFiles: linears
      .flatMap((linear) => childrenOf(linear, 'MediaFiles'))
      .flatMap((list) => childrenOf(list, 'MediaFile'))
      .map(mediaFileOf)
      .filter(({ url }) => url !== ''),
    companions: creatives
      .flatMap((creative) => childrenOf(creative, 'CompanionAds'))
      .flatMap((list) => childrenOf(list, 'Companion'))
      .map(companionOf),
    clickThrough: clicks.flatMap((click) => textsOf(click, 'ClickThrough'))[0],
    trackers: [
      ...textsOf(body, 'Impression').map((url) => ({ event: 'impression', url })),
      ...textsOf(body, 'Error').map((url) => ({ event: 'error', url })),
      ...clicks
        .flatMap((click) => textsOf(click, 'ClickTracking'))
        .map((url) => ({ event: 'clickTracking', url })),
      ...trackingOf(body),
    ],
  }
}

/** Every Tracking element, wherever it is: in a linear, a companion or an icon. */
function trackingOf(node: Node): Tracker[] {
  const found: Tracker[] = []
  const waiting: Node[] = [node]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const one of childrenOf(next, 'Tracking')) {
      const url = textOfNode(one)
      if (url) found.push({ event: attribute(one, 'event') ?? 'tracking', url })
    }
    for (const [name, value] of Object.entries(next)) {
      if (name === 'Tracking') continue
      // One by one: a list with a hundred thousand items is too long for arguments.
      for (const one of Array.isArray(value) ? value : [value]) if (isObject(one)) waiting.push(one)
    }
  }
  return found
}

function mediaFileOf(node: Node): MediaFile {
  return {
    url: textOfNode(node),
    type: attribute(node, 'type') ?? '',
    width: whole(attribute(node, 'width')),
    height: whole(attribute(node, 'height')),
    apiFramework: attribute(node, 'apiFramework'),
  }
}

function companionOf(node: Node): Companion {
  return {
    width: whole(attribute(node, 'width')),
    height: whole(attribute(node, 'height')),
    imageUrl: textsOf(node, 'StaticResource')[0],
    html: textsOf(node, 'HTMLResource')[0],
    frameUrl: textsOf(node, 'IFrameResource')[0],
    clickThrough: textsOf(node, 'CompanionClickThrough')[0],
  }
}

const OPTIONS: Xml.X2jOptions = {
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  cdataPropName: '#cdata',
  parseTagValue: false,
  processEntities: false,
  removeNSPrefix: true,
}

const require = createRequire(import.meta.url)
let parser: Xml.XMLParser | undefined

function parse(text: string): Node | undefined {
  try {
    // Loaded with the first tag: many servers never get one.
    const { XMLParser } = require('fast-xml-parser') as typeof Xml
    parser ??= new XMLParser(OPTIONS)
    const root: unknown = parser.parse(text, true)
    return isObject(root) ? root : undefined
  } catch {
    return undefined
  }
}

function childrenOf(node: Node, name: string): Node[] {
  const value = Object.hasOwn(node, name) ? node[name] : undefined
  const all = Array.isArray(value) ? value : [value]
  return all.flatMap((one: unknown) =>
    isObject(one) ? [one] : typeof one === 'string' ? [{ '#text': one }] : [],
  )
}

function childOf(node: Node, name: string): Node {
  return childrenOf(node, name)[0] ?? {}
}

function textsOf(node: Node, name: string): string[] {
  return childrenOf(node, name).map(textOfNode).filter(Boolean)
}

function textOfNode(node: Node): string {
  const cdata = [node['#cdata']].flat().filter((piece) => typeof piece === 'string')
  const text = typeof node['#text'] === 'string' ? unescapeXml(node['#text']) : ''
  return `${cdata.join('')}${text}`.trim()
}

function attribute(node: Node, name: string): string | undefined {
  const value = node[`@${name}`]
  return typeof value === 'string' ? unescapeXml(value) : undefined
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Decodes XML's five predefined entities, each once. Others are left unchanged. */
function unescapeXml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES.get(name) as string)
}

function whole(text: string | undefined): number | undefined {
  const number = Number.parseInt(text ?? '', 10)
  return number > 0 && number <= 16_384 ? number : undefined
}

/** `00:00:30.500` in milliseconds. */
function milliseconds(text: string): number | undefined {
  const found = /^(\d{1,2}):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/.exec(text)
  if (!found) return undefined
  const [hours, minutes, seconds] = found.slice(1, 4).map(Number) as [number, number, number]
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + Number((found[4] ?? '').padEnd(3, '0'))
}

function refuse(reason: string): ReadTag {
  return { ok: false, reason }
}
