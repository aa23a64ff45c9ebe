// In a row, on a strip: brand, headline with the description under it, button. If that leaves too little room for the
// headline or the button, the brand's name is shortened, and then replaced by its initial.

import { defined } from '../../lib/defined.ts'
import { buttonOf } from './button.ts'
import { fitSentences, fitText, type SetText } from './fit-text.ts'
import { centreOn, markOf } from './mark.ts'
import { offerRow } from './offer-row.ts'
import { moved, placeText, textPart } from './place-text.ts'
import type { Frame, Part, Rect, Stage } from './scene.ts'
import { lossIn } from './what-is-lost.ts'

export function arrangeRow(stage: Stage, frame: Frame): Part[] {
  let best = { parts: rowOf(stage, frame), loss: 0 }
  best.loss = lossIn(best.parts, frame.content)
  if (best.loss === 0 || frame.content.logo !== undefined) return best.parts
  for (const button of [BUTTON, LONG_BUTTON])
    for (const name of [undefined, 'short', 'none'] as const) {
      if (best.loss === 0) return best.parts
      const parts = rowOf(stage, frame, { name, button })
      const loss = lossIn(parts, frame.content)
      if (loss < best.loss) best = { parts, loss }
    }
  return best.parts
}

/** The maximum share of the room beside the brand that a button takes, and its type size in pixels. */
const BUTTON = { share: 0.42, largest: Number.POSITIVE_INFINITY, smallest: 8 }
const LONG_BUTTON = { share: 0.52, largest: 8.5, smallest: 7 }

interface RowOptions {
  /** How much of the brand's name is shown. Default: all of it. */
  name?: 'short' | 'none' | undefined
  button?: typeof BUTTON
}

function rowOf(
  stage: Stage,
  frame: Frame,
  { name, button: limits = BUTTON }: RowOptions = {},
): Part[] {
  const { height: h, content, design } = frame
  const scale = design.logoScale ?? 1
  const parts: Part[] = []
  const foot = footOf(stage, frame)
  let room = foot === undefined ? stage.content.box : above(foot.box, stage.content.box)
  if (foot !== undefined) parts.push(foot)
  const gap = h * 0.28

  // An offer needs the room more than a wide logo does.
  const most = content.offer && h < 80 ? 1.7 : 2.6
  const share = Math.min(room.width * 0.3, h * most) * Math.max(1, scale)
  const isLast = stage.mark === undefined && design.logoAlign === 'end'
  const markZone = stage.mark?.box ?? {
    ...room,
    x: isLast ? room.x + room.width - share : room.x,
    width: share,
  }
  const mark = markOf({
    content,
    surface: (stage.mark ?? stage.content).surface,
    align: isLast ? 'end' : 'start',
    room: markZone,
    height: Math.min(h * 0.46 * scale, markZone.height),
    isCentredVertically: true,
    ...defined({ name }),
  })
  if (mark !== undefined) {
    parts.push(mark)
    if (isLast) room = { ...room, width: Math.max(0, mark.box.x - gap - room.x) }
    else if (stage.mark === undefined) room = after(room, mark.box.x + mark.box.width + gap)
  }

  const button = buttonOf({
    content,
    surface: stage.content.surface,
    size: Math.min(limits.largest, Math.max(10, h * 0.19)),
    smallest: limits.smallest,
    widest: room.width * limits.share,
    tallest: Math.min(h * 0.56, room.height),
  })
  if (button !== undefined) {
    const x = room.x + room.width - button.box.width
    parts.push(moved(button, x, room.y + (room.height - button.box.height) / 2))
    room = { ...room, width: x - gap - room.x }
  }
  const plain = [...parts, ...textsIn(stage, frame, room)]
  const offered = offerRow(stage, frame, room)
  if (offered === undefined) return plain
  const all = [...parts, ...offered]
  return lossIn(all, content) <= Math.max(SLOGAN, lossIn(plain, content)) ? all : plain
}

/** The loss of a headline that gives way to an offer. */
const SLOGAN = 2

/** One small line along the lower edge. */
function footOf(stage: Stage, { height: h, content, margin }: Frame): Part | undefined {
  const { box, surface } = stage.content
  const { ground, quiet } = surface
  const size = Math.max(6.5, h * 0.085)
  const set = fitText({
    text: content.disclaimer,
    writing: content.writing,
    face: 'regular',
    width: box.width,
    height: h * 0.2,
    largest: size,
    smallest: Math.min(size, 6.5),
    lines: 1,
    leading: 1.2,
  })
  if (set === undefined || h < MIN_FOOTED) return undefined
  const bottom = Math.min(h - margin * 0.3, box.y + box.height + margin * 0.3)
  const at = { ...box, y: bottom - set.height }
  return textPart('disclaimer', placeText(set, at, { align: 'start', fill: quiet, ground }))
}

/** Strips lower than this, in pixels, have no room for a second line. */
const MIN_FOOTED = 48

function above(foot: Rect, room: Rect): Rect {
  return { ...room, height: Math.max(0, foot.y - foot.height * 0.15 - room.y) }
}

function textsIn(stage: Stage, frame: Frame, room: Rect): Part[] {
  const { height: h, content, design } = frame
  const { ground, text, quiet } = stage.content.surface
  const second = h < 80 ? undefined : descriptionIn(frame, room)
  const space = h * (second?.lines.length === 2 ? 0.05 : 0.1)
  const headline = (below: number, share: number, lines: number) =>
    fitText({
      text: content.texts.headline,
      writing: content.writing,
      face: 'black',
      width: room.width,
      height: room.height - below,
      largest: h * share * (stage.emphasis ?? 1) * (design.headlineScale ?? 1),
      smallest: Math.max(9, h * 0.17),
      lines,
      leading: 1.08,
    })
  const over = second && headline(second.height + space, 0.32, 1)
  // A headline in two lines is better than half of one.
  const isWhole = over?.text === content.texts.headline
  const [first, low] = isWhole ? [over, second] : [headline(0, 0.36, 2), undefined]
  if (first === undefined) return []
  const both = first.height + (low === undefined ? 0 : space + low.height)
  const y = low === undefined ? centreOn(room, first).y : room.y + (room.height - both) / 2
  const style = { align: 'start', ground } as const
  const parts = [textPart('headline', placeText(first, { ...room, y }, { ...style, fill: text }))]
  if (low !== undefined) {
    const at = { ...room, y: y + first.height + space }
    parts.push(textPart('description', placeText(low, at, { ...style, fill: quiet })))
  }
  return parts
}

/** In one line; if not even its first sentence fits, in two smaller lines. */
function descriptionIn({ height: h, content, design }: Frame, room: Rect): SetText | undefined {
  const { text, ...options } = {
    text: content.texts.description,
    writing: content.writing,
    face: 'regular',
    width: room.width,
    leading: 1.2,
  } as const
  const scale = design.bodyScale ?? 1
  const largest = Math.max(10, h * 0.155) * scale
  const sizes = { largest, smallest: Math.max(9, h * 0.13 * Math.min(1, scale)) }
  const one = fitSentences({ text, ...options, ...sizes, height: room.height * 0.4, lines: 1 })
  if (one === undefined || text.startsWith(one.text)) return one
  const size = Math.max(9, h * 0.115 * scale)
  const small = { largest: size, smallest: size }
  const two = fitSentences({ text, ...options, ...small, height: room.height * 0.52, lines: 2 })
  return two && text.startsWith(two.text) ? two : one
}

function after(box: Rect, x: number): Rect {
  return { ...box, x, width: Math.max(0, box.x + box.width - x) }
}
