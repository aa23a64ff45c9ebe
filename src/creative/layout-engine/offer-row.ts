// An offer on a strip: the figure beside the headline, and under the headline as many of the other statements as there
// is room for, the most useful first. Facts rank before the slogan: it is given up before the price is.

import { fitText, type SetText } from './fit-text.ts'
import type { Offer, Statement, StatementKind } from './offer.ts'
import {
  badgeItem,
  chipItem,
  formerItem,
  type ItemContext,
  inlineItem,
  lineItem,
  type OfferItem,
} from './offer-items.ts'
import { placeText, textPart } from './place-text.ts'
import type { Frame, Part, PlacedText, Rect, Stage } from './scene.ts'
import { n } from './shapes.ts'

/** The most useful first. */
const RANK: Readonly<Record<StatementKind, number>> = {
  price: 6,
  percentage: 6,
  code: 5,
  former: 4,
  deadline: 3,
  note: 1,
}
const HEADLINE_WORTH = 20
/** Heights of the figure to try, as shares of that of the strip. */
const FIGURES = [0.44, 0.36, 0.28, 0.24] as const

interface Row {
  parts: Part[]
  worth: number
}

/** The parts in the room between brand and button. Undefined if not even the figure fits. */
export function offerRow(stage: Stage, frame: Frame, room: Rect): Part[] | undefined {
  const { offer } = frame.content
  if (!offer || room.width <= 0) return undefined
  const ranked = offer.statements
    .filter((one) => one !== offer.hero)
    .sort((a, b) => RANK[b.kind] - RANK[a.kind])
  let best: Row | undefined
  for (const share of offer.hero ? FIGURES : [FIGURES[0]]) {
    for (let count = ranked.length; count >= 0; count--) {
      for (const withHeadline of [true, false]) {
        const drawn = ranked.slice(0, count)
        const row = rowOf(stage, frame, { room, offer, drawn, share, withHeadline })
        if (row && (!best || row.worth > best.worth)) best = row
      }
    }
  }
  return best?.parts
}

interface RowQuery {
  room: Rect
  offer: Offer
  /** The statements beside the figure. */
  drawn: readonly Statement[]
  share: number
  withHeadline: boolean
}

function rowOf(stage: Stage, frame: Frame, query: RowQuery): Row | undefined {
  const { room, offer, drawn, share, withHeadline } = query
  const { height: h, content, design } = frame
  const { surface } = stage.content
  const context: ItemContext = { writing: content.writing, surface, width: room.width }
  const small = Math.max(8.5, h * 0.125) * Math.min(1.2, design.bodyScale ?? 1)
  const figure = figureOf(offer, drawn, { size: h * share, small, context, tallest: room.height })
  if (offer.hero && !figure) return undefined
  const gap = h * 0.2
  const left = { ...room, width: room.width - (figure ? figure.item.width + gap : 0) }
  const others = drawn.filter((one) => !figure?.said.includes(one))
  const line = lineUnder(others, { ...context, width: left.width }, { size: small, gap: gap * 0.5 })
  if (!line) return undefined
  const under = others.length > 0 ? line.height + h * 0.06 : 0
  const title = withHeadline
    ? titleIn(frame, stage, { ...left, height: room.height - under })
    : undefined
  if (withHeadline && !title) return undefined
  if (under + (title?.height ?? 0) > room.height + 0.5) return undefined
  const worth = worthOf([...(offer.hero ? [offer.hero] : []), ...drawn]) + share * 3
  const block = under + (title?.height ?? 0)
  const top = room.y + (room.height - block) / 2
  const parts: Part[] = []
  if (title) {
    const { ground, text: fill } = surface
    const placed = placeText(title, { ...left, y: top }, { align: 'start', fill, ground })
    parts.push({ ...textPart('headline', placed), said: content.texts.headline })
  }
  // Without a headline the figure comes first.
  const width = Math.max(title?.width ?? 0, line.width)
  const x = withHeadline ? room.x + width + gap : room.x
  const lineX = withHeadline || !figure ? room.x : room.x + figure.item.width + gap
  const pieces: Placed[] = []
  if (figure) {
    const y = room.y + (room.height - figure.item.height) / 2
    pieces.push({ item: figure.item, x, y })
  }
  if (others.length > 0) {
    const y = title ? top + title.height + h * 0.06 : room.y + (room.height - line.height) / 2
    pieces.push({ item: line, x: lineX, y })
  }
  const said = offer.statements.filter((one) => one === offer.hero || drawn.includes(one))
  const isWhole = drawn.length + (offer.hero ? 1 : 0) === offer.statements.length
  parts.push(...partsOf(pieces, isWhole ? offer.said : said.map(({ text }) => text).join(' ')))
  return { parts, worth: worth + (title ? HEADLINE_WORTH : 0) }
}

interface Placed {
  item: OfferItem
  x: number
  y: number
}

function worthOf(statements: readonly Statement[]): number {
  return statements.reduce((sum, { kind }) => sum + RANK[kind], 0)
}

/** All of the headline, in one line or two. */
function titleIn(
  { content, height: h, design }: Frame,
  stage: Stage,
  room: Rect,
): SetText | undefined {
  const text = content.offer?.headline ?? content.texts.headline
  const set = fitText({
    text,
    writing: content.writing,
    face: 'black',
    width: room.width,
    height: room.height,
    largest: h * 0.26 * (stage.emphasis ?? 1) * (design.headlineScale ?? 1),
    smallest: Math.max(8.5, h * 0.145),
    lines: 2,
    leading: 1.08,
  })
  return set?.text === text ? set : undefined
}

interface FigureOptions {
  size: number
  small: number
  context: ItemContext
  tallest: number
}

/** The figure, with the former price under it and the badge beside it where there is room. */
function figureOf(
  { hero }: Offer,
  drawn: readonly Statement[],
  { size, small, context, tallest }: FigureOptions,
): { item: OfferItem; said: Statement[] } | undefined {
  if (!hero) return undefined
  const { text: fill, ground } = context.surface
  const line = inlineItem(hero, context, {
    style: { fill, ground },
    figure: { face: 'black', size },
    words: { face: 'bold', size: small },
  })
  if (!line || line.height > tallest) return undefined
  const former = drawn.find(({ kind }) => kind === 'former')
  const under = former && hero.kind === 'price' ? formerItem(former, small, context) : undefined
  const said: Statement[] = []
  let item = line
  if (former && under && line.height + under.height <= tallest) {
    item = joined(line, under, { x: 0, y: line.height })
    said.push(former)
  }
  const badge = drawn.find(({ kind, text }) => kind === 'percentage' && text.length <= 16)
  const disc = badge ? badgeItem(badge, small * 1.25, context) : undefined
  if (badge && disc && disc.height <= tallest && tallest > 48) {
    const y = (item.height - disc.height) / 2
    const low = Math.max(0, -y)
    item = joined(shifted(item, 0, low), disc, { x: item.width + small, y: y + low })
    said.push(badge)
  }
  return { item, said }
}

/** Items beside each other on one line; undefined if they do not fit. */
function lineUnder(
  statements: readonly Statement[],
  context: ItemContext,
  { size, gap }: { size: number; gap: number },
): OfferItem | undefined {
  let line: OfferItem = { width: 0, height: 0, baseline: 0, shapes: [], texts: [] }
  for (const one of statements) {
    const item =
      one.kind === 'code'
        ? chipItem(one, size, context)
        : one.kind === 'former'
          ? formerItem(one, size, context)
          : lineItem(one, size, context)
    if (!item || item.texts.some(({ set }) => set.lines.length > 1)) return undefined
    const x = line.width === 0 ? 0 : line.width + gap
    const drop = Math.max(0, item.baseline - line.baseline)
    const before = line.width === 0 ? line : shifted(line, 0, drop)
    const y = line.width === 0 ? 0 : Math.max(0, before.baseline - item.baseline)
    line = joined(before, item, { x, y })
    if (line.baseline === 0) line = { ...line, baseline: item.baseline }
  }
  return line.width <= context.width ? line : undefined
}

function joined(one: OfferItem, other: OfferItem, at: { x: number; y: number }): OfferItem {
  const moved = shifted(other, at.x, at.y)
  return {
    width: Math.max(one.width, at.x + other.width),
    height: Math.max(one.height, at.y + other.height),
    baseline: one.baseline,
    shapes: [...one.shapes, ...moved.shapes],
    texts: [...one.texts, ...moved.texts],
  }
}

function shifted(item: OfferItem, x: number, y: number): OfferItem {
  if (x === 0 && y === 0) return item
  const move = `translate(${n(x)} ${n(y)})`
  return {
    ...item,
    height: item.height + Math.max(0, y),
    baseline: item.baseline + y,
    shapes: item.shapes.map((shape) => `<g transform="${move}">${shape}</g>`),
    texts: item.texts.map((text): PlacedText => {
      return { ...text, box: { ...text.box, x: text.box.x + x, y: text.box.y + y } }
    }),
  }
}

/** The first has the words of both: they are one offer in two places. */
function partsOf(pieces: readonly Placed[], said: string): Part[] {
  return pieces.map(({ item, x, y }, index) => {
    const { shapes, texts } = shifted(item, x, y)
    const box = { x, y, width: item.width, height: item.height }
    return {
      role: 'offer',
      box,
      shapes: [...shapes],
      texts: [...texts],
      said: index === 0 ? said : '',
    }
  })
}
