// What is drawn in a mosaic tile. Each figure extends to the edges of its box, so neighbours join up.

import type { Colour } from '../colours.ts'
import type { Rect } from '../scene.ts'
import { circle, path } from '../shapes.ts'

export const FIGURES: readonly ((box: Rect, fill: Colour) => string)[] = [
  quarterDisc,
  quarterDiscBelow,
  leaf,
  risingHalf,
  sideHalf,
  sun,
  fourDots,
  triangle,
]

function quarterDisc({ x, y, width: w, height: h }: Rect, fill: Colour): string {
  return path(['M', x, y, 'H', x + w, 'A', w, h, 0, 0, 1, x, y + h, 'Z'], fill)
}

function quarterDiscBelow({ x, y, width: w, height: h }: Rect, fill: Colour): string {
  return path(['M', x + w, y + h, 'H', x, 'A', w, h, 0, 0, 1, x + w, y, 'Z'], fill)
}

function leaf({ x, y, width: w, height: h }: Rect, fill: Colour): string {
  const back = ['A', w, h, 0, 0, 1, x, y + h, 'Z']
  return path(['M', x, y + h, 'A', w, h, 0, 0, 1, x + w, y, ...back], fill)
}

function risingHalf({ x, y, width: w, height: h }: Rect, fill: Colour): string {
  return path(['M', x, y + h, 'A', w / 2, h / 2, 0, 0, 1, x + w, y + h, 'Z'], fill)
}

function sideHalf({ x, y, width: w, height: h }: Rect, fill: Colour): string {
  return path(['M', x, y, 'A', w / 2, h / 2, 0, 0, 1, x, y + h, 'Z'], fill)
}

function sun({ x, y, width: w, height: h }: Rect, fill: Colour): string {
  return circle({ x: x + w / 2, y: y + h / 2, radius: w * 0.3 }, fill)
}

function fourDots({ x, y, width: w, height: h }: Rect, fill: Colour): string {
  const places = [0.3, 0.7].flatMap((dy) => [0.3, 0.7].map((dx) => [dx, dy] as const))
  return places
    .map(([dx, dy]) => circle({ x: x + w * dx, y: y + h * dy, radius: w * 0.11 }, fill))
    .join('')
}

function triangle({ x, y, width: w, height: h }: Rect, fill: Colour): string {
  return path(['M', x, y + h, 'L', x + w, y, 'V', y + h, 'Z'], fill)
}
