// A text set in lines of one size, and the size at which all of it fits.

import { type Face, widthOf } from './faces.ts'
import { HYPHEN } from './shaping/hyphenation/hyphen-breaks.ts'
import type { ShapedLine } from './shaping/shape-line.ts'
import { directionOf, type TextDirection, type Writing } from './shaping/writing.ts'
import type { MeasuredText } from './text-measure.ts'
import { balance, ELLIPSIS, type Line, type Stretch, wrap } from './wrap-lines.ts'

export interface TypesetOptions {
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
  /** The displayed text in reading order: the text itself, or its beginning and an ellipsis. */
  text: string
  face: Face
  size: number
  leading: number
  /** Height of the letters above the baseline, in ems. */
  ascent: number
  lines: readonly string[]
  /** The indexes of lines that end with a hyphen that is not in the text. */
  parted?: readonly number[]
  direction: TextDirection
  /** The lines as glyphs; undefined for letters that need no shaping. */
  shaped?: readonly ShapedLine[]
  /** What the lines take, in pixels. */
  width: number
  height: number
}

/** A text that is set, and the pieces that form its lines. */
export interface TextSetting {
  set: SetText
  lines: readonly Line[]
}

/** In the largest size at which all of it fits. */
export function setLargest(
  measured: MeasuredText,
  options: TypesetOptions,
  stretch: Stretch,
): TextSetting | undefined {
  const smallest = Math.min(options.smallest, options.largest)
  let best: TextSetting | undefined
  for (const size of sizesFrom(options.largest, smallest)) {
    if (best !== undefined && size < best.set.size * 0.72) break
    const room = { size, width: options.width, most: linesFor(measured, options, size) }
    const wrapped = wrap(measured, stretch, room)
    if (wrapped === undefined) continue
    const lines = balance(measured, stretch, { room, lines: wrapped })
    const setting = { set: setText(measured, options, { size, lines }), lines }
    // A slightly smaller size is better than a line with one short word.
    if (!hasOrphan(setting.set)) return setting
    best ??= setting
  }
  return best
}

/** Letters that reach far up and down need more room between lines than Latin does. */
function leadingOf({ shape, ascent, descent }: MeasuredText, { leading }: TypesetOptions): number {
  return shape ? Math.max(leading * 1.1, ascent + descent) : leading
}

/** The number of lines that fit the height, up to the requested number. */
export function linesFor(measured: MeasuredText, options: TypesetOptions, size: number): number {
  const { ascent, descent } = measured
  const free = options.height / size - ascent - descent
  return Math.min(options.lines, Math.floor(free / leadingOf(measured, options) + 1 + 1e-9))
}

export function* sizesFrom(largest: number, smallest: number): Generator<number> {
  for (let size = largest; size > smallest; size = Math.min(size - 0.5, size * 0.96)) yield size
  yield smallest
}

function hasOrphan({ lines, shaped }: SetText): boolean {
  const short = shaped ? 1 : 3
  return lines.length > 1 && lines.some((line) => line.length <= short)
}

export function setText(
  measured: MeasuredText,
  options: TypesetOptions,
  { size: requested, lines: pieces }: { size: number; lines: readonly Line[] },
): SetText {
  const { text, face, ascent, descent } = measured
  const lines = pieces.map(({ from, to, mark = '' }) => text.slice(from, to) + mark)
  const shaped = measured.shape && lines.map(measured.shape)
  const widest = shaped
    ? Math.max(...shaped.map(({ width }) => width)) * requested
    : Math.max(...lines.map((line) => widthOf(line, face, requested)))
  // A line shaped alone may be slightly wider than as a piece of the text.
  const size = shaped && widest > options.width ? (requested * options.width) / widest : requested
  const last = pieces.at(-1) as Line
  const parted = pieces.flatMap(({ mark }, index) => (mark === HYPHEN ? [index] : []))
  const leading = leadingOf(measured, options)
  return {
    text: text.slice(0, last.to) + (last.mark === ELLIPSIS ? ELLIPSIS : ''),
    face,
    size,
    leading,
    ascent,
    lines,
    ...(parted.length > 0 && { parted }),
    direction: directionOf(text),
    ...(shaped && { shaped }),
    width: (widest * size) / requested,
    height: size * (ascent + descent + (lines.length - 1) * leading),
  }
}
