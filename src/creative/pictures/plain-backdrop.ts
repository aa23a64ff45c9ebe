// Whether a photo has one thing on one plain colour, as product photos do: then it is displayed whole on that colour,
// and not cropped.

import { MAP_CELLS, type SeenPhoto, type Window } from './salience.ts'

export interface Backdrop {
  /** As #rrggbb. */
  colour: string
  /** What is on it, with a small margin. */
  product: Window
}

/** How far a colour may differ from the backdrop's, out of 255 in each channel, and still count as backdrop. */
const NEAR = 14
/** The share of the border that must have one colour. */
const LEAST_PLAIN = 0.96

/** Undefined if the border is not plain, or there is nothing on it. */
export function backdropOf({ pixels }: SeenPhoto): Backdrop | undefined {
  const border: number[] = []
  for (let at = 0; at < MAP_CELLS; at++) {
    const last = MAP_CELLS - 1
    border.push(at, last * MAP_CELLS + at, at * MAP_CELLS, at * MAP_CELLS + last)
  }
  const colour = [0, 1, 2].map((channel) => {
    const values = border.map((cell) => pixels[cell * 3 + channel] as number).sort((a, b) => a - b)
    return values[Math.floor(values.length / 2)] as number
  })
  const isNear = (cell: number) =>
    [0, 1, 2].every(
      (one) => Math.abs((pixels[cell * 3 + one] as number) - (colour[one] as number)) <= NEAR,
    )
  if (border.filter(isNear).length < border.length * LEAST_PLAIN) return undefined
  const product = boundsOf((cell) => !isNear(cell))
  if (!product) return undefined
  const hex = colour.map((value) => value.toString(16).padStart(2, '0')).join('')
  return { colour: `#${hex}`, product }
}

/** Something that fills nearly all of it is not a thing on a background, and neither is a speck. */
const SIZES = { least: 0.12, most: 0.96 }

function boundsOf(isSeen: (cell: number) => boolean): Window | undefined {
  let [left, top, right, bottom] = [MAP_CELLS, MAP_CELLS, -1, -1]
  for (let cell = 0; cell < MAP_CELLS * MAP_CELLS; cell++) {
    if (!isSeen(cell)) continue
    const [row, column] = [Math.floor(cell / MAP_CELLS), cell % MAP_CELLS]
    left = Math.min(left, column)
    right = Math.max(right, column)
    top = Math.min(top, row)
    bottom = Math.max(bottom, row)
  }
  const [width, height] = [(right - left + 1) / MAP_CELLS, (bottom - top + 1) / MAP_CELLS]
  const isThing = Math.max(width, height) > SIZES.least && Math.min(width, height) < SIZES.most
  if (right < 0 || !isThing) return undefined
  // One more cell on each side: its edge may be inside the last one.
  const air = 1 / MAP_CELLS
  const x = Math.max(0, left / MAP_CELLS - air)
  const y = Math.max(0, top / MAP_CELLS - air)
  return {
    x,
    y,
    width: Math.min(1 - x, width + 2 * air),
    height: Math.min(1 - y, height + 2 * air),
  }
}
