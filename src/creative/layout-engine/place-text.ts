// Puts a set text at its place.

import type { SetText } from './fit-text.ts'
import type { Part, PlacedText, Rect, SceneRole } from './scene.ts'

type TextStyle = Pick<PlacedText, 'align' | 'fill' | 'ground'>

/** At the top of `room`, left-aligned or centred; the box is as wide as the lines. */
export function placeText(
  set: SetText,
  room: Rect,
  { align, fill, ground }: TextStyle,
): PlacedText {
  const x = align === 'middle' ? room.x + (room.width - set.width) / 2 : room.x
  const box = { x, y: room.y, width: set.width, height: set.height }
  return { set, box, align, fill, ground }
}

/** A part that is nothing but this text. */
export function textPart(role: SceneRole, text: PlacedText): Part {
  return { role, box: text.box, shapes: [], texts: [text] }
}

/** The part with its shapes and texts moved. */
export function moved(part: Part, dx: number, dy: number): Part {
  const move = (box: Rect) => ({ ...box, x: box.x + dx, y: box.y + dy })
  return {
    ...part,
    box: move(part.box),
    shapes: part.shapes.map(
      (shape) => `<g transform="translate(${dx.toFixed(2)} ${dy.toFixed(2)})">${shape}</g>`,
    ),
    texts: part.texts.map((text) => ({ ...text, box: move(text.box) })),
  }
}
