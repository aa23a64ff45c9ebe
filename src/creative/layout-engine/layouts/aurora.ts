// Layout "aurora": the brand's colour deepens across the canvas, with large soft discs in it, and one disc in the
// second colour glows where there is no text.

import { WHITE } from '../colours.ts'
import { neighbour, surfaceOn } from '../palette.ts'
import type { Confetti, Frame, Stage } from '../scene.ts'
import { type Circle, circle, gradient, rect, ring } from '../shapes.ts'
import { around, away, canvas, contentBox, disc } from './grounds.ts'

export function aurora(frame: Frame): Stage {
  const { width, height, palette, family, unit } = frame
  const surface = surfaceOn(palette.primary, palette)
  const deep = away(surface)
  const end = neighbour(surface, deep, 0.34)
  const ground = gradient('ground', {
    from: palette.primary,
    to: end,
    hold: 0.42,
    angle: 38,
  })
  // Light shows more than shade does.
  const soft = (share: number) => neighbour(surface, deep, deep === WHITE ? share * 0.6 : share)
  const isFlat = family === 'wide' || family === 'strip'
  const [x, y, radius] = isFlat
    ? [width - height * 0.42, height * 0.5, height * 0.78]
    : [width * 0.98, height * (family === 'box' ? 0.13 : 0.33), unit * 0.62]
  return {
    shapes: [
      ground.shape,
      rect(canvas(frame), ground.paint),
      circle({ x, y, radius: radius * 1.32 }, soft(0.08)),
      circle({ x, y, radius }, soft(0.15)),
      ...(isFlat
        ? []
        : [circle({ x: width * 0.04, y: height * 1.02, radius: unit * 0.42 }, soft(0.24))]),
    ],
    content: { box: contentBox(frame, family === 'wide' ? 0.66 : 1), surface },
    align: 'start',
    at: family === 'wide' ? 0.5 : 1,
    confetti: isFlat ? flatDiscs(frame, x, y) : cornerDiscs(frame, { x, y, radius }),
  }
}

function flatDiscs(frame: Frame, x: number, y: number): Confetti[] {
  const { height: h, palette, family } = frame
  if (family === 'strip') return []
  const vivid = surfaceOn(palette.primary, palette).button
  const centre = { x: x + h * 0.1, y: y + h * 0.06 }
  const sun = disc({ ...centre, radius: h * 0.36 }, palette.secondary)
  // The moon belongs to the ring: if there is no room for the ring, the moon would look lost.
  const orbit = around({ ...centre, radius: h * 0.46 })
  const moon = disc({ x: x - h * 0.28, y: y + h * 0.28, radius: h * 0.05 }, palette.secondary)
  return [
    sun,
    { box: orbit, shape: ring({ ...centre, radius: h * 0.44 }, vivid, h * 0.008) },
    disc({ x: x - h * 0.2, y: y - h * 0.22, radius: h * 0.13 }, vivid),
    { ...moon, box: orbit },
    disc({ ...centre, radius: h * 0.24 }, palette.secondary),
  ]
}

function cornerDiscs(frame: Frame, { x, y, radius: r }: Circle): Confetti[] {
  const { palette, unit } = frame
  const top = y - r * 0.1
  // They have one colour and one centre: a viewer sees the largest one that touches nothing.
  const sizes = [0.62, 0.46, 0.34, 0.25, 0.18]
  const moon = disc({ x: x - r * 0.62, y: y + r * 0.2, radius: unit * 0.04 }, palette.accent)
  return [
    ...sizes.map((share) => disc({ x, y: top, radius: r * share }, palette.secondary)),
    // Alone it would look lost, so it is placed where a disc also fits.
    { ...moon, box: { ...moon.box, y: top - r * 0.34, width: r, height: r * 0.68 } },
  ]
}
