// Puts a set text at its place.

import type { Colour } from './colours.ts'
import type { SetText } from './fit-text.ts'
import type { Align, PlacedText, Rect } from './scene.ts'

/** At the top of `room`, left-aligned or centred; the box is as wide as the lines. */
export function placeText(
  set: SetText,
  room: Rect,
  align: Align,
  fill: Colour,
  ground: Colour,
): PlacedText {
  const x = align === 'middle' ? room.x + (room.width - set.width) / 2 : room.x
  const box = { x, y: room.y, width: set.width, height: set.height }
  return { set, box, align, fill, ground }
}
