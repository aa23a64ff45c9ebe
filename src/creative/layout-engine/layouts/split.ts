// Layout "split": a photo on one side or above, the words beside it on the brand's colour.

import { type Colour, contrast, WHITE } from '../colours.ts'
import { type Palette, surfaceOn } from '../palette.ts'
import type { Frame, Rect, Stage } from '../scene.ts'
import { rect } from '../shapes.ts'
import { halves, placePhoto, withRoom } from './beside.ts'
import { photoArea } from './photo-area.ts'

export function split(frame: Frame): Stage {
  // The reader may start at the photo, or end there.
  const isFirst = frame.family === 'strip' || frame.dice.roll() < 0.5
  return withRoom(frame, (share) => splitAt(frame, share, isFirst))
}

function splitAt(frame: Frame, share: number, first: boolean): Stage {
  const { margin, palette, family, unit } = frame
  const { photo, panel, isBeside, isFirst } = halves(frame, share, first)
  const bar = Math.max(2, Math.round(unit * 0.012))
  const edge: Rect = isBeside
    ? { ...panel, x: isFirst ? panel.x : panel.width - bar, width: bar }
    : { ...panel, height: bar }
  const sides = family === 'strip' ? margin * 1.2 : margin
  const head = isBeside ? margin : margin * 0.8 + bar
  return {
    photo: placePhoto(photo, frame.photo?.split, { of: photoArea('split', frame) }),
    shapes: [rect(panel, palette.primary), rect(edge, seamOf(palette))],
    content: {
      box: {
        x: panel.x + sides,
        y: panel.y + head,
        width: Math.max(0, panel.width - sides * 2),
        height: Math.max(0, panel.height - head - margin),
      },
      surface: surfaceOn(palette.primary, palette),
    },
    align: 'start',
    at: 0.5,
    confetti: [],
  }
}

/** What separates the photo from the panel. */
export function seamOf({ primary, secondary, accent }: Palette): Colour {
  return [secondary, accent].find((colour) => contrast(colour, primary) > 1.35) ?? WHITE
}
