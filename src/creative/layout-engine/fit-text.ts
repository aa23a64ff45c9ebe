// Sets a text into a box: the largest size at which its lines fit, and when none does, the smallest
// with an ellipsis. The box that comes back holds every letter. A line is a piece of the text, known by
// where it begins and ends, and no more lines are looked at than fit.

import { ASCENT, DESCENT, type Face, widthOf } from './faces.ts'
import { type MeasuredText, measureText } from './measured-text.ts'

export interface TextWish {
  text: string
  face: Face
  /** Room, in pixels. */
  width: number
  height: number
  /** Sizes of the type, in pixels. */
  largest: number
  smallest: number
  lines: number
  /** From baseline to baseline, in ems. */
  leading: number
}

export interface SetText {
  face: Face
  size: number
  leading: number
  lines: readonly string[]
  /** What the lines take, in pixels. */
  width: number
  height: number
}

/** Undefined when not even one shortened line fits, or there is nothing to set. */
export function fitText(wish: TextWish): SetText | undefined {
  if (wish.text === '' || wish.width <= 0) return undefined
  const measured = measureText(wish.text, wish.face)
  return setWhole(measured, wish, wish.text.length) ?? setShortened(measured, wish)
}

/** As many whole sentences as fit, from the first; a piece of the first when it is of many lines. */
export function fitSentences(wish: TextWish): SetText | undefined {
  if (wish.text === '' || wish.width <= 0) return undefined
  const measured = measureText(wish.text, wish.face)
  let best: SetText | undefined
  for (const end of sentenceEnds(wish.text)) {
    const set = setWhole(measured, wish, end)
    // A longer text never fits where a shorter one does not.
    if (!set) break
    best = set
  }
  if (best) return best
  const piece = setShortened(measured, wish)
  return piece !== undefined && piece.lines.length >= 3 ? piece : undefined
}

/** Where each sentence ends: behind a mark that a blank or the end follows, and at the end. */
function* sentenceEnds(text: string): Generator<number> {
  let from = 0
  for (let at = 1; at < text.length; at++) {
    const isMark = at > from && /[.!?]/.test(text.charAt(at))
    if (!isMark || /\S/.test(text.charAt(at + 1))) continue
    yield at + 1
    from = at + 1
  }
  if (from < text.length) yield text.length
}

/** A piece of the text. */
interface Line {
  from: number
  to: number
}

/** The beginning of the text up to `end`, in the largest size at which all of it fits. */
function setWhole(measured: MeasuredText, wish: TextWish, end: number): SetText | undefined {
  const smallest = Math.min(wish.smallest, wish.largest)
  let best: SetText | undefined
  for (const size of sizesFrom(wish.largest, smallest)) {
    if (best !== undefined && size < best.size * 0.72) break
    const set = setAt(measured, wish, end, size)
    if (set === undefined) continue
    // A little smaller is better than a line of one small word.
    if (!hasOrphan(set.lines)) return set
    best ??= set
  }
  return best
}

function setShortened(measured: MeasuredText, wish: TextWish): SetText | undefined {
  const size = Math.min(wish.smallest, wish.largest)
  const most = Math.min(wish.lines, linesIn(wish.height, size, wish.leading))
  const lines = most < 1 ? [] : shorten(measured, wish.width, size, most)
  return lines.length === 0 ? undefined : setText(wish, size, lines)
}

function textHeight(lines: number, size: number, leading: number): number {
  return size * (ASCENT + DESCENT + (lines - 1) * leading)
}

function linesIn(height: number, size: number, leading: number): number {
  return Math.floor((height / size - ASCENT - DESCENT) / leading + 1 + 1e-9)
}

function* sizesFrom(largest: number, smallest: number): Generator<number> {
  for (let size = largest; size > smallest; size = Math.min(size - 0.5, size * 0.96)) yield size
  yield smallest
}

function setAt(
  measured: MeasuredText,
  wish: TextWish,
  end: number,
  size: number,
): SetText | undefined {
  const most = Math.min(wish.lines, linesIn(wish.height, size, wish.leading))
  const wrapped = most < 1 ? undefined : wrap(measured, end, size, { width: wish.width, most })
  if (wrapped === undefined) return undefined
  const lines = balance(measured, end, size, { width: wish.width, lines: wrapped })
  return setText(
    wish,
    size,
    lines.map(({ from, to }) => measured.text.slice(from, to)),
  )
}

function hasOrphan(lines: readonly string[]): boolean {
  return lines.length > 1 && lines.some((line) => line.length <= 3)
}

function setText(wish: TextWish, size: number, lines: readonly string[]): SetText {
  const { face, leading } = wish
  const width = Math.max(...lines.map((line) => widthOf(line, face, size)))
  return { face, size, leading, lines, width, height: textHeight(lines.length, size, leading) }
}

/** Whole words only: undefined when one is wider than the box, or they are more than `most` lines. */
function wrap(
  measured: MeasuredText,
  end: number,
  size: number,
  { width, most }: { width: number; most: number },
): Line[] | undefined {
  const lines: Line[] = []
  for (let from = 0; from <= end; ) {
    const line =
      lines.length === most ? undefined : lineFrom(measured, { from, to: end }, size, width)
    if (!line) return undefined
    lines.push(line)
    from = line.to + 1
  }
  return lines
}

/** As many words as fit on one line; undefined when the first is too wide. */
function lineFrom(
  { text, width: widthOfPiece }: MeasuredText,
  { from, to: end }: Line,
  size: number,
  width: number,
): Line | undefined {
  let to = -1
  for (let stop = wordEnd(text, from, end); ; stop = wordEnd(text, stop + 1, end)) {
    if (widthOfPiece(from, stop, size) > width) break
    to = stop
    if (stop === end) break
  }
  return to < 0 ? undefined : { from, to }
}

function wordEnd(text: string, from: number, end: number): number {
  const blank = text.indexOf(' ', from)
  return blank < 0 || blank > end ? end : blank
}

/** As many lines, of about one length: a last line of one short word looks like a mistake. */
function balance(
  measured: MeasuredText,
  end: number,
  size: number,
  { width, lines }: { width: number; lines: Line[] },
): Line[] {
  if (lines.length === 1) return lines
  let best = lines
  for (let share = 0.95; share >= 0.4; share -= 0.05) {
    const narrower = wrap(measured, end, size, { width: width * share, most: lines.length })
    if (narrower === undefined) break
    best = narrower
  }
  return best
}

function shorten(measured: MeasuredText, width: number, size: number, most: number): string[] {
  const { text } = measured
  const lines: Line[] = []
  let from = 0
  while (from <= text.length && lines.length < most) {
    const line = lineFrom(measured, { from, to: text.length }, size, width)
    if (!line) break
    lines.push(line)
    from = line.to + 1
  }
  const textOf = ({ from: start, to }: Line) => text.slice(start, to)
  if (from > text.length) return lines.map(textOf)
  const last = lines.length === most ? lines.pop() : undefined
  const cut = cutLine(measured, last ?? { from, to: wordEnd(text, from, text.length) }, size, width)
  return [...lines.map(textOf), ...(cut === undefined ? [] : [cut])]
}

const ELLIPSIS = '…'
const LOOSE: ReadonlySet<string> = new Set([...' .,;:–—-'])

/** The line with an ellipsis: at a word's end if one is left, else within the word. */
function cutLine(
  measured: MeasuredText,
  { from, to }: Line,
  size: number,
  width: number,
): string | undefined {
  const { text } = measured
  const fits = (end: number) => measured.width(from, end, size, ELLIPSIS) <= width
  for (let end = to; end > from; end = text.lastIndexOf(' ', end - 1)) {
    while (end > from && LOOSE.has(text.charAt(end - 1))) end -= 1
    if (end > from && fits(end)) return text.slice(from, end) + ELLIPSIS
  }
  for (let end = wordEnd(text, from, to); end > from; end--) {
    const isHalf = /[\udc00-\udfff]/.test(text.charAt(end))
    if (!isHalf && fits(end)) return text.slice(from, end) + ELLIPSIS
  }
  return undefined
}
