// Whether the part of a picture outside a crop may contain words (spec 4.2): rows of small, strong changes of light,
// as letters make them. Foliage looks similar, so it only says that there may be some.

import type { Sharp } from './sharp.ts'

/** The part that is kept, as shares of the width and the height. */
export interface KeptPart {
  left: number
  top: number
  right: number
  bottom: number
}

/** The length in pixels of the longer side that is examined, and of a cell in it. */
const LOOKED_AT = 480
const CELL = 12
/** Changes of light within a cell as strong as those of letters, and how many mark the cell as having letters. */
const STRONG = 70
const LEAST_CHANGES = 10
/** The number of adjacent cells that make a word. */
const LEAST_CELLS = 3

export async function mayCutWords(picture: Sharp, kept: KeptPart): Promise<boolean> {
  const { data, info } = await picture
    .flatten({ background: '#ffffff' })
    .greyscale()
    .resize({ width: LOOKED_AT, height: LOOKED_AT, fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const light = (x: number, y: number) => data[(y * width + x) * channels] as number
  for (let top = 0; top + CELL <= height; top += CELL) {
    let run = 0
    for (let left = 0; left + CELL <= width; left += CELL) {
      const isOutside = !isWithin({ left, top, width, height }, kept)
      run = isOutside && changesIn(light, left, top) >= LEAST_CHANGES ? run + 1 : 0
      if (run >= LEAST_CELLS) return true
    }
  }
  return false
}

function isWithin(
  cell: { left: number; top: number; width: number; height: number },
  kept: KeptPart,
): boolean {
  const [x, y] = [(cell.left + CELL / 2) / cell.width, (cell.top + CELL / 2) / cell.height]
  return x >= kept.left && x <= kept.right && y >= kept.top && y <= kept.bottom
}

/** From one pixel to the next in its row. */
function changesIn(light: (x: number, y: number) => number, left: number, top: number): number {
  let count = 0
  for (let y = top; y < top + CELL; y++) {
    for (let x = left + 1; x < left + CELL; x++) {
      if (Math.abs(light(x, y) - light(x - 1, y)) >= STRONG) count++
    }
  }
  return count
}
