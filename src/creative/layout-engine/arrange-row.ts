// In a row, on a strip: brand, headline with the description under it, button.

import { moved } from './arrange-stack.ts'
import { buttonOf } from './button.ts'
import { fitSentences, fitText, type SetText } from './fit-text.ts'
import { centreOn, markOf } from './mark.ts'
import { placeText } from './place-text.ts'
import type { Frame, Part, Rect, Stage } from './scene.ts'

export function arrangeRow(stage: Stage, frame: Frame): Part[] {
  const { height: h, content } = frame
  const parts: Part[] = []
  let room = stage.content.box
  const gap = h * 0.28

  const markZone = stage.mark?.box ?? { ...room, width: Math.min(room.width * 0.3, h * 2.6) }
  const mark = markOf({
    content,
    surface: (stage.mark ?? stage.content).surface,
    align: 'start',
    room: markZone,
    height: Math.min(h * 0.46, markZone.height),
    isCentredVertically: true,
  })
  if (mark !== undefined) {
    parts.push(mark)
    if (stage.mark === undefined) room = after(room, mark.box.x + mark.box.width + gap)
  }

  const button = buttonOf({
    content,
    surface: stage.content.surface,
    size: Math.max(10, h * 0.19),
    smallest: 8,
    widest: room.width * 0.42,
    tallest: Math.min(h * 0.56, room.height),
  })
  if (button !== undefined) {
    const x = room.x + room.width - button.box.width
    parts.push(moved(button, x, room.y + (room.height - button.box.height) / 2))
    room = { ...room, width: x - gap - room.x }
  }
  return [...parts, ...textsIn(stage, frame, room)]
}

function textsIn(stage: Stage, { height: h, content }: Frame, room: Rect): Part[] {
  const { surface } = stage.content
  const { headline, description } = content.texts
  const second =
    h < 80
      ? undefined
      : fitSentences({
          text: description,
          writing: content.writing,
          face: 'regular',
          width: room.width,
          height: room.height * 0.4,
          largest: Math.max(10, h * 0.155),
          smallest: Math.max(9, h * 0.13),
          lines: 1,
          leading: 1.2,
        })
  const space = h * 0.1
  const first = fitText({
    text: headline,
    writing: content.writing,
    face: 'black',
    width: room.width,
    height: second === undefined ? room.height : room.height - second.height - space,
    largest: h * (second === undefined ? 0.36 : 0.32),
    smallest: Math.max(9, h * 0.17),
    lines: second === undefined ? 2 : 1,
    leading: 1.08,
  })
  if (first === undefined) return []
  const both = first.height + (second === undefined ? 0 : space + second.height)
  const y = second === undefined ? centreOn(room, first).y : room.y + (room.height - both) / 2
  const parts: Part[] = [part('headline', first, { ...room, y }, surface.text)]
  if (second !== undefined)
    parts.push(part('description', second, { ...room, y: y + first.height + space }, surface.quiet))
  return parts

  function part(role: 'headline' | 'description', set: SetText, at: Rect, fill: string): Part {
    const text = placeText(set, at, 'start', fill, surface.ground)
    return { role, box: text.box, shapes: [], texts: [text] }
  }
}

function after(box: Rect, x: number): Rect {
  return { ...box, x, width: Math.max(0, box.x + box.width - x) }
}
