// Layout "poster": the headline is the picture. Large type on one plain colour, a heavy bar at its side, and blocks
// of the brand's other colours that cut the lower edge.

import { mix } from '../colours.ts'
import { surfaceOn } from '../palette.ts'
import type { Frame, Stage } from '../scene.ts'
import { rect } from '../shapes.ts'
import { canvas } from './grounds.ts'

export function poster(frame: Frame): Stage {
  const { width: w, height: h, margin, palette, family } = frame
  // The largest letters are on the brand's own colour; a light brand has its own light background.
  const ground = palette.primary
  const surface = surfaceOn(ground, palette)
  const isFlat = family === 'strip' || family === 'wide'
  const band = Math.round(isFlat ? h * (family === 'strip' ? 0.08 : 0.07) : h * 0.045)
  const bar = Math.max(3, Math.round(Math.min(w, h) * (family === 'strip' ? 0.1 : 0.045)))
  const steps = [palette.secondary, mix(ground, surface.text, 0.35), palette.accent]
  const widths = [0.58, 0.27, 0.15]
  const left = bar + margin * (family === 'strip' ? 0.8 : 0.75)
  let from = 0
  const blocks = widths.map((share, index) => {
    const x = Math.round(from * w)
    from += share
    const box = { x, y: h - band, width: Math.round(from * w) - x, height: band }
    return rect(box, steps[index] as string)
  })
  return {
    shapes: [
      rect(canvas(frame), ground),
      rect({ x: 0, y: 0, width: bar, height: h }, palette.secondary),
      ...blocks,
    ],
    content: {
      box: {
        x: left,
        y: margin * (isFlat ? 0.7 : 0.9),
        width: Math.max(0, w - left - margin),
        height: Math.max(0, h - band - margin * (isFlat ? 1.4 : 1.7)),
      },
      surface,
    },
    align: 'start',
    at: isFlat ? 0.5 : 0.42,
    confetti: [],
    emphasis: family === 'strip' ? 1.12 : 1.4,
  }
}
