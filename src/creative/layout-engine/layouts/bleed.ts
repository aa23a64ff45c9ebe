// Layout "bleed": the photo fills the canvas, and the words stand on a scrim over it that is as dark as
// what is really behind them needs it to be, and no darker.

import { LIGHT_CELLS, type PhotoCrop } from '../ad-input.ts'
import { arrangeStack } from '../arrange-stack.ts'
import {
  BLACK,
  type Colour,
  contrast,
  luminance,
  mix,
  SHAPE_CONTRAST,
  TEXT_CONTRAST,
  WHITE,
} from '../colours.ts'
import { type Palette, type Surface, surfaceOn } from '../palette.ts'
import type { Frame, Rect, Stage } from '../scene.ts'
import { fade, rect } from '../shapes.ts'
import { canvas } from './grounds.ts'

export function bleed(frame: Frame): Stage {
  const { width: w, height: h, margin, palette, family, photo } = frame
  const isWide = family === 'wide' || family === 'strip'
  const from = { strip: 0, wide: 0, box: 0.3, tall: 0.46, column: 0.38 }[family]
  const to = isWide ? 0.56 : 1
  const box: Rect = {
    x: margin,
    y: h * from + (isWide ? margin : 0),
    width: Math.max(0, w * to - margin * (isWide ? 1 : 2)),
    height: Math.max(0, h * (1 - from) - margin * (isWide ? 2 : 1)),
  }
  const colour = scrimColour(palette)
  const stage: Stage = {
    photo: { box: canvas(frame), dataUri: photo?.bleed?.dataUri ?? '' },
    shapes: [],
    content: { box, surface: surfaceOver(WHITE, colour, 1, palette) },
    align: 'start',
    at: isWide ? 0.5 : 1,
    confetti: [],
  }
  // Set once to learn where the words come to stand: what is behind them decides.
  const boxes = arrangeStack(stage, frame).map((part) => part.box)
  const light = photo?.bleed ? lightestUnder(boxes, photo.bleed, frame) : WHITE
  const opacity = opacityOver(light, colour)
  const scrim = isWide
    ? fade('scrim', colour, { opacity, hold: to, end: 0.94, angle: 0 })
    : fade('scrim', colour, { opacity, hold: 1 - from, end: Math.min(1, 1.3 - from), angle: -90 })
  return {
    ...stage,
    shapes: [scrim.shape, rect(canvas(frame), scrim.paint)],
    content: { box, surface: surfaceOver(light, colour, opacity, palette) },
  }
}

function lightestUnder(boxes: readonly Rect[], { lightest }: PhotoCrop, frame: Frame): Colour {
  const { width, height, content } = frame
  const cell = (at: number, side: number) =>
    Math.max(0, Math.min(LIGHT_CELLS - 1, Math.floor((at / side) * LIGHT_CELLS)))
  // For those who read from right to left the words change sides, and the photo does not.
  const isMirrored = content.writing.direction === 'rtl'
  let found = BLACK
  for (const box of boxes) {
    const left = isMirrored ? width - box.x - box.width : box.x
    for (let row = cell(box.y, height); row <= cell(box.y + box.height, height); row++) {
      for (let column = cell(left, width); column <= cell(left + box.width, width); column++) {
        const colour = lightest[row * LIGHT_CELLS + column] ?? WHITE
        if (luminance(colour) > luminance(found)) found = colour
      }
    }
  }
  return found
}

/** The brand's colour, as dark as white words can be read on with room to spare. */
function scrimColour({ primary }: Palette): Colour {
  for (let share = 0.4; share < 1; share += 0.05) {
    const colour = mix(primary, BLACK, share)
    if (contrast(colour, WHITE) >= 13) return colour
  }
  return BLACK
}

/** A photo that is dark already keeps a little of it, so that the words have a ground. */
const LEAST_OPACITY = 0.3

function opacityOver(light: Colour, scrim: Colour): number {
  for (let opacity = LEAST_OPACITY; opacity < 0.99; opacity += 0.02) {
    // A little above what is needed: the file is encoded with losses.
    if (contrast(mix(light, scrim, opacity), WHITE) >= TEXT_CONTRAST * 1.08) return opacity
  }
  return 1
}

function surfaceOver(light: Colour, scrim: Colour, opacity: number, palette: Palette): Surface {
  const ground = mix(light, scrim, opacity)
  const surface = surfaceOn(ground, palette)
  // A button is seen wherever the photo is light, and wherever it is dark.
  const grounds = [ground, mix(BLACK, scrim, opacity)]
  const button =
    [palette.accent, palette.secondary, palette.primary].find((colour) =>
      grounds.every((one) => contrast(colour, one) >= SHAPE_CONTRAST),
    ) ?? WHITE
  const label = [palette.ink, WHITE, BLACK].find((one) => contrast(one, button) >= TEXT_CONTRAST)
  return { ...surface, text: WHITE, button, label: label ?? BLACK }
}
