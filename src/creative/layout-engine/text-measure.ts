// A measured text: the interface that fitting requires.

import type { Face } from './faces.ts'
import type { Break } from './shaping/breaks.ts'
import type { ShapedLine } from './shaping/shape-line.ts'

export interface MeasuredText {
  text: string
  face: Face
  /** The line height of its letters, in ems: above the baseline, and below. */
  ascent: number
  descent: number
  /** Where a line may end: between words, or if that is not enough, within them. */
  breaks: readonly Break[]
  looseBreaks(): readonly Break[]
  /** The same plus hyphenation points; the same list if there are none. */
  hyphenBreaks(): readonly Break[]
  /** Between the parts of a sentence, for scripts without spaces between words; undefined if there are none. */
  phraseBreaks?: readonly Break[]
  /** The glyphs of a line; undefined for a text that needs no shaping. */
  shape?: (line: string) => ShapedLine
  /** Width of the piece from `from` up to `to`, in ems; `mark` is placed after it. */
  width(from: number, to: number, mark?: string): number
}
