// Layout "card": all text is on a white card on the brand's colour, with the brand above or beside the card.

import { arrangeParts } from '../arrange-parts.ts'
import { mix, WHITE } from '../colours.ts'
import { neighbour, surfaceOn } from '../palette.ts'
import type { Frame, Rect, Stage } from '../scene.ts'
import { circle, dots, insetBox, rect } from '../shapes.ts'
import { away, canvas } from './grounds.ts'

export function card(frame: Frame): Stage {
  const { height: h, family, unit } = frame
  const isLong = family === 'column' || family === 'tall'
  const head = isLong ? h * 0.36 : unit * 0.21
  const stage = cardAt(frame, head)
  if (family === 'strip' || family === 'wide') return stage
  // A card that its words do not fill is made lower, with enough room that none of them is set smaller.
  const said = arrangeParts(stage, frame).filter(({ role }) => role !== 'brand')
  const tall =
    Math.max(0, ...said.map(({ box }) => box.y + box.height)) -
    Math.min(h, ...said.map(({ box }) => box.y))
  const { box } = stage.content
  const spare = box.height - Math.max(box.height * 0.4, tall * MUCH_AIR)
  return spare > box.height * 0.08 ? cardAt(frame, head + spare) : stage
}

/** The height that the words are set in, as a multiple of the height they take. */
const MUCH_AIR = 1.32

function cardAt(frame: Frame, head: number): Stage {
  const { width: w, height: h, margin, palette, family, unit } = frame
  const ground = surfaceOn(palette.primary, palette)
  const deep = neighbour(ground, away(ground), 0.14)
  const isFlat = family === 'strip' || family === 'wide'
  const edge = isFlat ? margin * (family === 'strip' ? 0.55 : 0.6) : margin * 0.75
  const isLong = family === 'column' || family === 'tall'
  const left = family === 'strip' ? Math.min(w * 0.3, h * 2.8) : w * 0.34
  const plate: Rect = isFlat
    ? { x: left, y: edge, width: Math.max(0, w - left - edge), height: Math.max(0, h - edge * 2) }
    : { x: edge, y: head, width: Math.max(0, w - edge * 2), height: Math.max(0, h - head - edge) }
  const mark: Rect = isFlat
    ? {
        x: margin,
        y: margin,
        width: Math.max(0, left - margin * 2),
        height: Math.max(0, h - margin * 2),
      }
    : {
        x: margin,
        y: edge,
        width: Math.max(0, w - margin * 2),
        height: Math.max(0, (isLong ? Math.min(head, unit * 0.36) : head) - edge * 1.6),
      }
  const radius = unit * (family === 'strip' ? 0.02 : 0.035)
  const pad =
    family === 'strip' ? h * 0.1 : Math.max(4, Math.min(plate.width, plate.height) * 0.085)
  const shade = { ...plate, y: plate.y + unit * 0.012 }
  return {
    shapes: [
      rect(canvas(frame), palette.primary),
      ...(isFlat
        ? [
            circle({ x: w * 0.04, y: h * 1.05, radius: h * 0.62 }, deep),
            circle({ x: w * 0.3, y: -h * 0.1, radius: h * 0.34 }, deep),
          ]
        : [
            circle(
              { x: w * 0.95, y: head * (isLong ? 0.7 : 0.2), radius: unit * (isLong ? 0.34 : 0.3) },
              deep,
            ),
            circle({ x: w * 0.1, y: h * 1.02, radius: unit * 0.42 }, deep),
          ]),
      ...(isFlat
        ? []
        : [
            dots(
              {
                x: w - edge - unit * 0.2,
                y: isLong ? mark.y + mark.height + edge : edge,
                width: unit * 0.2,
                height: Math.max(0, head - edge * 1.8 - (isLong ? mark.height + edge : 0)),
              },
              { step: unit * 0.034, radius: unit * 0.006 },
              mix(palette.primary, ground.text, 0.3),
            ),
          ]),
      rect(shade, mix(palette.primary, palette.ink, 0.55), radius),
      rect(plate, WHITE, radius),
    ],
    mark: {
      box: isFlat || isLong ? mark : { ...mark, width: Math.max(0, mark.width - unit * 0.22) },
      surface: ground,
    },
    content: {
      box:
        family === 'strip'
          ? {
              ...insetBox(plate, pad),
              x: plate.x + pad * 2,
              width: Math.max(0, plate.width - pad * 3.2),
            }
          : insetBox(plate, pad),
      surface: surfaceOn(WHITE, palette),
    },
    isSnug: true,
    align: 'start',
    at: 0.5,
    confetti: [],
  }
}
