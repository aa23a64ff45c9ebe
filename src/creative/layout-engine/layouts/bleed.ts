// Layout "bleed": the photo fills the canvas, and the words stand where there is least to see, on a scrim over
// it that is as dark as what is really behind them needs it to be, and no darker. A product on a plain ground
// stands whole beside the words, which share its ground.

import { arrangeStack } from '../arrange-stack.ts'
import {
  BLACK,
  type Colour,
  contrast,
  mix,
  SHAPE_CONTRAST,
  TEXT_CONTRAST,
  WHITE,
} from '../colours.ts'
import type { Side } from '../design.ts'
import { buttonColours, type Palette, type Surface, surfaceOn } from '../palette.ts'
import type { Frame, Rect, Stage } from '../scene.ts'
import { fade, rect } from '../shapes.ts'
import { halves, placePhoto, withRoom } from './beside.ts'
import { canvas } from './grounds.ts'
import { detailUnder, lightestUnder } from './photo-cells.ts'

export function bleed(frame: Frame): Stage {
  const backdrop = frame.photo?.bleed?.backdrop
  if (backdrop !== undefined) {
    const isFirst = frame.dice.roll() < 0.5
    return withRoom(frame, (share) => onBackdrop(frame, backdrop, share, isFirst))
  }
  const stages = sidesOf(frame).map((side) => onPhoto(frame, side))
  const [first, ...others] = stages
  return others.reduce(
    (best, stage) => ((stage.covers ?? 0) < (best.covers ?? 0) - 0.04 ? stage : best),
    first as Stage,
  )
}

/** In the order in which they are taken where all are as good. */
function sidesOf({ family, design }: Frame): readonly Side[] {
  const { side } = design
  const isUpright = family === 'tall' || family === 'column'
  // Beside a subject in the middle of an upright photo there is no room for words.
  if (side && !(isUpright && (side === 'left' || side === 'right'))) return [side]
  return family === 'wide' || family === 'strip' ? ['left', 'right'] : ['bottom', 'top']
}

function onPhoto(frame: Frame, side: Side): Stage {
  const { palette, photo } = frame
  const { box, hold, end } = placeOf(frame, side)
  const colour = scrimColour(palette)
  const isFlat = side === 'left' || side === 'right'
  const stage: Stage = {
    photo: placePhoto(canvas(frame), photo?.bleed),
    shapes: [],
    content: { box, surface: surfaceOver(WHITE, colour, 1, palette) },
    align: 'start',
    at: isFlat ? 0.5 : side === 'top' ? 0 : 1,
    confetti: [],
  }
  // Set once to learn where the words come to stand: what is behind them decides.
  const boxes = arrangeStack(stage, frame).map((part) => part.box)
  if (boxes.length === 0) return stage
  const light = photo?.bleed ? lightestUnder(boxes, photo.bleed, frame) : WHITE
  const opacity = opacityOver(light, colour)
  const scrim = fade('scrim', colour, { opacity, hold, end, from: side })
  return {
    ...stage,
    shapes: [scrim.shape, rect(canvas(frame), scrim.paint)],
    content: { box, surface: surfaceOver(light, colour, opacity, palette) },
    covers: photo?.bleed ? detailUnder(boxes, photo.bleed, frame) : 0,
  }
}

/** Where the words stand, and from where to where the scrim fades, as shares of the canvas. */
function placeOf(frame: Frame, side: Side): { box: Rect; hold: number; end: number } {
  const { width: w, height: h, margin, family } = frame
  if (side === 'left' || side === 'right') {
    const share = 0.54
    const width = Math.max(0, w * share - margin)
    const x = side === 'left' ? margin : w - margin - width
    const box = { x, y: margin, width, height: Math.max(0, h - margin * 2) }
    return { box, hold: share, end: 0.92 }
  }
  const share = { strip: 1, wide: 1, box: 0.7, tall: 0.54, column: 0.6 }[family]
  const height = Math.max(0, h * share - margin)
  const y = side === 'top' ? margin : h - margin - height
  const box = { x: margin, y, width: Math.max(0, w - margin * 2), height }
  return { box, hold: share, end: Math.min(1, share + 0.3) }
}

function onBackdrop(frame: Frame, backdrop: Colour, share: number, first: boolean): Stage {
  const { margin, palette } = frame
  const { photo, panel, isBeside } = halves(frame, share, first)
  const top = isBeside ? margin : margin * 0.3
  return {
    under: [rect(canvas(frame), backdrop)],
    photo: placePhoto(photo, frame.photo?.bleed),
    shapes: [],
    content: {
      box: {
        x: panel.x + margin,
        y: panel.y + top,
        width: Math.max(0, panel.width - margin * 2),
        height: Math.max(0, panel.height - top - margin),
      },
      surface: surfaceOn(backdrop, palette),
    },
    align: 'start',
    at: 0.5,
    confetti: [],
  }
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
  const darkest = mix(BLACK, scrim, opacity)
  const grounds = [ground, darkest]
  const button =
    buttonColours(palette).find((colour) =>
      grounds.every((one) => contrast(colour, one) >= SHAPE_CONTRAST),
    ) ?? WHITE
  const label = [palette.ink, WHITE, BLACK].find((one) => contrast(one, button) >= TEXT_CONTRAST)
  // No photo is even: what is a little less than white would sometimes be too little.
  return { ...surface, darkest, text: WHITE, quiet: WHITE, button, label: label ?? BLACK }
}
