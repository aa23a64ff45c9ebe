// Checks one asset against its slot (spec 2.4): its type, whether it has the members of that type, and the
// requirements of the slot.

import type { z } from 'zod'
import { defined } from '../../lib/defined.ts'
import type { AssetRequirements } from '../../protocol/schemas/asset-requirements.ts'
import { ASSET_NEEDS_ONE, type AssetType } from '../../protocol/schemas/asset-shapes.ts'
import { assetOfType, isAssetType } from '../../protocol/schemas/assets.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import { checkShape } from '../../protocol/schemas/issues.ts'
import { type AdTagKind, checkAdTag } from './ad-tag.ts'
import { checkAddress } from './address.ts'
import { assetTypeOf } from './asset-type.ts'
import { exampleAsset } from './cards.ts'
import { type Faults, quotedValue } from './fault.ts'
import { checkCss, checkHtml, checkJavascript } from './markup.ts'
import { checkDuration, checkFile, checkTechnicalData } from './media.ts'
import { checkCatalog, checkPromotedOfferings } from './offerings.ts'
import { checkSize } from './sizes.ts'
import { checkText } from './text.ts'

type Members = Readonly<Record<string, unknown>>

/** What an asset is checked against; an asset that belongs to no slot has only its own type. */
export interface AssetPlace {
  asset_type?: AssetType | undefined
  requirements?: AssetRequirements | undefined
  /** The format, if the asset is in one of its slots. */
  format?: Format | undefined
  /** Whether the manifest or the request names the brand elsewhere. */
  isBrandKnown: boolean
}

export function checkAsset(asset: unknown, place: AssetPlace, faults: Faults): void {
  if (!isObject(asset)) {
    const { asset_type: type } = place
    const what = type ? `an object of type ${type}` : 'an asset object'
    const example = type && exampleAsset(type)
    const shape = example ? `, such as ${JSON.stringify(example)}` : ''
    faults.add('type', `This must be ${what}${shape}.`)
    return
  }
  const stated = asset.asset_type
  if (stated !== undefined && (typeof stated !== 'string' || !isAssetType(stated))) {
    faults.at('asset_type').add('asset_type', 'This is not an asset type.', {
      ...defined({ expected: place.asset_type ? place.asset_type : undefined }),
      actual: quotedValue(stated),
    })
    return
  }
  if (stated !== undefined && place.asset_type && !mayFill(stated, place.asset_type)) {
    const message = `The slot takes an asset of type ${place.asset_type}, not ${stated}.`
    const values = { expected: place.asset_type, actual: stated }
    faults.at('asset_type').add('asset_type', message, values)
    return
  }
  const type = assetTypeOf(asset, place.asset_type)
  if (!type) {
    checkAddress(asset.url, faults.at('url'), { mayBeData: true })
    return
  }
  checkMembers(asset, type, faults)
  checkByType(asset, { ...place, type }, faults)
}

/** What a slot accepts besides its own type: a video tag counts as a video, and so on. */
const ALSO_FILL: Partial<Record<AssetType, readonly AssetType[]>> = {
  video: ['vast'],
  vast: ['video'],
  audio: ['daast'],
  daast: ['audio'],
  url: ['pixel_tracker', 'vast_tracker', 'daast_tracker'],
  catalog: ['promoted_offerings'],
  promoted_offerings: ['catalog'],
}

function mayFill(type: AssetType, slotType: AssetType): boolean {
  return type === slotType || (ALSO_FILL[slotType]?.includes(type) ?? false)
}

function checkMembers(asset: Members, type: AssetType, faults: Faults): void {
  const shape = checkShape(assetOfType[type] as z.ZodType, asset)
  if (!shape.ok) {
    for (const { pointer, message, keyword } of shape.issues) {
      faults.at(...stepsOf(pointer)).add(keyword, message)
    }
  }
  const choices = ASSET_NEEDS_ONE[type]
  if (choices?.every((member) => asset[member] === undefined)) {
    faults.add('anyOf', `An asset of type ${type} needs ${choices.join(' or ')}.`)
  }
}

function stepsOf(pointer: string): string[] {
  const steps = pointer.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** With the type that it is checked as. */
interface TypedPlace<Type extends AssetType> extends AssetPlace {
  type: Type
}

function checkByType(asset: Members, place: TypedPlace<AssetType>, faults: Faults): void {
  const { type, requirements = {}, format, isBrandKnown } = place
  switch (type) {
    case 'image':
      checkAddress(asset.url, faults.at('url'), { mayBeData: true })
      checkSize(asset, { requirements, format }, faults)
      checkFile(asset, requirements, faults)
      return
    case 'video':
    case 'audio':
    case 'vast':
    case 'daast':
      checkPlayable(asset, { ...place, type }, faults)
      return
    case 'text':
    case 'markdown':
      checkText(asset.content, requirements, faults)
      return
    case 'html':
      checkHtml(asset, requirements, faults)
      return
    case 'css':
      checkCss(asset, requirements, faults)
      return
    case 'javascript':
      checkJavascript(asset, requirements, faults)
      return
    case 'promoted_offerings':
      checkPromotedOfferings(asset, { isBrandKnown }, faults)
      checkOfferings(asset, requirements, faults)
      return
    case 'catalog':
      checkCatalog(asset, requirements, faults)
      return
    default:
      checkOthers(asset, requirements, faults)
      return
  }
}

function checkPlayable(
  asset: Members,
  { type, requirements = {}, format }: TypedPlace<'video' | 'audio' | AdTagKind>,
  faults: Faults,
): void {
  checkDuration(asset.duration_ms, requirements, faults.at('duration_ms'))
  for (const member of ['captions_url', 'transcript_url', 'audio_description_url']) {
    checkAddress(asset[member], faults.at(member))
  }
  if (type === 'vast' || type === 'daast' || isTag(asset)) {
    const kind = type === 'video' || type === 'vast' ? 'vast' : 'daast'
    checkAdTag(asset, { kind, requirements }, faults)
    return
  }
  checkAddress(asset.url, faults.at('url'))
  if (type === 'video') checkSize(asset, { requirements, format }, faults)
  checkFile(asset, requirements, faults)
  checkTechnicalData(asset, requirements, faults)
}

/** Whether a video or audio recording is given by its tag (spec 2.4). */
function isTag(asset: Members): boolean {
  return TAG_MEMBERS.some((member) => asset[member] !== undefined)
}

const TAG_MEMBERS = ['content', 'delivery_type', 'vast_version', 'daast_version'] as const

/** The offerings next to a brand are optional: the brand alone can be advertised. */
function checkOfferings(asset: Members, requirements: AssetRequirements, faults: Faults): void {
  if (asset.inline_offerings === undefined && asset.offerings === undefined) return
  checkCatalog(asset, requirements, faults)
}

/** URLs in the assets that have only these rules. */
const ADDRESS_MEMBERS = ['url', 'post_url', 'landing_page_url', 'backup_image_url'] as const

function checkOthers(asset: Members, requirements: AssetRequirements, faults: Faults): void {
  for (const member of ADDRESS_MEMBERS) {
    checkAddress(asset[member], faults.at(member), {
      protocols: requirements.protocols,
      allowedDomains: requirements.allowed_domains,
      maxLength: requirements.max_length,
      macrosAllowed: requirements.macro_support,
    })
  }
  const { media, landing_page_url: landing } = asset
  if (isObject(media)) checkAddress(media.url, faults.at('media', 'url'), { mayBeData: true })
  if (isObject(landing)) checkAddress(landing.url, faults.at('landing_page_url', 'url'))
}
