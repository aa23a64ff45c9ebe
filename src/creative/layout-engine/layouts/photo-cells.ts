// What of a photo lies under some boxes of a canvas that it fills.

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

/** The share of all there is to see that the boxes lie on, 0 to 1. */
export function detailUnder(boxes: readonly Rect[], { detail }: PhotoCrop, frame: Frame): number {
  // Quiet places count for nothing: a sky has grain as well.
  const weight = (cell: number) => Math.max(0, (detail?.[cell] ?? 1) - QUIET)
  const all = (detail ?? []).reduce((sum, _, cell) => sum + weight(cell), 0)
  if (all === 0) return 0
  let covered = 0
  for (const cell of cellsUnder(boxes, frame)) covered += weight(cell)
  return covered / all
}

const QUIET = 0.3

/** The side at which there is most to see, as SVG aligns pictures: what a box cuts off is cut from the other. */
export function focusOf({ detail }: PhotoCrop): string | undefined {
  let [all, across, down] = [0, 0, 0]
  for (const [cell, value] of (detail ?? []).entries()) {
    const weight = Math.max(0, value - QUIET) ** 2
    all += weight
    across += weight * ((cell % LIGHT_CELLS) + 0.5)
    down += weight * (Math.floor(cell / LIGHT_CELLS) + 0.5)
  }
  if (all === 0) return undefined
  const side = (sum: number) => {
    const at = sum / all / LIGHT_CELLS
    return at < 0.5 - MIDDLE ? 'Min' : at > 0.5 + MIDDLE ? 'Max' : 'Mid'
  }
  return `x${side(across)}Y${side(down)}`
}

/** How far from the middle its weight may be, as a share of the photo, for both sides to be cut alike. */
const MIDDLE = 0.12

function cellsUnder(boxes: readonly Rect[], { width, height, content }: Frame): Set<number> {
  const cell = (at: number, side: number) =>
    Math.max(0, Math.min(LIGHT_CELLS - 1, Math.floor((at / side) * LIGHT_CELLS)))
  // For those who read from right to left the words change sides, and the photo does not.
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
