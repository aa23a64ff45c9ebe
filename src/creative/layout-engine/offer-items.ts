// The pieces of an offer, each at 0, 0: a figure with its words, a price struck through, a badge, a chip and lines.

import { fitText, type SetText } from './fit-text.ts'
import type { Statement } from './offer.ts'
import type { Surface } from './palette.ts'
import { placeText } from './place-text.ts'
import type { AdContent, PlacedText, Rect } from './scene.ts'
import type { TypesetOptions } from './set-text.ts'
import { circle, n, rect } from './shapes.ts'

export interface OfferItem {
  width: number
  height: number
  /** Where the letters of its last line stand, from its top. */
  baseline: number
  shapes: readonly string[]
  texts: readonly PlacedText[]
}

export interface ItemContext {
  writing: AdContent['writing']
  surface: Surface
  /** The widest item. */
  width: number
}

interface LineOptions {
  face: TypesetOptions['face']
  size: number
  lines?: number
  width?: number
}

/** Undefined unless all of the text fits at this size. */
function lineOf(
  text: string,
  { face, size, lines = 1, width }: LineOptions,
  { writing, width: widest }: ItemContext,
): SetText | undefined {
  const set = fitText({
    text,
    writing,
    face,
    width: width ?? widest,
    height: size * (lines * 1.5 + 0.5),
    largest: size,
    smallest: size,
    lines,
    leading: 1.18,
  })
  return set?.text === text && !set.parted ? set : undefined
}

interface Style {
  fill: Surface['text']
  ground: Surface['ground']
}

function at(set: SetText, [x, y]: readonly [number, number], style: Style): PlacedText {
  const room = { x, y, width: set.width, height: set.height }
  return placeText(set, room, { align: 'start', ...style })
}

/** The share of the figure's size that the words beside it have. */
const WORDS = 0.34
const LEAST_WORDS = 9

/** Words above, the figure, and words after it: beside it if they are few, otherwise below. */
export function figureItem(
  { lead, figure, tail }: Statement,
  size: number,
  context: ItemContext,
): OfferItem | undefined {
  const { surface, width } = context
  const small = Math.max(LEAST_WORDS, size * WORDS)
  const big = lineOf(figure, { face: 'black', size }, context)
  const line = { face: 'bold', size: small } as const
  const above = lead === '' ? undefined : lineOf(lead, { ...line, lines: 2 }, context)
  if (!big || (lead !== '' && !above)) return undefined
  const gap = small * 0.4
  const room = width - big.width - gap
  const beside =
    tail === '' || room <= 0 ? undefined : lineOf(tail, { ...line, width: room }, context)
  const below = tail === '' || beside ? undefined : lineOf(tail, { ...line, lines: 2 }, context)
  if (tail !== '' && !beside && !below) return undefined
  const style = { fill: surface.text, ground: surface.ground }
  const texts: PlacedText[] = []
  let y = 0
  if (above) {
    texts.push(at(above, [0, 0], style))
    y = above.height
  }
  texts.push(at(big, [0, y], style))
  const baseline = y + big.size * big.ascent
  if (beside)
    texts.push(at(beside, [big.width + gap, baseline - beside.size * beside.ascent], style))
  let bottom = y + big.height
  if (below) {
    texts.push(at(below, [0, bottom], style))
    bottom += below.height
  }
  return { ...around(texts), baseline: below ? bottom : baseline, shapes: [], texts }
}

/** The former price, with a line through its figure. */
export function formerItem(
  statement: Statement,
  size: number,
  context: ItemContext,
): OfferItem | undefined {
  const { quiet: fill, ground } = context.surface
  return inlineItem(statement, context, {
    style: { fill, ground },
    figure: { face: 'bold', size },
    words: { face: 'regular', size },
    isStruck: true,
  })
}

interface InlineOptions {
  style: Style
  figure: LineOptions
  words: LineOptions
  isStruck?: boolean
}

/** On one line: the words before the figure, the figure, and the words after it. */
export function inlineItem(
  { lead, figure, tail }: Statement,
  context: ItemContext,
  { style, figure: big, words, isStruck = false }: InlineOptions,
): OfferItem | undefined {
  const sets: { set: SetText; x: number }[] = []
  let struck: string[] = []
  let x = 0
  for (const [index, word] of [lead, figure, tail].entries()) {
    if (word === '') continue
    const set = lineOf(word, index === 1 ? big : words, context)
    if (!set) return undefined
    sets.push({ set, x })
    x += set.width + words.size * 0.3
  }
  const baseline = Math.max(...sets.map(({ set }) => set.size * set.ascent))
  const texts = sets.map(({ set, x: left }) =>
    at(set, [left, baseline - set.size * set.ascent], style),
  )
  const own = texts.find(({ set }) => set.text === figure)
  if (isStruck && own) struck = [strike(own, style)]
  return { ...around(texts), baseline, shapes: struck, texts }
}

function strike({ set, box }: PlacedText, { fill }: Style): string {
  const thick = Math.max(1, set.size * 0.075)
  const y = box.y + set.size * (set.ascent - 0.33)
  return rect({ x: box.x - 1, y, width: box.width + 2, height: thick }, fill)
}

/** A percentage in a disc. */
export function badgeItem(
  { lead, figure, tail }: Statement,
  size: number,
  context: ItemContext,
): OfferItem | undefined {
  const { button, label } = context.surface
  const style = { fill: label, ground: button }
  const small = Math.max(8, size * 0.5)
  const sets = [lead, figure, tail].flatMap((word, index) =>
    word === ''
      ? []
      : [
          lineOf(
            word,
            { face: index === 1 ? 'black' : 'bold', size: index === 1 ? size : small },
            context,
          ),
        ],
  )
  if (sets.includes(undefined)) return undefined
  const lines = sets as SetText[]
  const tall = lines.reduce((sum, { size: one }) => sum + one * 0.94, 0)
  const wide = Math.max(...lines.map(({ width }) => width))
  const radius = Math.hypot(wide, tall * 0.86) / 2 + size * 0.14
  let y = radius - tall / 2
  const texts = lines.map((set) => {
    const placed = at(set, [radius - set.width / 2, y - set.size * (set.ascent - 0.8)], style)
    y += set.size * 0.94
    return placed
  })
  const shapes = [circle({ x: radius, y: radius, radius }, button)]
  return { width: radius * 2, height: radius * 2, baseline: radius * 1.3, shapes, texts }
}

/** A code to copy, in a dashed outline. */
export function chipItem(
  { text }: Statement,
  size: number,
  context: ItemContext,
): OfferItem | undefined {
  const { surface, width } = context
  const [across, down] = [size * 0.6, size * 0.34]
  const set = lineOf(text, { face: 'bold', size, width: width - across * 2 }, context)
  if (!set) return undefined
  const line = Math.max(1, size * 0.09)
  const box = { x: line / 2, y: line / 2, width: set.width + across * 2 - line, height: 0 }
  box.height = set.height + down * 2 - line
  const shape =
    `<rect x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}" rx="${n(size * 0.3)}"` +
    ` fill="none" stroke="${surface.text}" stroke-width="${n(line)}" stroke-dasharray="${n(size * 0.32)} ${n(size * 0.22)}"/>`
  const placed = at(set, [across, down], { fill: surface.text, ground: surface.ground })
  return {
    width: set.width + across * 2,
    height: set.height + down * 2,
    baseline: down + set.size * set.ascent,
    shapes: [shape],
    texts: [placed],
  }
}

/** A statement in one size: a second price, a deadline, a remark. */
export function lineItem(
  { text, kind }: Statement,
  size: number,
  context: ItemContext,
): OfferItem | undefined {
  const face = kind === 'note' ? 'regular' : 'bold'
  const set = lineOf(text, { face, size, lines: 2 }, context)
  if (!set) return undefined
  const { surface } = context
  const placed = at(set, [0, 0], { fill: surface.text, ground: surface.ground })
  const baseline = set.size * (set.ascent + (set.lines.length - 1) * set.leading)
  return { width: set.width, height: set.height, baseline, shapes: [], texts: [placed] }
}

function around(texts: readonly PlacedText[]): Pick<Rect, 'width' | 'height'> {
  return {
    width: Math.max(...texts.map(({ box }) => box.x + box.width)),
    height: Math.max(...texts.map(({ box }) => box.y + box.height)),
  }
}
