// A line as positioned glyphs: what is drawn, and its width.

import type { Face } from '../faces.ts'
import type { FontInstance } from './font-instance.ts'
import { fontRunsOf, inVisualOrder } from './runs.ts'
import type { Writing } from './writing.ts'

export interface ShapedLine {
  /** In ems, as everything here. */
  width: number
  runs: readonly ShapedRun[]
}

interface ShapedRun {
  cut: FontInstance
  /** The letters in reading order. */
  text: string
  glyphs: readonly PlacedGlyph[]
}

/** `x` from the left start of the line, `y` upwards from the baseline. */
interface PlacedGlyph {
  glyph: number
  x: number
  y: number
}

export function shapeLine(text: string, face: Face, writing: Writing): ShapedLine {
  const runs: ShapedRun[] = []
  let pen = 0
  for (const { from, to, level, typeface } of inVisualOrder(fontRunsOf(text, writing))) {
    const cut = typeface.cut(face)
    const isRightToLeft = level % 2 === 1
    const shaped = cut.shape(text, { from, to, isRightToLeft, language: writing.language })
    const glyphs = shaped.map(({ glyph, x, y, advance }) => {
      const placed = { glyph, x: pen + x / cut.unitsPerEm, y: y / cut.unitsPerEm }
      pen += advance / cut.unitsPerEm
      return placed
    })
    runs.push({ cut, text: text.slice(from, to), glyphs })
  }
  return { width: pen, runs }
}
