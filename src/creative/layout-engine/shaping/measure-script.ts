// A text of any script measured once, as `measureText` does for Latin: the width of a piece is the difference of two
// sums. Lines end where letters do not join, so a piece has the same width alone as within the text.

import { defined } from '../../../lib/defined.ts'
import type { Face } from '../faces.ts'
import type { MeasuredText } from '../text-measure.ts'
import { breaksOf, looseBreaksOf, phraseBreaksOf } from './break-text.ts'
import { withHyphens } from './hyphenation/hyphen-breaks.ts'
import { once } from './once.ts'
import { fontRunsOf } from './runs.ts'
import { shapeLine } from './shape-line.ts'
import type { Writing } from './writing.ts'

/** The minimum line height of the letters of most scripts, in ems. */
const LEAST = { above: 0.8, below: 0.22 }

export function measureScript(text: string, face: Face, writing: Writing): MeasuredText {
  const advances = new Float64Array(text.length + 1)
  let { above, below } = LEAST
  for (const { from, to, level, typeface } of fontRunsOf(text, writing)) {
    const cut = typeface.cut(face)
    const piece = { from, to, isRightToLeft: level % 2 === 1, language: writing.language }
    for (const { glyph, cluster, advance, y } of cut.shape(text, piece)) {
      advances[cluster] = (advances[cluster] as number) + advance / cut.unitsPerEm
      const reach = cut.reach(glyph)
      above = Math.max(above, (reach.above + y) / cut.unitsPerEm)
      below = Math.max(below, (reach.below - y) / cut.unitsPerEm)
    }
  }
  const sums = new Float64Array(text.length + 1)
  for (let at = 0; at < text.length; at++)
    sums[at + 1] = (sums[at] as number) + (advances[at] as number)

  const marks = new Map<string, number>()
  const widthOfMark = (mark: string) => {
    let width = marks.get(mark)
    if (width === undefined) {
      width = shapeLine(mark, face, writing).width
      marks.set(mark, width)
    }
    return width
  }
  const looseBreaks = once(() => looseBreaksOf(text))
  return {
    text,
    face,
    ascent: above,
    descent: below,
    breaks: breaksOf(text),
    ...defined({ phraseBreaks: phraseBreaksOf(text) }),
    looseBreaks,
    hyphenBreaks: once(() => withHyphens(looseBreaks(), text, writing)),
    width: (from, to, mark = '') =>
      (sums[to] as number) - (sums[from] as number) + (mark === '' ? 0 : widthOfMark(mark)),
    shape: (line) => shapeLine(line, face, writing),
  }
}
