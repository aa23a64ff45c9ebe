// The mark of the brand: its logo if there is one, else its initial in a tile with the name beside it.

import type { Logo } from './ad-input.ts'
import { luminance } from './colours.ts'
import { CAP_HEIGHT } from './faces.ts'
import { fitText, type SetText } from './fit-text.ts'
import { plateUnder } from './logo-plate.ts'
import type { Surface } from './palette.ts'
import { placeText } from './place-text.ts'
import type { AdContent, Align, Part, Rect } from './scene.ts'
import { n, rect } from './shapes.ts'
import { shortNames } from './short-names.ts'

export interface MarkOptions {
  content: AdContent
  surface: Surface
  align: Align | 'end'
  /** Where it may be placed; it uses the top of this area, or its middle line. */
  room: Rect
  height: number
  isCentredVertically?: boolean
  /** How much of the name is shown with the initial. Default: all of it. */
  name?: 'short' | 'none'
}

/** Undefined if there is no brand, or no room to show it. */
export function markOf(options: MarkOptions): Part | undefined {
  const height = Math.min(options.height, options.room.height)
  if (height < 8 || options.room.width < height) return undefined
  if (options.content.logo !== undefined) return logoMark(options, options.content.logo, height)
  return options.content.initial === '' ? undefined : wordMark(options, height)
}

function logoMark(options: MarkOptions, logo: Logo, tallest: number): Part {
  const { room, surface } = options
  const plate = plateUnder(logo, surface)
  const pad = plate === undefined ? 0 : tallest * 0.16
  const ratio = logo.width / logo.height
  const inner = {
    width: Math.min(room.width, tallest * 5) - pad * 2,
    height: tallest * 1.2 - pad * 2,
  }
  const height = Math.min(inner.height, inner.width / ratio, room.height - pad * 2)
  const box = place(options, height * ratio + pad * 2, height + pad * 2)
  const image =
    `<image x="${n(box.x + pad)}" y="${n(box.y + pad)}" width="${n(height * ratio)}" height="${n(height)}"` +
    ` preserveAspectRatio="xMidYMid meet" href="${logo.dataUri}"/>`
  const shapes = plate === undefined ? [image] : [rect(box, plate, tallest * 0.14), image]
  return { role: 'brand', box, shapes, texts: [] }
}

/** The tile with the name beside it; if that does not fit, the name alone; else as much of it as fits. */
function wordMark(options: MarkOptions, side: number): Part {
  // A one-letter name is readable on the tile.
  if (options.name === 'none' || options.content.brandName === options.content.initial)
    return tileMark(options, side, undefined)
  const gap = side * 0.32
  const beside = options.room.width - side - gap
  if (options.name === 'short') return tileMark(options, side, shortIn(options, side, beside))
  const whole = nameIn(options.content, { width: beside, height: side })
  const isSmall = whole !== undefined && whole.size < LEAST_BESIDE
  if (isWhole(whole, options) && !isSmall) return tileMark(options, side, whole)
  const alone = nameIn(options.content, { width: options.room.width, height: side })
  if (alone && isWhole(alone, options)) return nameMark(options, side, alone)
  if (isWhole(whole, options)) return tileMark(options, side, whole)
  return tileMark(
    options,
    side,
    shortIn(options, side, beside) ?? (isSeen(whole, side) ? whole : undefined),
  )
}

/** Type size in pixels below which a name is better shown alone, using all the room. */
const LEAST_BESIDE = 7

/** The longest short form of the name that fits completely. */
function shortIn(options: MarkOptions, side: number, width: number): SetText | undefined {
  for (const name of shortNames(options.content.brandName)) {
    const set = nameIn(options.content, { width, height: side }, name)
    if (set?.text === name) return set
  }
  return undefined
}

function isSeen(name: SetText | undefined, side: number): boolean {
  return name !== undefined && name.width > side
}

function isWhole(name: SetText | undefined, { content }: MarkOptions): boolean {
  return name?.text === content.brandName
}

function tileMark(options: MarkOptions, side: number, name: SetText | undefined): Part {
  const { content, surface } = options
  const gap = side * 0.32
  const width = side + (name === undefined ? 0 : gap + name.width)
  const box = place(options, width, side)
  const tile = { ...box, width: side }
  const letters = fitText({
    text: content.initial,
    writing: content.writing,
    face: 'black',
    width: side * 0.78,
    height: side,
    largest: side * 0.58,
    smallest: side * 0.2,
    lines: 1,
    leading: 1,
  })
  // On paper the tile has the brand's colour; on the brand's colour it is cut out.
  const isPaper = luminance(surface.ground) > 0.5
  const [fill, letter] = isPaper ? [surface.button, surface.label] : [surface.text, surface.ground]
  const texts = []
  if (letters !== undefined)
    texts.push(
      placeText(letters, centreOn(tile, letters), { align: 'middle', fill: letter, ground: fill }),
    )
  if (name !== undefined) {
    const at = { ...box, x: box.x + side + gap, width: name.width }
    const style = { align: 'start', fill: surface.text, ground: surface.ground } as const
    texts.push(placeText(name, centreOn(at, name), style))
  }
  return { role: 'brand', box, shapes: [rect(tile, fill, side * 0.24)], texts }
}

function nameMark(options: MarkOptions, side: number, name: SetText): Part {
  const { surface, align } = options
  const box = place(options, name.width, side)
  const text = placeText(name, centreOn(box, name), {
    align: align === 'end' ? 'start' : align,
    fill: surface.text,
    ground: surface.ground,
  })
  return { role: 'brand', box, shapes: [], texts: [text] }
}

function nameIn(
  content: AdContent,
  { width, height }: Pick<Rect, 'width' | 'height'>,
  name = content.brandName,
): SetText | undefined {
  return fitText({
    text: name,
    writing: content.writing,
    face: 'bold',
    width,
    height,
    largest: height * 0.6,
    smallest: Math.min(height * 0.6, Math.max(7, height * 0.36)),
    lines: 2,
    leading: 1.08,
  })
}

function place(
  { room, align, isCentredVertically }: MarkOptions,
  width: number,
  height: number,
): Rect {
  const free = { start: 0, middle: 0.5, end: 1 }[align]
  return {
    x: room.x + (room.width - width) * free,
    y: isCentredVertically ? room.y + (room.height - height) / 2 : room.y,
    width,
    height,
  }
}

/** The set text's box such that its capitals are vertically centred in `box`. */
export function centreOn(box: Rect, set: SetText): Rect {
  const capitals = set.size * (CAP_HEIGHT + (set.lines.length - 1) * set.leading)
  const firstBaseline = box.y + (box.height - capitals) / 2 + set.size * CAP_HEIGHT
  return { ...box, y: firstBaseline - set.size * set.ascent, height: set.height }
}
