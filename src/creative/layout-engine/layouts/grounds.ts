// Shared by the layouts: the canvas as a box, where content goes, and discs that make room.

import { BLACK, type Colour, luminance, WHITE } from '../colours.ts'
import type { Surface } from '../palette.ts'
import type { Confetti, Frame, Rect } from '../scene.ts'
import { type Circle, circle } from '../shapes.ts'

export function canvas({ width, height }: Frame): Rect {
  return { x: 0, y: 0, width, height }
}

/** The canvas without its margins, or the left `share` of it. */
export function contentBox({ width, height, margin }: Frame, share = 1): Rect {
  return {
    x: margin,
    y: margin,
    width: Math.max(0, width * share - margin * (share < 1 ? 2.2 : 2)),
    height: Math.max(0, height - margin * 2),
  }
}

/** Where a background may extend without making its text harder to read. */
export function away(surface: Surface): Colour {
  return luminance(surface.text) > 0.18 ? BLACK : WHITE
}

export function disc(place: Circle, fill: Colour): Confetti {
  return { box: around(place), shape: circle(place, fill) }
}

export function around({ x, y, radius }: Circle): Rect {
  return { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }
}
