// A text as it is measured: what fitting asks of it.

import type { Face } from './faces.ts'
import type { Break } from './shaping/breaks.ts'
import type { ShapedLine } from './shaping/shape-line.ts'

export interface MeasuredText {
  text: string
  face: Face
  /** What its letters take of a line, in ems: above the baseline, and below. */
  ascent: number
  descent: number
  /** Where a line may end: between words; and, where that is not enough, within them. */
  breaks: readonly Break[]
  looseBreaks(): readonly Break[]
  /** Those, and where its words may be parted with a hyphen; the same when there is no such place. */
  hyphenBreaks(): readonly Break[]
  /** Between the parts of a sentence, for scripts that show nothing between words; undefined if there are none. */
  phraseBreaks?: readonly Break[]
  /** The glyphs of a line; undefined for a text that needs no shaping. */
  shape?: (line: string) => ShapedLine
  /** Width of the piece from `from` up to `to`, in pixels at a size in pixels; `mark` stands behind it. */
  width(from: number, to: number, size: number, mark?: string): number
}
