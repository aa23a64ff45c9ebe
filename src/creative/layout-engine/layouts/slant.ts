// Layout "slant": light paper for the text, cut at an angle by a block of the brand's colour that contains the brand
// or the button.

import { mix, WHITE } from '../colours.ts'
import { neighbour, surfaceOn } from '../palette.ts'
import type { Frame, Stage } from '../scene.ts'
import { circle, dots, gradient, polygon, rect, ring } from '../shapes.ts'
import { away, canvas, disc } from './grounds.ts'

export function slant(frame: Frame): Stage {
  if (frame.family === 'strip') return strip(frame)
  return frame.family === 'wide' ? wide(frame) : upright(frame)
}

/** The block at the left end contains the brand. */
function strip(frame: Frame): Stage {
  const { width: w, height: h, margin, palette } = frame
  const [paper, block] = [surfaceOn(palette.paper, palette), surfaceOn(palette.primary, palette)]
  const cut = Math.min(w * 0.34, h * 3)
  const lean = h * 0.32
  return {
    shapes: [
      rect(canvas(frame), palette.paper),
      polygon(
        [
          [0, 0],
          [cut + lean + h * 0.12, 0],
          [cut + h * 0.12, h],
          [0, h],
        ],
        palette.secondary,
      ),
      polygon(
        [
          [0, 0],
          [cut + lean, 0],
          [cut, h],
          [0, h],
        ],
        palette.primary,
      ),
    ],
    mark: {
      box: { x: margin, y: margin, width: cut - margin * 1.6, height: h - margin * 2 },
      surface: block,
    },
    content: {
      box: {
        x: cut + lean + h * 0.3,
        y: margin,
        width: Math.max(0, w - cut - lean - h * 0.3 - margin),
        height: h - margin * 2,
      },
      surface: paper,
    },
    align: 'start',
    at: 0.5,
    confetti: [],
  }
}

/** The block is on the right and contains rings and a grid of dots. */
function wide(frame: Frame): Stage {
  const { width: w, height: h, margin, palette } = frame
  const paper = surfaceOn(palette.paper, palette)
  const lean = h * 0.26
  const cut = w * 0.58
  const tone = gradient('block', {
    from: palette.primary,
    to: mix(palette.primary, palette.ink, 0.3),
    hold: 0.72,
  })
  const reach = Math.min(h, (w - cut) * 0.8)
  const [x, y] = [w - reach * 0.2, h * 0.74]
  const pale = mix(palette.primary, WHITE, 0.22)
  return {
    shapes: [
      rect(canvas(frame), palette.paper),
      polygon(
        [
          [cut + lean - h * 0.07, 0],
          [w, 0],
          [w, h],
          [cut - h * 0.07, h],
        ],
        palette.secondary,
      ),
      tone.shape,
      polygon(
        [
          [cut + lean, 0],
          [w, 0],
          [w, h],
          [cut, h],
        ],
        tone.paint,
      ),
      ...[0.4, 0.56, 0.72].map((r) => ring({ x, y, radius: reach * r }, pale, reach * 0.012)),
      circle({ x, y, radius: reach * 0.25 }, palette.secondary),
      dots(
        { x: cut + lean + h * 0.12, y: h * 0.1, width: h * 0.36, height: h * 0.24 },
        { step: h * 0.06, radius: h * 0.011 },
        mix(palette.primary, WHITE, 0.55),
      ),
    ],
    content: {
      box: { x: margin, y: margin, width: cut - margin * 2, height: h - margin * 2 },
      surface: paper,
    },
    align: 'start',
    at: 0.5,
    confetti: [],
  }
}

/** The block is at the bottom and contains the button. */
function upright(frame: Frame): Stage {
  const { width: w, height: h, margin, palette, family, unit } = frame
  const [paper, block] = [surfaceOn(palette.paper, palette), surfaceOn(palette.primary, palette)]
  const lean = w * (family === 'box' ? 0.1 : 0.2)
  const low = h * (family !== 'box' ? 0.6 : frame.content.disclaimer === '' ? 0.7 : 0.62)
  const deep = (share: number) => neighbour(block, away(block), share)
  const reach = Math.min(unit * 0.55, (h - low) * 0.98)
  const line = Math.max(2, unit * 0.018)
  const top = low + margin * 0.7
  const corner = { x: w * 0.96, y: h }
  return {
    shapes: [
      rect(canvas(frame), palette.paper),
      polygon(
        [
          [0, low - line],
          [w, low - lean - line],
          [w, h],
          [0, h],
        ],
        palette.secondary,
      ),
      polygon(
        [
          [0, low],
          [w, low - lean],
          [w, h],
          [0, h],
        ],
        palette.primary,
      ),
      circle({ ...corner, radius: reach }, deep(0.09)),
      circle({ ...corner, radius: reach * 0.68 }, deep(0.2)),
    ],
    content: {
      box: {
        x: margin,
        y: margin,
        width: w - margin * 2,
        height: Math.max(0, low - lean - line - margin * 1.5),
      },
      surface: paper,
    },
    action: {
      box: { x: margin, y: top, width: w - margin * 2, height: Math.max(0, h - top - margin) },
      surface: block,
    },
    align: 'start',
    at: family === 'box' ? 0.5 : 0.35,
    confetti: [disc({ ...corner, radius: reach * 0.4 }, palette.secondary)],
  }
}
