// Top to bottom: brand, headline, description, button, disclaimer.

import { offeredIn } from './arrange-offer.ts'
import { buttonOf } from './button.ts'
import { fitSentences, fitText, type SetText } from './fit-text.ts'
import { markOf } from './mark.ts'
import { moved, placeText, textPart } from './place-text.ts'
import { type Frame, type Part, type Rect, type SceneRole, type Stage, saidBy } from './scene.ts'
import type { TypesetOptions } from './set-text.ts'
import { HEADLINE, type TextBlock } from './text-block.ts'
import { lossIn } from './what-is-lost.ts'

export function arrangeStack(stage: Stage, frame: Frame): Part[] {
  const parts: Part[] = []
  const { unit, content, design } = frame
  let main = stage.content.box
  let action = stage.action?.box ?? main

  const foot = footOf(stage, frame, action)
  if (foot !== undefined) {
    parts.push(foot)
    action = { ...action, height: foot.box.y - unit * 0.035 - action.y }
    if (stage.action === undefined) main = action
  }

  const markShare = frame.family !== 'wide' ? 0.086 : stage.mark !== undefined ? 0.12 : 0.095
  const room = stage.mark?.box ?? main
  const scale = design.logoScale ?? 1
  const mark = markOf({
    content,
    surface: (stage.mark ?? stage.content).surface,
    align: design.logoAlign ?? stage.align,
    room,
    height: Math.min(unit * markShare * scale, room.height * (stage.mark ? 1 : 0.3 * scale)),
    isCentredVertically: stage.mark !== undefined,
  })
  if (mark !== undefined && stage.mark === undefined && design.isLogoLow) {
    const y = main.y + main.height - mark.box.height
    parts.push(moved(mark, 0, y - mark.box.y))
    main = { ...main, height: Math.max(0, y - unit * 0.05 - main.y) }
  } else if (mark !== undefined) {
    parts.push(mark)
    if (stage.mark === undefined) main = below(main, mark.box.y + mark.box.height + unit * 0.05)
  }

  const button = buttonIn(stage, frame, stage.action === undefined ? main : action)
  const isSeparate = stage.action !== undefined
  const free =
    button === undefined || isSeparate ? main.height : main.height - button.box.height - unit * 0.06
  const texts = textsIn(frame, { ...main, height: free }, stage)
  const block =
    texts.height + (button === undefined || isSeparate ? 0 : button.box.height + unit * 0.06)
  const spare = Math.max(0, main.height - block)
  const isSpread =
    button !== undefined && !isSeparate && isSpreadOut(stage, frame, spare / main.height)
  const top = main.y + spare * (isSpread ? 0.5 : stage.at)
  for (const part of texts.parts) parts.push(moved(part, 0, top))
  if (button !== undefined) {
    const zone = isSeparate ? action : main
    const x = stage.align === 'middle' ? zone.x + (zone.width - button.box.width) / 2 : zone.x
    const y = isSpread
      ? main.y + main.height - button.box.height
      : isSeparate
        ? zone.y + Math.max(0, zone.height - button.box.height) * 0.62
        : top + (texts.height === 0 ? 0 : texts.height + unit * 0.06)
    parts.push(moved(button, x, y))
  }
  return parts
}

/** On an upright canvas the button ends the column: words in the middle of it would leave both ends empty. */
function isSpreadOut(
  { at, isSnug = false }: Stage,
  { family, design }: Frame,
  spare: number,
): boolean {
  const isUpright = family === 'tall' || family === 'column'
  return (
    isUpright && !isSnug && design.at === undefined && at > 0.2 && at < 0.8 && spare > LEAST_SPARE
  )
}

const LEAST_SPARE = 0.16

function footOf(stage: Stage, { unit, content }: Frame, zone: Rect): Part | undefined {
  const size = Math.max(7, unit * 0.023)
  const set = fitText({
    text: content.disclaimer,
    writing: content.writing,
    face: 'regular',
    width: zone.width,
    height: zone.height * (stage.action === undefined ? 0.24 : 0.45),
    largest: size,
    smallest: Math.min(size, Math.max(6.5, unit * 0.018)),
    lines: 4,
    leading: 1.25,
  })
  if (set === undefined) return undefined
  const { align } = stage
  const { ground, quiet } = (stage.action ?? stage.content).surface
  const room = { ...zone, y: zone.y + zone.height - set.height }
  return textPart('disclaimer', placeText(set, room, { align, fill: quiet, ground }))
}

function buttonIn(stage: Stage, frame: Frame, zone: Rect): Part | undefined {
  const { unit, content, family } = frame
  const size = Math.max(11, unit * BUTTON[family])
  return buttonOf({
    content,
    surface: (stage.action ?? stage.content).surface,
    size,
    smallest: Math.max(8, size * 0.6),
    widest: zone.width,
    tallest: stage.action === undefined ? zone.height * 0.4 : zone.height,
    isFull: family === 'column',
  })
}

/** The type of a button, as a share of the unit. */
const BUTTON = { strip: 0.042, wide: 0.05, box: 0.042, tall: 0.042, column: 0.046 } as const

/** The headline sizes to try: the first, then those used if the description has too little room. */
const HEADLINE_SHARES = [1, 0.86, 0.74] as const
/** Where words would leave half of a canvas empty, they are larger. */
const GROWN = [1.6, 1.4, 1.2] as const
/** The share of the height that is filled before words grow, and that they may then take. */
const HALF_FULL = 0.5
/** The height, as a share of the width, from which a half-empty room looks unfinished. */
const LEAST_UPRIGHT = 0.55
const NEARLY_FULL = 0.7

/** Headline, offer and description, the first at 0. */
function textsIn(frame: Frame, room: Rect, stage: Stage): TextBlock {
  const plain = plainIn(frame, room, stage)
  const offered = offeredIn(frame, room, stage)
  if (offered === undefined) return plain
  const { content } = frame
  return lossIn(offered.parts, content) <= lossIn(plain.parts, content) ? offered : plain
}

function plainIn(frame: Frame, room: Rect, stage: Stage): TextBlock {
  const share = grownIn(frame, room, stage)
  if (share === undefined) return usualIn(frame, room, stage)
  // A requested size may need some of the room that they grew into.
  for (const part of REQUESTED) {
    const grown = blockOf(stage, frame, { room, share: share * part })
    if (grown.height <= room.height && isWhole(grown, frame)) return grown
  }
  return usualIn(frame, room, stage)
}

/** How much larger words are that would leave half of the room empty, before a size is requested. */
function grownIn({ design, ...others }: Frame, room: Rect, stage: Stage): number | undefined {
  const { headlineScale: _, bodyScale: __, ...sizeless } = design
  const frame: Frame = { ...others, design: sizeless }
  const usual = usualIn(frame, room, stage)
  if (room.height < room.width * LEAST_UPRIGHT || usual.height > room.height * HALF_FULL)
    return undefined
  if (!isWhole(usual, frame) || stage.isSnug) return undefined
  for (const share of GROWN) {
    const block = blockOf(stage, frame, { room, share })
    if (block.height <= room.height * NEARLY_FULL && isSetWell(block, usual, room)) return share
  }
  return undefined
}

const REQUESTED = [1, 0.92, 0.84] as const

function isWhole({ parts }: TextBlock, { content }: Frame): boolean {
  const said = (role: SceneRole) => saidBy(parts.find((part) => part.role === role))
  return (['headline', 'description'] as const).every((role) => said(role) === content.texts[role])
}

/** The width that a single line leaves free, so that a larger headline can still be requested. */
const LEFT_FREE = 0.12

/** The same words, none of them hyphenated, in few lines. */
function isSetWell({ parts }: TextBlock, usual: TextBlock, { width }: Rect): boolean {
  return (
    parts.length === usual.parts.length &&
    parts.every((part, index) => {
      const [set, before] = [part.texts[0]?.set, usual.parts[index]?.texts[0]?.set]
      if (set === undefined || set.text !== before?.text || set.parted) return false
      const isLong = set.lines.length === 1 && set.width > width * (1 - LEFT_FREE)
      return set.lines.length < 6 && !(index === 0 && isLong)
    })
  )
}

function usualIn(frame: Frame, room: Rect, stage: Stage): TextBlock {
  let best: TextBlock | undefined
  for (const share of HEADLINE_SHARES) {
    const block = blockOf(stage, frame, { room, share })
    best ??= block
    if (lossIn(block.parts, frame.content) > lossIn(best.parts, frame.content)) break
    const [headline, description] = block.parts.map(({ texts }) => texts[0]?.set.text)
    const { texts } = frame.content
    if (headline === texts.headline && (description ?? '') === texts.description) return block
  }
  return best as TextBlock
}

interface BlockOptions {
  room: Rect
  /** The headline size to try, as a share of the usual one. */
  share: number
}

function blockOf(stage: Stage, frame: Frame, { room, share }: BlockOptions): TextBlock {
  const { unit, content, family, design } = frame
  const { headlineScale = 1, bodyScale = 1 } = design
  const { headline, description } = content.texts
  const { ground, text, quiet } = stage.content.surface
  const style = { align: stage.align, ground }
  const wantsBoth = description !== '' && room.height > unit * 0.2
  const big = fitHeadline({
    text: headline,
    writing: content.writing,
    face: 'black',
    width: room.width,
    height: wantsBoth ? room.height * 0.68 * Math.min(1, share) : room.height,
    largest: Math.max(12, unit * HEADLINE[family] * share * (stage.emphasis ?? 1)) * headlineScale,
    smallest: Math.max(10, unit * 0.045),
    lines: family === 'column' || family === 'tall' ? 6 : 4,
    leading: 1.06,
  })
  if (big === undefined) return { parts: [], height: 0 }
  const title = placeText(big, { ...room, y: 0 }, { ...style, fill: text })
  const first = textPart('headline', title)
  const gap = Math.max(unit * 0.028, big.size * 0.26)
  const grown = Math.min(1.3, Math.max(1, share))
  const usual = Math.max(10, unit * (family === 'wide' ? 0.05 : 0.041)) * grown
  const size = usual * bodyScale
  const small = fitSentences({
    text: description,
    writing: content.writing,
    face: 'regular',
    width: Math.min(room.width, size * 24),
    height: room.height - big.height - gap,
    largest: Math.min(size, big.size * 0.8),
    smallest: Math.max(9, Math.min(usual, size) * 0.78),
    lines: family === 'column' || family === 'tall' ? 7 : 3,
    leading: 1.32,
  })
  if (small === undefined) return { parts: [first], height: big.height }
  const y = big.height + gap
  const body = placeText(small, { ...room, y }, { ...style, fill: quiet })
  return { parts: [first, textPart('description', body)], height: y + small.height }
}

/** A word or two on one line may be larger than a sentence, as long as they stay on one line. */
function fitHeadline(options: TypesetOptions): SetText | undefined {
  const usual = fitText(options)
  if (options.text.length > FEW_LETTERS || usual?.lines.length !== 1) return usual
  const [largest, smallest] = [options.largest * MOST_LARGER, usual.size]
  const larger = fitText({ ...options, largest, smallest, lines: 1 })
  return larger?.text === options.text ? larger : usual
}

const FEW_LETTERS = 10
const MOST_LARGER = 1.6

function below(box: Rect, y: number): Rect {
  return { ...box, y, height: Math.max(0, box.y + box.height - y) }
}
