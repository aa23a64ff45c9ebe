// Layout "split": a photo on one side or above, the words beside it on the brand's colour.

import { type Colour, contrast, WHITE } from '../colours.ts'
import { type Palette, surfaceOn } from '../palette.ts'
import type { Frame, Rect, Stage } from '../scene.ts'
import { rect } from '../shapes.ts'
import { canvas } from './grounds.ts'
import { photoArea } from './photo-area.ts'

export function split(frame: Frame): Stage {
  const { width: w, height: h, margin, palette, family, unit, dice } = frame
  const isBeside = family === 'strip' || family === 'wide'
  // On a strip the eye begins at the photo; elsewhere it may end there.
  const isFirst = family !== 'wide' || dice.roll() < 0.5
  const area = photoArea('split', frame)
  const photo = isFirst ? area : { ...area, x: w - area.width }
  const panel: Rect = isBeside
    ? { ...canvas(frame), x: isFirst ? area.width : 0, width: w - area.width }
    : { ...canvas(frame), y: area.height, height: h - area.height }
  const bar = Math.max(2, Math.round(unit * 0.012))
  const edge: Rect = isBeside
    ? { ...panel, x: isFirst ? panel.x : panel.width - bar, width: bar }
    : { ...panel, height: bar }
  const sides = family === 'strip' ? margin * 1.2 : margin
  const head = isBeside ? margin : margin * 0.8 + bar
  return {
    photo: { box: photo, dataUri: frame.photo?.split?.dataUri ?? '' },
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

/** What parts the photo from the panel. */
function seamOf({ primary, secondary, accent }: Palette): Colour {
  return [secondary, accent].find((colour) => contrast(colour, primary) > 1.35) ?? WHITE
}
