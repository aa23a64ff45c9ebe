// An offer as a block: the figure with the former price and the badge beside it, then code, deadline and the rest,
// line by line. In the largest size at which every statement fits.

import type { Offer, Statement } from './offer.ts'
import {
  badgeItem,
  chipItem,
  figureItem,
  formerItem,
  type ItemContext,
  lineItem,
  type OfferItem,
} from './offer-items.ts'
import type { Surface } from './palette.ts'
import type { AdContent, Align, Part, PlacedText } from './scene.ts'
import { sizesFrom } from './set-text.ts'
import { n } from './shapes.ts'

interface OfferRoom {
  width: number
  height: number
  /** Sizes of the figure, in pixels. */
  largest: number
  smallest: number
  /** Sizes of the other statements. */
  words: { least: number; most: number }
  align: Align
}

/** At 0, 0; undefined if it does not fit. */
export function offerBlock(
  offer: Offer,
  { writing, surface }: Pick<ItemContext, 'writing' | 'surface'>,
  room: OfferRoom,
): Part | undefined {
  const strict = blockFor(offer, { writing, surface, room, isLoose: false })
  if (strict || !offer.statements.some(({ kind }) => kind === 'code')) return strict
  return blockFor(offer, { writing, surface, room, isLoose: true })
}

interface BlockQuery {
  writing: AdContent['writing']
  surface: Surface
  room: OfferRoom
  /** Whether a code that is too long for its chip may be a line. */
  isLoose: boolean
}

function blockFor(offer: Offer, { writing, surface, room, isLoose }: BlockQuery): Part | undefined {
  let last = Number.POSITIVE_INFINITY
  for (const size of sizesFrom(room.largest, Math.min(room.smallest, room.largest))) {
    // A few sizes are enough: an offer is no paragraph.
    if (size > last * STEP && size !== room.smallest) continue
    last = size
    const context = { writing, surface, width: room.width }
    const rows = rowsOf(offer, size, { context, room, isLoose })
    const block = rows && placed(rows, room, size)
    if (block && block.box.height <= room.height) return { ...block, said: offer.said }
  }
  return undefined
}

const STEP = 0.88

interface Setting {
  context: ItemContext
  room: OfferRoom
  isLoose: boolean
}

function rowsOf(
  offer: Offer,
  size: number,
  { context, room, isLoose }: Setting,
): Row[] | undefined {
  const { hero, statements } = offer
  const { least, most } = room.words
  const words = Math.min(most, Math.max(least, size * 0.26))
  const isBadge = (one: Statement) =>
    one !== hero && one.kind === 'percentage' && one.text.length <= MAX_BADGE
  const top: (OfferItem | undefined)[] = []
  const badges: (OfferItem | undefined)[] = []
  const others: (OfferItem | undefined)[] = []
  if (hero) top.push(figureItem(hero, size, context))
  for (const one of statements) {
    if (one === hero) continue
    if (one.kind === 'former' && hero?.kind === 'price')
      top.push(formerItem(one, Math.min(Math.max(least, size * 0.38), most * 1.7), context))
    else if (isBadge(one)) badges.push(badgeItem(one, Math.max(least * 1.1, size * 0.42), context))
    else if (one.kind === 'code') others.push((isLoose ? lineItem : chipItem)(one, words, context))
    else if (one.kind === 'former') others.push(formerItem(one, words, context))
    else others.push(lineItem(one, words, context))
  }
  top.push(...badges)
  if (top.includes(undefined) || others.includes(undefined)) return undefined
  const width = room.width
  const upper = flow(top as OfferItem[], width, size * 0.24)
  const lower = flow(others as OfferItem[], width, words * 0.8)
  return [...upper, ...lower]
}

const MAX_BADGE = 16

interface Row {
  items: OfferItem[]
  /** Between two of them. */
  gap: number
}

/** As many items in a row as fit. */
function flow(items: readonly OfferItem[], width: number, gap: number): Row[] {
  const rows: Row[] = []
  let taken = 0
  for (const item of items) {
    const row = rows.at(-1)
    if (row && taken + gap + item.width <= width) {
      row.items.push(item)
      taken += gap + item.width
    } else {
      rows.push({ items: [item], gap })
      taken = item.width
    }
  }
  return rows
}

function isDisc({ shapes }: OfferItem): boolean {
  return shapes.some((shape) => shape.startsWith('<circle'))
}

function placed(rows: readonly Row[], { width, align }: OfferRoom, size: number): Part | undefined {
  const shapes: string[] = []
  const texts: PlacedText[] = []
  let [y, widest, left] = [0, 0, width]
  for (const [index, { items: row, gap }] of rows.entries()) {
    // On one line; a badge in the middle of it.
    const base = Math.max(0, ...row.map((item) => (isDisc(item) ? 0 : item.baseline)))
    const dropOf = (item: OfferItem) => (isDisc(item) ? 0 : base - item.baseline)
    const tall = Math.max(...row.map((item) => dropOf(item) + item.height))
    const long = row.reduce((sum, item) => sum + item.width, 0) + gap * (row.length - 1)
    if (long > width + 0.5) return undefined
    let x = align === 'middle' ? (width - long) / 2 : 0
    left = Math.min(left, x)
    for (const item of row) {
      const down = y + (isDisc(item) ? (tall - item.height) / 2 : dropOf(item))
      const move = `translate(${n(x)} ${n(down)})`
      shapes.push(...item.shapes.map((shape) => `<g transform="${move}">${shape}</g>`))
      texts.push(
        ...item.texts.map((text) => ({
          ...text,
          box: { ...text.box, x: text.box.x + x, y: text.box.y + down },
        })),
      )
      x += item.width + gap
    }
    widest = Math.max(widest, long)
    y += tall + (index === rows.length - 1 ? 0 : Math.max(4, size * 0.16))
  }
  const box = { x: left, y: 0, width: widest, height: y }
  return { role: 'offer', box, shapes, texts }
}
