// Sets a text into a box: the largest size at which its lines fit, and when none does, the smallest
// with an ellipsis. The box that comes back holds every letter.

import { type Face, widthOf } from './faces.ts'
import type { Break } from './letters/break-text.ts'
import type { ShapedLine } from './letters/shape-line.ts'
import { type Direction, directionOf, type Writing } from './letters/writing.ts'
import { measureText } from './measured-text.ts'
import type { MeasuredText } from './text-measure.ts'
import { balance, cutWord, ELLIPSIS, type Line, wrap, wrapShortened } from './wrap-lines.ts'

export interface TextWish {
  text: string
  face: Face
  writing: Writing
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
  /** What is shown, in the order in which it is read: the text itself, or its beginning and an ellipsis. */
  text: string
  face: Face
  size: number
  leading: number
  /** Of the letters above the baseline, in ems. */
  ascent: number
  lines: readonly string[]
  direction: Direction
  /** The lines as glyphs; undefined for letters that need no shaping. */
  shaped?: readonly ShapedLine[]
  /** What the lines take, in pixels. */
  width: number
  height: number
}

/** Undefined when not even one shortened line fits, or there is nothing to set. */
export function fitText(wish: TextWish): SetText | undefined {
  if (wish.text === '' || wish.width <= 0) return undefined
  const measured = measureText(wish.text, wish.face, wish.writing)
  return (
    setWhole(measured, wish, wish.text.length) ??
    setShortened(measured, wish) ??
    // A word that is too long for a line is set smaller, before it is cut.
    setWhole(measured, { ...wish, ...smallerThan(wish) }, wish.text.length) ??
    setCut(measured, wish)
  )
}

/** As many whole sentences as fit, from the first; when that one does not, as many of its words. */
export function fitSentences(wish: TextWish): SetText | undefined {
  if (wish.text === '' || wish.width <= 0) return undefined
  const measured = measureText(wish.text, wish.face, wish.writing)
  let best: SetText | undefined
  for (const end of sentenceEnds(wish.text)) {
    const set = setWhole(measured, wish, end)
    // A longer text never fits where a shorter one does not.
    if (!set) break
    best = set
  }
  return best ?? setShortened(measured, wish)
}

/** Where each sentence ends: behind a mark that a blank or the end follows, and at the end. */
function* sentenceEnds(text: string): Generator<number> {
  let from = 0
  for (let at = 1; at < text.length; at++) {
    const isMark = at > from && /[.!?؟۔।。！？]/.test(text.charAt(at))
    if (!isMark || (/\S/.test(text.charAt(at + 1)) && !/[。！？]/.test(text.charAt(at)))) continue
    if (/[」』）)]/.test(text.charAt(at + 1))) continue
    yield at + 1
    from = at + 1
  }
  if (from < text.length) yield text.length
}

/** The beginning of the text up to `end`: between words if it can be, else within them where that is allowed. */
function setWhole(measured: MeasuredText, wish: TextWish, end: number): SetText | undefined {
  let set: SetText | undefined
  for (const breaks of waysToBreak(measured)) {
    set = setLargest(measured, breaks, wish, end)
    if (set) break
  }
  const { phraseBreaks } = measured
  const phrased = phraseBreaks && setLargest(measured, phraseBreaks, wish, end)
  return phrased && set && phrased.size >= set.size * MIN_PHRASED ? phrased : set
}

/** How much smaller a text may be for lines that end with a part of the sentence. */
const MIN_PHRASED = 0.74

function* waysToBreak({ breaks, looseBreaks }: MeasuredText): Generator<readonly Break[]> {
  yield breaks
  const loose = looseBreaks()
  if (loose.length > breaks.length) yield loose
}

/** In the largest size at which all of it fits. */
function setLargest(
  measured: MeasuredText,
  breaks: readonly Break[],
  wish: TextWish,
  end: number,
): SetText | undefined {
  const smallest = Math.min(wish.smallest, wish.largest)
  let best: SetText | undefined
  for (const size of sizesFrom(wish.largest, smallest)) {
    if (best !== undefined && size < best.size * 0.72) break
    const room = { size, width: wish.width, most: linesFor(measured, wish, size) }
    const wrapped = wrap(measured, breaks, end, room)
    if (wrapped === undefined) continue
    const lines = balance(measured, breaks, end, { room, lines: wrapped })
    const set = setText(measured, wish, size, lines)
    // A little smaller is better than a line of one small word.
    if (!hasOrphan(set)) return set
    best ??= set
  }
  return best
}

function setShortened(measured: MeasuredText, wish: TextWish): SetText | undefined {
  const size = Math.min(wish.smallest, wish.largest)
  const room = { size, width: wish.width, most: linesFor(measured, wish, size) }
  for (const breaks of waysToBreak(measured)) {
    const lines = wrapShortened(measured, breaks, room)
    if (lines.length > 0) return setText(measured, wish, size, lines)
  }
  return undefined
}

/** Of a word that is too long for a line, how small it may become. */
const LEAST_SHARE = 0.6

function smallerThan({ smallest, largest }: TextWish): Pick<TextWish, 'smallest' | 'largest'> {
  const size = Math.min(smallest, largest)
  return { largest: size, smallest: size * LEAST_SHARE }
}

function setCut(measured: MeasuredText, wish: TextWish): SetText | undefined {
  const size = Math.min(wish.smallest, wish.largest)
  const room = { size, width: wish.width, most: 1 }
  const line =
    linesFor(measured, wish, size) < 1 ? undefined : cutWord(measured, measured.breaks, room)
  return line && setText(measured, wish, size, [line])
}

/** Letters that reach far up and down need more room between lines than Latin does. */
function leadingOf({ shape, ascent, descent }: MeasuredText, { leading }: TextWish): number {
  return shape ? Math.max(leading * 1.1, ascent + descent) : leading
}

/** As many as the height holds, and no more than are wished. */
function linesFor(measured: MeasuredText, wish: TextWish, size: number): number {
  const { ascent, descent } = measured
  const free = wish.height / size - ascent - descent
  return Math.min(wish.lines, Math.floor(free / leadingOf(measured, wish) + 1 + 1e-9))
}

function* sizesFrom(largest: number, smallest: number): Generator<number> {
  for (let size = largest; size > smallest; size = Math.min(size - 0.5, size * 0.96)) yield size
  yield smallest
}

function hasOrphan({ lines, shaped }: SetText): boolean {
  const short = shaped ? 1 : 3
  return lines.length > 1 && lines.some((line) => line.length <= short)
}

function setText(
  measured: MeasuredText,
  wish: TextWish,
  wished: number,
  pieces: readonly Line[],
): SetText {
  const { text, face, ascent, descent } = measured
  const lines = pieces.map(({ from, to, mark = '' }) => text.slice(from, to) + mark)
  const shaped = measured.shape && lines.map(measured.shape)
  const widest = shaped
    ? Math.max(...shaped.map(({ width }) => width)) * wished
    : Math.max(...lines.map((line) => widthOf(line, face, wished)))
  // A line shaped alone may be wider than as a piece of the text, by a hair.
  const size = shaped && widest > wish.width ? (wished * wish.width) / widest : wished
  const last = pieces.at(-1) as Line
  const leading = leadingOf(measured, wish)
  return {
    text: text.slice(0, last.to) + (last.mark === ELLIPSIS ? ELLIPSIS : ''),
    face,
    size,
    leading,
    ascent,
    lines,
    direction: directionOf(text),
    ...(shaped && { shaped }),
    width: (widest * size) / wished,
    height: size * (ascent + descent + (lines.length - 1) * leading),
  }
}
