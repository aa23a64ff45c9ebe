// Layout "inset": on light paper, the photo is a plate with round corners, the words are beside or below it, and a
// line in the brand's colours closes the canvas.

import { surfaceOn } from '../palette.ts'
import type { Frame, Rect, Stage } from '../scene.ts'
import { rect } from '../shapes.ts'
import { halves, placePhoto, withRoom } from './beside.ts'
import { canvas } from './grounds.ts'
import { photoArea } from './photo-area.ts'

export function inset(frame: Frame): Stage {
  const isFirst = frame.dice.roll() < 0.5
  return withRoom(frame, (share) => insetAt(frame, share, isFirst))
}

function insetAt(frame: Frame, share: number, first: boolean): Stage {
  const { width: w, height: h, margin, palette, family, unit } = frame
  const { photo, panel, isBeside, isFirst } = halves(frame, share, first)
  const line = Math.max(2, Math.round(unit * 0.016))
  const rim = Math.round(margin * (family === 'strip' ? 0.45 : 0.6))
  const low = isBeside ? h - line - rim : photo.height
  const plate: Rect = {
    x: photo.x + (isFirst || !isBeside ? rim : 0),
    y: rim,
    width: Math.max(1, photo.width - (isBeside ? rim : rim * 2)),
    height: Math.max(1, low - rim),
  }
  const sides = isBeside ? Math.max(rim, margin * 0.9) : margin
  const top = isBeside ? margin * 0.9 : margin * 0.7
  return {
    photo: placePhoto(plate, frame.photo?.split, {
      radius: unit * 0.035,
      of: photoArea('split', frame),
    }),
    under: [rect(canvas(frame), palette.paper)],
    shapes: [
      rect({ x: 0, y: h - line, width: w * 0.72, height: line }, palette.primary),
      rect({ x: w * 0.72, y: h - line, width: w * 0.28, height: line }, palette.secondary),
    ],
    content: {
      box: {
        x: panel.x + sides,
        y: panel.y + top,
        width: Math.max(0, panel.width - sides * 2),
        height: Math.max(0, panel.height - top - line - margin * 0.8),
      },
      surface: surfaceOn(palette.paper, palette),
    },
    align: 'start',
    at: 0.5,
    confetti: [],
  }
}
