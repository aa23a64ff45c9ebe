// The type of an asset (spec 2.4): the one that it states, or that of its slot.

import type { AssetType } from '../../protocol/schemas/asset-shapes.ts'
import { isAssetType } from '../../protocol/schemas/assets.ts'

type Members = Readonly<Record<string, unknown>>

/** The type that an asset states, or inherits from its slot; undefined if neither states one. */
export function assetTypeOf(
  asset: Members,
  slotType: AssetType | undefined,
): AssetType | undefined {
  const stated = asset.asset_type
  if (typeof stated === 'string' && isAssetType(stated)) return stated
  if (slotType !== 'catalog') return slotType
  return isPromotedOfferings(asset) ? 'promoted_offerings' : slotType
}

/** The members show that an asset has the older shape, with the brand in it. */
function isPromotedOfferings(asset: Members): boolean {
  const { brand_manifest, inline_offerings, product_selectors } = asset
  return [brand_manifest, inline_offerings, product_selectors].some((one) => one !== undefined)
}
