// The assets of a manifest as they are drawn (spec 2.4): each with its type, which may have to come from
// the slot of the format, and with the role of the render it belongs to.

import type { AssetType } from '../../protocol/schemas/asset-shapes.ts'
import type { Asset } from '../../protocol/schemas/assets.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { CreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import type { Format } from '../../protocol/schemas/format.ts'

export interface ManifestPart {
  /** Name of its slot. */
  name: string
  type: AssetType
  asset: Asset
  /** The purpose of the slot, if the format states one. */
  slotRole: string | undefined
  /** Its role in its group: the asset id that it names, or has by its position. */
  member?: string | undefined
  /** Whether it is one of a repeatable group. */
  isGrouped: boolean
}

export function partsOf({ assets = {} }: CreativeManifest, format: Format): ManifestPart[] {
  return Object.entries(assets).flatMap(([name, value]) => {
    const slot = slotsOf(format, name)
    const isGrouped = Array.isArray(value)
    const given = (isGrouped ? value : [value]).filter(isObject) as Asset[]
    return given.map((asset, index) => {
      const own = slot[index % Math.max(slot.length, 1)]
      const type = asset.asset_type ?? own?.asset_type ?? guess(asset)
      const member = isGrouped ? memberOf(asset, own) : undefined
      return { name, type, asset, slotRole: own?.asset_role, member, isGrouped }
    })
  })
}

function memberOf({ asset_id }: Asset, own: SlotMember | undefined): string | undefined {
  return typeof asset_id === 'string' ? asset_id : own?.asset_id
}

interface SlotMember {
  asset_id: string
  asset_type: AssetType
  asset_role?: string | undefined
}

function slotsOf({ assets }: Format, name: string): readonly SlotMember[] {
  for (const slot of assets) {
    if (slot.item_type === 'individual' && slot.asset_id === name) return [slot]
    if (slot.item_type === 'repeatable_group' && slot.asset_group_id === name) return slot.assets
  }
  return []
}

function guess(asset: Asset): AssetType {
  if ('brand_manifest' in asset || 'inline_offerings' in asset) return 'promoted_offerings'
  return typeof asset.content === 'string' ? 'text' : 'url'
}

/** The roles that are drawn. Assets that name no other role belong to the first one. */
export function rolesOf({ renders }: Format): NonNullable<Format['renders']> {
  return renders && renders.length > 0 ? renders : [{ role: 'primary', dimensions: {} }]
}

/** By the words in the slot's name: a companion's slots are called companion_image or similar. */
export function belongsTo(part: ManifestPart, roles: readonly string[]): string {
  const words = `${part.name} ${part.slotRole ?? ''}`.toLowerCase()
  const [first = 'primary', ...others] = roles
  return others.find((role) => words.includes(role.toLowerCase())) ?? first
}

/** Whether it is a tag, by its type or as a video or audio given by a tag (spec 2.4). */
export function isTag({ type, asset }: ManifestPart): boolean {
  if (type === 'vast' || type === 'daast') return true
  if (type !== 'video' && type !== 'audio') return false
  if (asset.url === undefined) return true
  const isNamed = 'vast_version' in asset || 'daast_version' in asset || 'delivery_type' in asset
  return isNamed || /\.xml$/i.test(asset.url.split(/[?#]/)[0] as string)
}

const LISTED: ReadonlySet<AssetType> = new Set<AssetType>([
  ...(['url', 'pixel_tracker', 'vast_tracker', 'daast_tracker', 'webhook'] as const),
  ...(['published_post'] as const),
])

/** Listed below the creative and never loaded. */
export function isListed({ type }: ManifestPart): boolean {
  return LISTED.has(type)
}

const CLICK = /click|landing|cta_url|destination/i

export function isClickThrough({ name, type, asset, slotRole }: ManifestPart): boolean {
  if (type !== 'url') return false
  if (asset.url_type !== undefined) return asset.url_type === 'clickthrough'
  if (slotRole !== undefined) return slotRole === 'clickthrough'
  return CLICK.test(name) && !/track/i.test(name)
}

/** `main_image` as a person would write it: Main image. */
export function wordsOf(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
