// Photos that may appear next to the words of what is drawn (spec 4.2): which ones there are, and in which sizes they
// are needed. Pure.

import type { Format } from '../../protocol/schemas/format.ts'
import { photosOf } from '../brand/brand-context.ts'
import { MAX_CROP_BYTES, MAX_PRODUCTS } from '../limits.ts'
import { hasMacros } from '../macros/has-macros.ts'
import type { ImageRequests } from '../message/image-requests.ts'
import { CONTAINERS } from '../video/video-encoder.ts'
import { videoSpec } from '../video/video-spec.ts'
import type { BuildSources, SourceAsset } from './build-sources.ts'
import { ownAsset } from './own-asset.ts'
import { offeringOfTurn } from './repetitions.ts'
import { type BuildSlot, type PixelSize, pictureSize, renderSize, slotsOf } from './slots.ts'

export interface PhotoPlan {
  /** Photos of the manifest and of the offerings, the best first. */
  candidates: readonly string[]
  /** One photo per offering if several have some, the promoted one first: they are placed in a grid. */
  products: readonly string[]
  /** The sizes that will be drawn with words; empty when there are none. */
  sizes: readonly PhotoSize[]
  focus: ImageRequests['focus'] | undefined
}

interface PhotoSize extends PixelSize {
  /** Of the photo alone. */
  maxBytes: number
}

export function photoPlan(material: BuildSources, formats: readonly Format[]): PhotoPlan {
  const sizes = new Map<string, PhotoSize>()
  for (const format of formats) {
    for (const slot of slotsOf(format)) {
      const size = drawnSize(slot, format, material)
      if (!size) continue
      const key = photoKey(size)
      const maxBytes = Math.min(size.maxBytes, sizes.get(key)?.maxBytes ?? size.maxBytes)
      sizes.set(key, { ...size, maxBytes })
    }
  }
  const [offering] = material.promoted.offerings
  const own = material.assets
    .filter((source) => isPhoto(source))
    .map(({ asset }) => asset.url ?? '')
  const candidates = [...new Set([...own, ...((offering && photosOf(offering)) ?? [])])]
  const { focus } = material.preferences
  return { candidates, products: productsOf(material), sizes: [...sizes.values()], focus }
}

function productsOf({ promoted }: BuildSources): string[] {
  const [first, ...others] = promoted.offerings.map((offering) => photosOf(offering)?.[0])
  const urls = new Set([first, ...others].filter((url) => url !== undefined))
  return first === undefined || urls.size < 2 ? [] : [...urls].slice(0, MAX_PRODUCTS)
}

export function photoKey({ width, height }: PixelSize): string {
  return `${width}x${height}`
}

/** The asset of the manifest that contains the photo, if it comes from the manifest. */
export function photoSource({ assets }: BuildSources, url: string): SourceAsset | undefined {
  return assets.find((source) => isPhoto(source) && source.asset.url === url)
}

function isPhoto({ type, role, asset: { url } }: SourceAsset): boolean {
  return type === 'image' && role === 'picture' && url !== undefined && !hasMacros(url)
}

/** Undefined if nothing is drawn: the slot is filled otherwise, or stays empty. */
function drawnSize(slot: BuildSlot, format: Format, material: BuildSources): PhotoSize | undefined {
  if (!slot.isRequired) return undefined
  const last = (slot.group?.min ?? 1) - 1
  if (slot.type === 'image' && slot.role === 'picture') {
    // There each of several offerings has its own picture.
    if (offeringOfTurn(slot, material, last)) return undefined
    const isGiven = ownAsset(slot, { format, material }, last) !== undefined
    return isGiven ? undefined : { ...pictureSize(slot, format), maxBytes: MAX_CROP_BYTES }
  }
  if (slot.type === 'video') return videoSize(slot, format, material)
  if (slot.type !== 'html') return undefined
  // Base64 adds a third to the size, and the fonts need space as well.
  const most = (slot.requirements.max_file_size_kb ?? Number.POSITIVE_INFINITY) * 500
  return { ...renderSize(format), maxBytes: Math.min(most, MAX_CROP_BYTES) }
}

/** A film is not loaded like a page, so its photo may be as large as any. */
function videoSize(slot: BuildSlot, format: Format, material: BuildSources): PhotoSize | undefined {
  if (ownAsset(slot, { format, material }, 0)) return undefined
  const requested = videoSpec(slot, format, { containers: CONTAINERS })
  return requested.ok
    ? { width: requested.spec.width, height: requested.spec.height, maxBytes: MAX_CROP_BYTES }
    : undefined
}
