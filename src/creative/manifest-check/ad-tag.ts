// Whether an asset is a valid VAST or DAAST tag (spec 2.4): either a URL or content, never both. Content must be a
// document with an ad that a player can play.

import type { AssetRequirements } from '../../protocol/schemas/asset-requirements.ts'
import { readAdTagXml, type XmlElement } from './ad-tag-xml.ts'
import { addressFault, checkAddress } from './address.ts'
import { type Faults, quotedValue } from './fault.ts'
import { checkDuration } from './media.ts'

type Members = Readonly<Record<string, unknown>>

export type AdTagKind = 'vast' | 'daast'

const KINDS = {
  vast: {
    root: 'VAST',
    tagUri: 'VASTAdTagURI',
    versionMember: 'vast_version',
    versions: ['2.0', '2.0.1', '3.0', '4.0', '4.1', '4.2', '4.3'],
  },
  daast: {
    root: 'DAAST',
    tagUri: 'DAASTAdTagURI',
    versionMember: 'daast_version',
    versions: ['1.0', '1.1'],
  },
} as const

interface TagRules {
  kind: AdTagKind
  requirements: AssetRequirements
}

export function checkAdTag(asset: Members, rules: TagRules, faults: Faults): void {
  const { url, content, delivery_type } = asset
  const { root, versionMember } = KINDS[rules.kind]
  if (url !== undefined && content !== undefined) {
    faults.add('oneOf', `A ${root} tag must have url or content, not both.`)
  }
  if (delivery_type === 'url' && url === undefined) {
    faults.at('url').add('delivery_type', 'url is required when delivery_type is "url".')
  }
  if (delivery_type === 'inline' && content === undefined) {
    const message = 'content is required when delivery_type is "inline".'
    faults.at('content').add('delivery_type', message)
  }
  checkAddress(url, faults.at('url'))
  checkVersion(asset[versionMember], rules, faults.at(versionMember))
  checkDocument(asset, rules, faults.at('content'))
}

function checkVersion(stated: unknown, { kind, requirements }: TagRules, faults: Faults): void {
  const { versionMember, versions } = KINDS[kind]
  if (typeof stated !== 'string') return
  const wanted = requirements[versionMember]
  if (wanted !== undefined && stated !== wanted) {
    const message = `The version must be ${wanted}, not ${quotedValue(stated)}.`
    faults.add(versionMember, message, { expected: wanted, actual: stated })
  } else if (!(versions as readonly string[]).includes(stated)) {
    const message = `The version must be one of ${versions.join(', ')}.`
    faults.add(versionMember, message, { expected: versions, actual: stated })
  }
}

function checkDocument(asset: Members, { kind, requirements }: TagRules, faults: Faults): void {
  const { content } = asset
  if (typeof content !== 'string') return
  const { root: rootName, versionMember, versions } = KINDS[kind]
  const report = (message: string, rule = 'content') => faults.add(rule, message)
  const read = readAdTagXml(content)
  if (!read.ok) {
    report(`The ${rootName} document ${read.message}.`, 'xml')
    return
  }
  const { root } = read
  if (root.name !== rootName) {
    report(`The root element must be ${rootName}, not ${quotedValue(root.name)}.`)
    return
  }
  const version = root.attributes.version
  const wanted = requirements[versionMember]
  if (version === undefined || !(versions as readonly string[]).includes(version)) {
    report(`${rootName} needs a version: one of ${versions.join(', ')}.`, versionMember)
  } else if (wanted !== undefined && version !== wanted) {
    report(`The version must be ${wanted}, not ${version}.`, versionMember)
  } else if (typeof asset[versionMember] === 'string' && asset[versionMember] !== version) {
    report(
      `The document has version ${version}, which does not match ${versionMember}.`,
      versionMember,
    )
  }
  const ads = childrenOf(root, 'Ad')
  if (ads.length === 0) {
    report(`${rootName} has no Ad: there would be nothing to play.`)
    return
  }
  for (const [index, ad] of ads.entries()) {
    const fault = adFault(ad, kind)
    if (fault) report(`${rootName}/Ad[${index + 1}]${fault}`)
  }
  checkAddresses(root, report)
  if (asset.duration_ms === undefined) checkPlayed(root, requirements, faults)
}

function childrenOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name)
}

/** The first thing missing in an ad, with its path. */
function adFault(ad: XmlElement, kind: AdTagKind): string | undefined {
  const parts = ad.children.filter(({ name }) => name === 'InLine' || name === 'Wrapper')
  const [part] = parts
  if (!part || parts.length > 1) return ' must have exactly one of InLine and Wrapper.'
  const needed =
    part.name === 'InLine'
      ? ['AdSystem', 'AdTitle', 'Impression', 'Creatives']
      : ['AdSystem', KINDS[kind].tagUri, 'Impression']
  const lacking = needed.filter((name) => childrenOf(part, name).length === 0)
  if (lacking.length > 0) return `/${part.name} needs ${lacking.join(', ')}.`
  if (part.name === 'Wrapper') return undefined
  const creatives = childrenOf(part, 'Creatives').flatMap((list) => childrenOf(list, 'Creative'))
  return creatives.length > 0 ? undefined : '/InLine/Creatives needs a Creative.'
}

/** Elements whose text is a URL that a player calls. */
const ADDRESSES: ReadonlySet<string> = new Set([
  'VASTAdTagURI',
  'DAASTAdTagURI',
  'Impression',
  'Error',
  'Tracking',
  'ClickThrough',
  'ClickTracking',
  'CustomClick',
  'CompanionClickThrough',
  'CompanionClickTracking',
  'NonLinearClickThrough',
  'NonLinearClickTracking',
  'IconClickThrough',
  'MediaFile',
  'Mezzanine',
  'InteractiveCreativeFile',
  'StaticResource',
  'IFrameResource',
  'JavaScriptResource',
])

const PICTURES: ReadonlySet<string> = new Set(['StaticResource'])

function checkAddresses(element: XmlElement, report: (message: string) => void): void {
  const { name, text, children } = element
  if (ADDRESSES.has(name) && text !== '') {
    const fault = addressFault(text, { mayBeData: PICTURES.has(name) })
    if (fault) report(`${name} holds ${quotedValue(text)}: ${fault.message}`)
  }
  for (const child of children) checkAddresses(child, report)
}

const CLOCK = /^(\d{2}):([0-5]\d):([0-5]\d)(\.\d{1,3})?$/

/** The duration of the media, if the document states one. */
function checkPlayed(root: XmlElement, requirements: AssetRequirements, faults: Faults): void {
  for (const text of durationsIn(root)) {
    const [, hours, minutes, seconds, fraction = '0'] = CLOCK.exec(text) ?? []
    if (hours === undefined) {
      const message = `Duration must be a time such as 00:00:30, not ${quotedValue(text)}.`
      faults.add('content', message)
      continue
    }
    const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
    const durationMs = whole * 1_000 + Math.round(Number(fraction) * 1_000)
    checkDuration(durationMs, requirements, faults)
  }
}

function durationsIn({ name, text, children }: XmlElement): string[] {
  return [...(name === 'Duration' ? [text] : []), ...children.flatMap(durationsIn)]
}
