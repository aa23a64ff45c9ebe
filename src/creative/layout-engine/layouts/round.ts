// Layout "round": the photo is a disc in a ring of the second colour, on the brand's colour, at the end of
// the words or above them.

import { defined } from '../../../lib/defined.ts'
import { neighbour, surfaceOn } from '../palette.ts'
import type { Frame, Rect, Stage } from '../scene.ts'
import { circle, rect, ring } from '../shapes.ts'
import { placePhoto, withRoom } from './beside.ts'
import { away, canvas } from './grounds.ts'
import { photoArea } from './photo-area.ts'
import { seamOf } from './split.ts'

export function round(frame: Frame): Stage {
  return withRoom(frame, (share) => roundAt(frame, share))
}

function roundAt(frame: Frame, share: number): Stage {
  const { width: w, height: h, margin, palette, family } = frame
  const surface = surfaceOn(palette.primary, palette)
  const side = photoArea('square', frame).width * share
  const line = Math.max(2, side * 0.035)
  const { disc, words, mark } = placesOf(frame, side)
  const [x, y] = [disc.x + side / 2, disc.y + side / 2]
  const soft = neighbour(surface, away(surface), 0.12)
  return {
    under: [
      rect(canvas(frame), palette.primary),
      circle({ x, y, radius: side * 0.72 }, soft),
      ...(family === 'strip'
        ? []
        : [circle({ x: w * 0.02, y: h, radius: Math.min(w, h) * 0.3 }, soft)]),
    ],
    photo: placePhoto(disc, frame.photo?.square, { radius: side / 2 }),
    shapes: [ring({ x, y, radius: side / 2 }, seamOf(palette), line)],
    content: {
      box: {
        x: words.x + margin,
        y: words.y,
        width: Math.max(0, words.width - margin * 2),
        height: Math.max(0, words.height),
      },
      surface,
    },
    ...defined({ mark: mark && { box: mark, surface } }),
    align: family === 'tall' || family === 'column' ? 'middle' : 'start',
    at: 0.5,
    confetti: [],
  }
}

interface Places {
  disc: Rect
  words: Rect
  /** Beside a disc in the corner. */
  mark?: Rect
}

/** The disc is on the right; on a long canvas above the words, and on a box in its own corner. */
function placesOf(frame: Frame, side: number): Places {
  const { width: w, height: h, margin, family } = frame
  const square = { width: side, height: side }
  if (family === 'tall' || family === 'column') {
    const top = margin * 1.1
    const y = top + side + margin * 0.9
    return {
      disc: { x: (w - side) / 2, y: top, ...square },
      words: { x: 0, y, width: w, height: h - y - margin },
    }
  }
  if (family === 'box') {
    // In the corner, with the brand beside it and the words below.
    const disc = { x: w - side - margin * 0.5, y: margin * 0.5, ...square }
    const low = disc.y + side + margin * 0.4
    return {
      disc,
      words: { x: 0, y: low, width: w, height: h - low - margin },
      mark: { x: margin, y: margin, width: disc.x - margin * 1.4, height: low - margin * 1.6 },
    }
  }
  const x = w - side - (family === 'strip' ? (h - side) / 2 : side * 0.12)
  return {
    disc: { x, y: (h - side) / 2, ...square },
    words: { x: 0, y: margin, width: x, height: h - margin * 2 },
  }
}
