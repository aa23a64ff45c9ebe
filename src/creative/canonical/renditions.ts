// One picture in several densities (spec 2.3): a named format has a slot for each rendition; a canonical one has all
// of them under image_main, distinguished by their pixels.

import type { Asset } from '../../protocol/schemas/assets.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { Format, IndividualSlot } from '../../protocol/schemas/format.ts'
import { collectFaults, type ManifestFault } from '../manifest-check/fault.ts'
import { isGroup, type ManifestSlot, valueIn } from '../manifest-check/format-slots.ts'

export interface Rendition {
  /** By its name in the named format. */
  slot: string
  /** Image pixels per pixel of the placement. */
  pixel_ratio: number
}

type Assets = Readonly<Record<string, unknown>>

const PICTURE = /^(?:banner|billboard|screen)_image(?:_\d+x)?$/

/** The renditions of the picture that the format displays; empty if it has none of a fixed size. */
export function renditionsOf({ assets, renders = [] }: Format): Rendition[] {
  const { width } = (renders[0]?.dimensions ?? {}) as Record<string, unknown>
  if (typeof width !== 'number') return []
  return (assets as readonly ManifestSlot[]).flatMap((slot) => {
    if (isGroup(slot) || slot.asset_type !== 'image' || !PICTURE.test(slot.asset_id)) return []
    const pixels = fixedWidth(slot)
    return pixels === undefined ? [] : [{ slot: slot.asset_id, pixel_ratio: pixels / width }]
  })
}

function fixedWidth({ requirements }: IndividualSlot): number | undefined {
  const { min_width: least, max_width: most } = (requirements ?? {}) as Record<string, unknown>
  return typeof least === 'number' && least === most ? least : undefined
}

/**
 * Puts each rendition of `image_main` into the slot of its density; anything that is not a list of renditions is
 * unchanged.
 */
export function inRenditionSlots(assets: Assets, format: Format): Assets {
  const renditions = renditionsOf(format)
  const { image_main, ...others } = assets
  if (renditions.length < 2 || !Array.isArray(image_main)) return assets
  const placed = new Map<string, unknown>()
  const left: unknown[] = []
  for (const asset of image_main) {
    const ratio = ratioOf(asset, format)
    const place = renditions.find((one) => one.pixel_ratio === ratio && !placed.has(one.slot))
    if (place) placed.set(place.slot, asset)
    else left.push(asset)
  }
  // One that matches no density of the format goes into the first free slot, so that the manifest check reports it.
  for (const asset of left) {
    const free = renditions.find(({ slot }) => !placed.has(slot))
    if (!free) return assets
    placed.set(free.slot, asset)
  }
  return { ...others, ...Object.fromEntries(placed) }
}

/** The renditions of a named format as one list, each with its density. */
export function asRenditions(assets: Assets, format: Format): Asset[] | undefined {
  const renditions = renditionsOf(format)
  if (renditions.length < 2) return undefined
  const found = renditions.flatMap(({ slot, pixel_ratio }) => {
    const asset = valueIn(assets, slot)
    return isObject(asset) ? [{ ...(asset as Asset), pixel_ratio }] : []
  })
  return found.length > 0 ? found : undefined
}

/** The ratio that it states, or else its width divided by that of the placement. */
function ratioOf(asset: unknown, { renders = [] }: Format): number | undefined {
  if (!isObject(asset)) return undefined
  const { pixel_ratio, width } = asset
  if (typeof pixel_ratio === 'number') return pixel_ratio
  const { width: place } = (renders[0]?.dimensions ?? {}) as Record<string, unknown>
  return typeof width === 'number' && typeof place === 'number' ? width / place : undefined
}

/** What is wrong with the densities of `image_main`, for a format of a fixed size. Pointers are into the manifest. */
export function densityFaults(assets: Assets, format: Format): ManifestFault[] {
  const renditions = renditionsOf(format)
  const { image_main } = assets
  if (renditions.length === 0 || image_main === undefined) return []
  const { faults, found } = collectFaults()
  const given: readonly unknown[] = Array.isArray(image_main) ? image_main : [image_main]
  const accepted = renditions.map(({ pixel_ratio }) => pixel_ratio)
  const seen = new Set<number>()
  const at = faults.at('assets', 'image_main')
  for (const [index, asset] of given.entries()) {
    const place = Array.isArray(image_main) ? [index] : []
    const ratio = ratioOf(asset, format)
    if (ratio === undefined) {
      if (renditions.length < 2) continue
      const message = 'Give pixel_ratio, or the width in pixels: it is one of several renditions.'
      at.at(...place).add('pixel_ratio_ambiguous', message, { expected: accepted })
    } else if (!accepted.includes(ratio)) {
      const message = `A rendition is of ${accepted.join(' or ')} pixels for each of the place.`
      at.at(...place).add('pixel_ratio_not_accepted', message, {
        expected: accepted,
        actual: ratio,
      })
    } else if (seen.has(ratio)) {
      at.at(...place).add('pixel_ratio_duplicate', 'Give each rendition once.', { actual: ratio })
    } else seen.add(ratio)
  }
  for (const ratio of renditions.length > 1 ? accepted : []) {
    if (seen.has(ratio)) continue
    const message = `The rendition of ${ratio} pixels for each of the place is missing.`
    at.add('required_pixel_ratio_missing', message, { expected: ratio })
  }
  return found()
}
