// The purpose of a format's slot (spec 2.3, 2.4), determined by its role and its name, so that material of one format
// finds its place in another. Pure.

import type { AssetRequirements } from '../../protocol/schemas/asset-requirements.ts'
import type { AssetType } from '../../protocol/schemas/asset-shapes.ts'
import type { Format, FormatSlot } from '../../protocol/schemas/format.ts'
import { dimensionsOf } from '../renders.ts'

export interface BuildSlot {
  /** The key in a manifest. */
  name: string
  type: AssetType
  role: SlotRole
  isRequired: boolean
  requirements: AssetRequirements
  /** For a part of a repeatable group: the part's name, and how often the group repeats. */
  group?: { part: string; min: number; max: number }
}

export type SlotRole =
  | 'headline'
  | 'description'
  | 'call_to_action'
  | 'price'
  | 'sponsor'
  | 'disclosure'
  | 'clickthrough'
  | 'logo'
  | 'picture'
  | 'other'

/** Every slot of a format; a repeatable group of several parts has one entry for each of them. */
export function slotsOf(format: Format): BuildSlot[] {
  return format.assets.flatMap((slot) =>
    slot.item_type === 'individual' ? [oneSlot(slot)] : groupSlots(slot),
  )
}

function oneSlot(slot: FormatSlot & { item_type: 'individual' }): BuildSlot {
  return {
    name: slot.asset_id,
    type: slot.asset_type,
    role: roleOf(slot.asset_type, slot.asset_id, slot.requirements?.role ?? slot.asset_role),
    isRequired: slot.required,
    requirements: slot.requirements ?? {},
  }
}

function groupSlots(slot: FormatSlot & { item_type: 'repeatable_group' }): BuildSlot[] {
  const repeats = { min: Math.max(slot.min_count, slot.required ? 1 : 0), max: slot.max_count }
  return slot.assets.map((part) => ({
    name: slot.asset_group_id,
    type: part.asset_type,
    role: roleOf(part.asset_type, part.asset_id, part.requirements?.role ?? part.asset_role),
    isRequired: slot.required && part.required !== false,
    requirements: part.requirements ?? {},
    group: { part: part.asset_id, ...repeats },
  }))
}

/** The current price: not a price before a discount, and not the currency alone. */
const PRICE =
  /(?:^|[ _])(?<!(?:full|list|old|original|previous|regular|was)_)(?:price|pricing_amount)(?:_label|_text)?(?: |$)/

/**
 * About neither the brand nor its offerings, whatever else the name contains: `publisher_name`, `audience_summary`.
 */
const ABOUT_OTHERS =
  /(?:^|[ _])(?:audience|author|byline|campaign|category|city|editor|episode|host|location|placement|podcast|publisher|rating|review|reviewer|seller|site|station|targeting|testimonial|transcript|user|venue)(?:[ _]|$)/

const TEXT_ROLES: readonly [RegExp, SlotRole][] = [
  [/disclos|disclaim|legal|sponsored_label/, 'disclosure'],
  [ABOUT_OTHERS, 'other'],
  [/sponsor|advertiser|(?:^|[ _])brand(?:_name)?(?: |$)/, 'sponsor'],
  [/cta|call_to_action|button/, 'call_to_action'],
  [PRICE, 'price'],
  [/headline|title|name/, 'headline'],
  [/description|body|text|copy|caption|mention|summary/, 'description'],
]

/** By its role if one is stated, else by its name. */
export function roleOf(type: AssetType, name: string, stated = ''): SlotRole {
  const words = `${stated} ${name}`.toLowerCase()
  if (type === 'text' || type === 'markdown') {
    return TEXT_ROLES.find(([pattern]) => pattern.test(words))?.[1] ?? 'other'
  }
  if (type === 'url') {
    if (/track|pixel|impression|viewab|captions/.test(words)) return 'other'
    return /click|landing|cta|destination|link/.test(words) ? 'clickthrough' : 'other'
  }
  if (type === 'image') return /logo|icon/.test(words) ? 'logo' : 'picture'
  return 'other'
}

export interface PixelSize {
  width: number
  height: number
}

const MAX_SIDE = 4_096
/** A size that most feeds display well, for pictures whose format leaves the size open. */
const OPEN_SIZE: PixelSize = { width: 1_200, height: 628 }
const LOGO_SIZE: PixelSize = { width: 512, height: 512 }

/** The size to make a picture in: what its slot requires, else its format's own, else a usual one. */
export function pictureSize({ role, requirements }: BuildSlot, format: Format): PixelSize {
  const { min_width, max_width, min_height, max_height } = requirements
  const usual = role === 'logo' ? LOGO_SIZE : renderSize(format)
  const width = within(usual.width, min_width, max_width)
  const height = within(usual.height, min_height, max_height)
  const ratio = ratioOf(requirements.aspect_ratio)
  if (ratio === undefined || Math.abs(width / height / ratio - 1) < 0.005) return { width, height }
  const tall = Math.round(width / ratio)
  return tall === within(tall, min_height, max_height)
    ? { width, height: tall }
    : { width: within(Math.round(height * ratio), min_width, max_width), height }
}

/** The size of the first render that has one in pixels, or the usual one of its ratio. */
export function renderSize(format: Format): PixelSize {
  for (const { width, height, unit = 'px', aspect_ratio } of dimensionsOf(format)) {
    const isPixels = unit === 'px' || unit === 'dp'
    if (isPixels && width !== undefined && height !== undefined) return { width, height }
    const ratio = ratioOf(aspect_ratio)
    if (ratio === undefined) continue
    return ratio >= 1
      ? { width: 1_920, height: Math.round(1_920 / ratio) }
      : { width: Math.round(1_920 * ratio), height: 1_920 }
  }
  return OPEN_SIZE
}

function ratioOf(text: string | undefined): number | undefined {
  const [width = 0, height = 0] = text?.split(':').map(Number) ?? []
  return width > 0 && height > 0 ? width / height : undefined
}

function within(side: number, least = 1, most = Math.max(MAX_SIDE, least)): number {
  return Math.round(Math.min(Math.max(side, least), most))
}
