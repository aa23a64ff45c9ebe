// Shared by the layouts with a photo beside the words: where both are placed, and how much of its area the photo
// gives up for the words.

import { defined } from '../../../lib/defined.ts'
import type { PhotoCrop } from '../ad-input.ts'
import { arrangeParts } from '../arrange-parts.ts'
import type { Frame, Part, PlacedPhoto, Rect, Stage } from '../scene.ts'
import { lossIn, shortenedIn } from '../what-is-lost.ts'
import { canvas } from './grounds.ts'
import { photoArea } from './photo-area.ts'
import { focusOf } from './visible-photo.ts'

interface Halves {
  photo: Rect
  panel: Rect
  /** Side by side, else the photo above the words. */
  isBeside: boolean
  /** Whether the photo is at the left. */
  isFirst: boolean
}

/** The photo takes `share` of the area for a photo beside the words, and the panel the rest of the canvas. */
export function halves(frame: Frame, share: number, isFirst: boolean): Halves {
  const { width: w, height: h, family } = frame
  const area = photoArea('split', frame)
  if (family !== 'strip' && family !== 'wide') {
    const photo = { ...area, height: Math.round(area.height * share) }
    const panel = { ...canvas(frame), y: photo.height, height: h - photo.height }
    return { photo, panel, isBeside: false, isFirst: true }
  }
  const width = Math.round(area.width * share)
  const photo = { ...area, width, x: isFirst ? 0 : w - width }
  const panel = { ...canvas(frame), x: isFirst ? width : 0, width: w - width }
  return { photo, panel, isBeside: true, isFirst }
}

/** A crop in its place; a product on its own background is complete there. `of`: the area it was cropped to. */
export function placePhoto(
  box: Rect,
  crop: PhotoCrop | undefined,
  { radius, of }: { radius?: number; of?: Pick<Rect, 'width' | 'height'> } = {},
): PlacedPhoto {
  const { dataUri = '', backdrop } = crop ?? {}
  const focus = crop && of && backdrop === undefined ? focusOf(crop, of, box) : undefined
  return { box, dataUri, ...defined({ backdrop, radius, focus }) }
}

const SHARES = [1, 0.86, 0.72] as const

/** The first stage, from the largest photo to the smallest, with room for every word; otherwise the best one. */
export function withRoom(frame: Frame, stageFor: (share: number) => Stage): Stage {
  let best: { stage: Stage; lack: number } | undefined
  for (const share of SHARES) {
    const stage = stageFor(share)
    const lack = lackOf(arrangeParts(stage, frame), frame)
    if (best === undefined || lack < best.lack) best = { stage, lack }
    if (lack === 0) break
  }
  return (best as { stage: Stage }).stage
}

/** A shortened description costs little, a missing one more, and any other missing word most. */
function lackOf(parts: readonly Part[], { content, family, height }: Frame): number {
  const loss = lossIn(parts, content) * 10
  if (family === 'strip' && height < LEAST_DESCRIBED) return loss
  if (!shortenedIn(parts, content).includes('description')) return loss
  return loss + (parts.some(({ role }) => role === 'description') ? 1 : 4)
}

/** Strips lower than this, in pixels, show no description. */
export const LEAST_DESCRIBED = 80
