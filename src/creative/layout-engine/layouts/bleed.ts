// Layout "bleed": the photo fills the canvas. The words are where the photo has the least detail, on a scrim that is
// only as dark as the photo behind them requires. A product on a plain background is complete, beside the words,
// which share its background.

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
    return withRoom(frame, (share) => onBackdrop(frame, backdrop, { share, isFirst }))
  }
  const stages = sidesOf(frame).map((side) => onPhoto(frame, side))
  const [first, ...others] = stages
  return others.reduce(
    (best, stage) => ((stage.covers ?? 0) < (best.covers ?? 0) - 0.04 ? stage : best),
    first as Stage,
  )
}

/** In order of preference when all are equally good. */
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
    content: { box, surface: surfaceOver(WHITE, { colour, opacity: 1 }, palette) },
    align: 'start',
    at: isFlat ? 0.5 : side === 'top' ? 0 : 1,
    confetti: [],
  }
  // Set once to find out where the words will be: the decision depends on what is behind them.
  const boxes = arrangeStack(stage, frame).map((part) => part.box)
  if (boxes.length === 0) return stage
  const light = photo?.bleed ? lightestUnder(boxes, photo.bleed, frame) : WHITE
  const opacity = opacityOver(light, colour)
  const scrim = fade('scrim', colour, { opacity, hold, end, from: side })
  return {
    ...stage,
    shapes: [scrim.shape, rect(canvas(frame), scrim.paint)],
    content: { box, surface: surfaceOver(light, { colour, opacity }, palette) },
    covers: photo?.bleed ? detailUnder(boxes, photo.bleed, frame) : 0,
  }
}

/** Where the words are, and where the scrim starts and ends fading, as shares of the canvas. */
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

function onBackdrop(
  frame: Frame,
  backdrop: Colour,
  { share, isFirst }: { share: number; isFirst: boolean },
): Stage {
  const { margin, palette } = frame
  const { photo, panel, isBeside } = halves(frame, share, isFirst)
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

/** The brand's colour, dark enough for white words to be readable with a margin. */
function scrimColour({ primary }: Palette): Colour {
  for (let share = 0.4; share < 1; share += 0.05) {
    const colour = mix(primary, BLACK, share)
    if (contrast(colour, WHITE) >= 13) return colour
  }
  return BLACK
}

/** A photo that is already dark keeps a little of the scrim, so that the words have a background. */
const LEAST_OPACITY = 0.3

function opacityOver(light: Colour, scrim: Colour): number {
  for (let opacity = LEAST_OPACITY; opacity < 0.99; opacity += 0.02) {
    // Slightly above the minimum, because the file is encoded with losses.
    if (contrast(mix(light, scrim, opacity), WHITE) >= TEXT_CONTRAST * 1.08) return opacity
  }
  return 1
}

interface Scrim {
  colour: Colour
  opacity: number
}

function surfaceOver(light: Colour, scrim: Scrim, palette: Palette): Surface {
  const ground = mix(light, scrim.colour, scrim.opacity)
  const surface = surfaceOn(ground, palette)
  // A button is seen wherever the photo is light, and wherever it is dark.
  const darkest = mix(BLACK, scrim.colour, scrim.opacity)
  const grounds = [ground, darkest]
  const button =
    buttonColours(palette).find((colour) =>
      grounds.every((one) => contrast(colour, one) >= SHAPE_CONTRAST),
    ) ?? WHITE
  const label = [palette.ink, WHITE, BLACK].find((one) => contrast(one, button) >= TEXT_CONTRAST)
  // No photo is even: slightly less than white would sometimes be too little.
  return { ...surface, darkest, text: WHITE, quiet: WHITE, button, label: label ?? BLACK }
}
