// Layout "wedge": a panel of the brand's colour with a slanted edge covers one side of the photo, and a second colour
// runs along the edge.

import { surfaceOn } from '../palette.ts'
import type { Frame, Rect, Stage } from '../scene.ts'
import { polygon, rect } from '../shapes.ts'
import { halves, placePhoto, withRoom } from './beside.ts'
import { canvas } from './grounds.ts'
import { photoArea } from './photo-area.ts'
import { seamOf } from './split.ts'

export function wedge(frame: Frame): Stage {
  // Read from left to right, the words come first and lead to the photo.
  return withRoom(frame, (share) => wedgeAt(frame, share))
}

function wedgeAt(frame: Frame, share: number): Stage {
  const { width: w, height: h, margin, palette, family, unit } = frame
  const { photo, panel, isBeside } = halves(frame, share, false)
  const lean = isBeside ? h * (family === 'strip' ? 0.4 : 0.24) : w * 0.16
  const line = Math.max(2, unit * 0.016)
  const cut = isBeside ? panel.width : photo.height
  const crop = frame.photo?.split
  // Behind the slanted edge the photo extends as far as the edge leans; a product shown as a whole is not cut.
  const over = lean * (crop?.backdrop === undefined ? 0.5 : -0.36) + line
  const box: Rect = isBeside
    ? { ...photo, x: cut - over, width: w - cut + over }
    : { ...photo, height: cut + over }
  const edge = (by: number) =>
    isBeside
      ? ([
          [0, 0],
          [cut + lean * 0.5 + by, 0],
          [cut - lean * 0.5 + by, h],
          [0, h],
        ] as const)
      : ([
          [0, cut + lean * 0.5 - by],
          [w, cut - lean * 0.5 - by],
          [w, h],
          [0, h],
        ] as const)
  const top = isBeside ? margin : cut + lean * 0.5 + margin * 0.55
  return {
    ...(crop?.backdrop !== undefined && { under: [rect(canvas(frame), crop.backdrop)] }),
    photo: placePhoto(box, crop, { of: photoArea('split', frame) }),
    hides: (x, y) =>
      isBeside ? x < cut + lean * (0.5 - y / h) + line : y > cut + lean * (0.5 - x / w) - line,
    shapes: [polygon(edge(line), seamOf(palette)), polygon(edge(0), palette.primary)],
    content: {
      box: {
        x: margin,
        y: top,
        width: Math.max(0, (isBeside ? cut - lean * 0.5 : w) - margin * 2),
        height: Math.max(0, h - top - margin),
      },
      surface: surfaceOn(palette.primary, palette),
    },
    align: 'start',
    at: 0.5,
    confetti: [],
  }
}
