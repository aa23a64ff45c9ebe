// The part of a crop that is visible in its place in a layout: the box may have another shape, and a slanted panel or
// a disc may cover a part of it.

import { LIGHT_CELLS, type PhotoCrop } from '../ad-input.ts'
import type { Focus, PlacedPhoto, Rect, Stage } from '../scene.ts'
import { weightOf } from './photo-cells.ts'

interface Size {
  width: number
  height: number
}

/** The share of a crop's visual detail that remains in a box of another shape, 0 to 1. */
function visibleIn(crop: PhotoCrop, of: Size, { box, focus, isHidden }: Placed): number {
  const scale = Math.max(box.width / of.width, box.height / of.height)
  const [width, height] = [of.width * scale, of.height * scale]
  const { across, down } = SHARES[focus ?? 'xMidYMid']
  const [left, top] = [(box.width - width) * across, (box.height - height) * down]
  let [all, returned] = [0, 0]
  for (let cell = 0; cell < LIGHT_CELLS * LIGHT_CELLS; cell++) {
    const weight = weightOf(crop, cell)
    if (weight === 0) continue
    const x = left + (((cell % LIGHT_CELLS) + 0.5) / LIGHT_CELLS) * width
    const y = top + ((Math.floor(cell / LIGHT_CELLS) + 0.5) / LIGHT_CELLS) * height
    const isInside = x >= 0 && x <= box.width && y >= 0 && y <= box.height
    all += weight
    if (isInside && !isHidden?.(box.x + x, box.y + y)) returned += weight
  }
  return all === 0 ? 1 : returned / all
}

interface Placed extends Pick<PlacedPhoto, 'box' | 'focus'> {
  /** Whether a point of the canvas is under a shape. Default: none is. */
  isHidden?: ((x: number, y: number) => boolean | undefined) | undefined
}

const SHARES: Readonly<Record<Focus, { across: number; down: number }>> = {
  xMidYMid: { across: 0.5, down: 0.5 },
  xMinYMid: { across: 0, down: 0.5 },
  xMaxYMid: { across: 1, down: 0.5 },
  xMidYMin: { across: 0.5, down: 0 },
  xMidYMax: { across: 0.5, down: 1 },
}

/** How much more another side must show to be preferred to the middle. */
const WORTH_IT = 0.06

/** The side that shows most of a crop in a box of another shape; undefined for the middle. */
export function focusOf(crop: PhotoCrop, of: Size, box: Rect): Focus | undefined {
  const isFlatter = box.width / box.height > of.width / of.height
  const sides = isFlatter
    ? (['xMidYMin', 'xMidYMax'] as const)
    : (['xMinYMid', 'xMaxYMid'] as const)
  let best: { focus: Focus | undefined; returned: number } = {
    focus: undefined,
    returned: visibleIn(crop, of, { box }) + WORTH_IT,
  }
  for (const focus of sides) {
    const returned = visibleIn(crop, of, { box, focus })
    if (returned > best.returned) best = { focus, returned }
  }
  return best.focus
}

/** The share of a crop that is visible on a stage, 0 to 1; a product on its own background is complete. */
export function visiblePartOf(
  stage: Stage,
  crop: PhotoCrop,
  { of, isMirrored }: { of: Size; isMirrored: boolean },
): number {
  const { photo, hides } = stage
  if (!photo || photo.backdrop !== undefined) return 1
  const { x: left, width } = photo.box
  // For right-to-left text the stage is mirrored, but the content of the photo is not.
  const isHidden = isMirrored ? (x: number, y: number) => hides?.(2 * left + width - x, y) : hides
  return visibleIn(crop, of, { ...photo, isHidden })
}
