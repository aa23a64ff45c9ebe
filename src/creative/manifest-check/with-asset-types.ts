// The assets of a manifest with the type of each, as they are stored and sent (spec 2.4).

import type { Asset } from '../../protocol/schemas/assets.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import { assetTypeOf } from './asset-type.ts'
import { withCards } from './cards.ts'
import { isGroup, type ManifestSlot, memberFor, nameOf } from './format-slots.ts'

/** Its own, or that of its slot. */
export function withAssetTypes(
  assets: Readonly<Record<string, Asset | Asset[]>>,
  format: Format,
): Record<string, Asset | Asset[]> {
  const { assets: laidOut = {} } = withCards({ assets }, format)
  const slots = new Map(format.assets.map((slot) => [nameOf(slot), slot as ManifestSlot]))
  const typed = (asset: Asset, slot: ManifestSlot | undefined): Asset => {
    const member = slot && isGroup(slot) ? memberFor(asset, slot) : slot
    const asset_type = assetTypeOf(asset, member?.asset_type) ?? guessed(asset)
    return { ...asset, asset_type }
  }
  return Object.fromEntries(
    Object.entries(laidOut).map(([name, value]) => {
      const slot = slots.get(name)
      return [
        name,
        Array.isArray(value) ? value.map((one) => typed(one, slot)) : typed(value, slot),
      ]
    }),
  )
}

/** For an asset that neither states its type nor fills a slot. */
function guessed({ url, content }: Asset): 'url' | 'text' | 'promoted_offerings' {
  if (url !== undefined) return 'url'
  return content === undefined ? 'promoted_offerings' : 'text'
}
