// Layout "frame": light paper in a frame of the brand's colour with a fine second line, everything on one axis.

import { surfaceOn } from '../palette.ts'
import type { Frame, Rect, Stage } from '../scene.ts'
import { insetBox, polygon, rect } from '../shapes.ts'
import { canvas } from './grounds.ts'

const SHARE = 0.23

export function frame(frame: Frame): Stage {
  const { margin, palette, family, unit, width: w, height: h } = frame
  const isStrip = family === 'strip'
  // Thick enough to cover more than a fifth of the picture, whatever its shape: the brand is recognised by its
  // colour.
  const thick = Math.max(2, (SHARE * w * h) / (2 * (w + h)))
  const gap = thick * 0.45
  const fine = Math.max(1, thick * 0.18)
  const paper = surfaceOn(palette.paper, palette)
  const inner = insetBox(canvas(frame), thick + gap)
  const pad = isStrip ? margin * 0.55 : Math.max(gap, margin * 0.8)
  return {
    shapes: [
      rect(canvas(frame), palette.primary),
      rect(insetBox(canvas(frame), thick), palette.paper),
      rect(inner, palette.secondary),
      rect(insetBox(inner, fine), palette.paper),
      ...corners(inner, isStrip ? thick * 1.6 : unit * 0.06, palette.primary),
    ],
    content: {
      box: isStrip
        ? {
            ...insetBox(inner, fine),
            x: inner.x + pad * 1.6,
            y: inner.y + fine + thick * 0.6,
            width: Math.max(0, inner.width - pad * 3.2),
            // A disclaimer is slightly below the box and above the line.
            height: Math.max(0, inner.height - fine * 2 - thick * 0.6 - margin * 0.36),
          }
        : insetBox(inner, pad),
      surface: paper,
    },
    align: isStrip ? 'start' : 'middle',
    at: 0.5,
    confetti: [],
  }
}

/** A triangle in each corner of the inner line. */
function corners({ x, y, width, height }: Rect, side: number, fill: string): string[] {
  const [right, bottom] = [x + width, y + height]
  return [
    [x, y, 1, 1],
    [right, y, -1, 1],
    [x, bottom, 1, -1],
    [right, bottom, -1, -1],
  ].map(([px = 0, py = 0, dx = 1, dy = 1]) =>
    polygon(
      [
        [px, py],
        [px + side * dx, py],
        [px, py + side * dy],
      ],
      fill,
    ),
  )
}
