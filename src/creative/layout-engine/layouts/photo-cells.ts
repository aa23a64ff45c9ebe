// The parts of a full-canvas photo that are under given boxes.

import { LIGHT_CELLS, type PhotoCrop } from '../ad-input.ts'
import { BLACK, type Colour, luminance, WHITE } from '../colours.ts'
import type { Frame, Rect } from '../scene.ts'

export function lightestUnder(
  boxes: readonly Rect[],
  { lightest }: PhotoCrop,
  frame: Frame,
): Colour {
  let found = BLACK
  for (const cell of cellsUnder(boxes, frame)) {
    const colour = lightest[cell] ?? WHITE
    if (luminance(colour) > luminance(found)) found = colour
  }
  return found
}

/** The share of the photo's visual detail that the boxes cover, 0 to 1. */
export function detailUnder(boxes: readonly Rect[], crop: PhotoCrop, frame: Frame): number {
  const all = (crop.detail ?? []).reduce((sum, _, cell) => sum + weightOf(crop, cell), 0)
  if (all === 0) return 0
  let covered = 0
  for (const cell of cellsUnder(boxes, frame)) covered += weightOf(crop, cell)
  return covered / all
}

const QUIET = 0.3

/** The amount of visual detail in a cell; quiet areas count as zero, since even a sky has grain. */
export function weightOf({ detail }: PhotoCrop, cell: number): number {
  return Math.max(0, (detail?.[cell] ?? 1) - QUIET)
}

function cellsUnder(boxes: readonly Rect[], { width, height, content }: Frame): Set<number> {
  const cell = (at: number, side: number) =>
    Math.max(0, Math.min(LIGHT_CELLS - 1, Math.floor((at / side) * LIGHT_CELLS)))
  // In right-to-left languages the words change sides, and the photo does not.
  const isMirrored = content.writing.direction === 'rtl'
  const cells = new Set<number>()
  for (const box of boxes) {
    const left = isMirrored ? width - box.x - box.width : box.x
    for (let row = cell(box.y, height); row <= cell(box.y + box.height, height); row++)
      for (let column = cell(left, width); column <= cell(left + box.width, width); column++)
        cells.add(row * LIGHT_CELLS + column)
  }
  return cells
}
