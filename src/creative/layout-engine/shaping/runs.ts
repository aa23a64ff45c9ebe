// A text as runs: pieces of one direction that one font draws. The directions follow the Unicode
// bidirectional algorithm.

import bidiFactory from 'bidi-js/dist/bidi.mjs'
import { typefaceFor } from './font-fallback.ts'
import { longNumbersIn } from './long-numbers.ts'
import type { Typeface } from './typeface.ts'
import { hasRightToLeft, type TextDirection, type Writing } from './writing.ts'

export interface FontRun {
  from: number
  to: number
  /** Odd from right to left. */
  level: number
  typeface: Typeface
}

/** In text order. Letters that no font has are omitted: `drawable` has removed them. */
export function fontRunsOf(text: string, { language, direction }: Writing): FontRun[] {
  const levels = levelsOf(text, direction)
  const runs: FontRun[] = []
  for (const { segment, index } of GRAPHEMES.segment(text)) {
    const last = runs.at(-1)
    const typeface = typefaceFor(segment, language, last?.typeface)
    if (typeface === undefined) continue
    const level = levels?.[index] ?? 0
    const [from, to] = [index, index + segment.length]
    if (last?.typeface === typeface && last.level === level && last.to === from) last.to = to
    else runs.push({ from, to, level, typeface })
  }
  return runs
}

/** What a reader takes for one letter. */
export const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })

const bidi = bidiFactory()

/** In right-to-left text, the level of the left-to-right parts. */
const LEFT_TO_RIGHT = 2

/** Undefined if everything is left to right. */
function levelsOf(text: string, direction: TextDirection): Uint8Array | undefined {
  if (direction === 'ltr' && !hasRightToLeft(text)) return undefined
  const { levels } = bidi.getEmbeddingLevels(text, direction)
  for (const { from, to } of longNumbersIn(text)) levels.fill(LEFT_TO_RIGHT, from, to)
  return levels
}

/** From left to right (UAX 9, rule L2): runs between runs of a higher level move with them. */
export function inVisualOrder(runs: readonly FontRun[]): FontRun[] {
  const order = [...runs]
  const levels = runs.map(({ level }) => level)
  const lowest = Math.min(...levels.filter((level) => level % 2 === 1))
  for (let level = Math.max(0, ...levels); level >= lowest; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from
      while (to < order.length && (order[to] as FontRun).level >= level) to += 1
      if (to - from > 1) order.splice(from, to - from, ...order.slice(from, to).reverse())
      from = Math.max(from, to)
    }
  }
  return order
}
