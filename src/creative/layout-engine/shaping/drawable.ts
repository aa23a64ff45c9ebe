// Which parts of a text can be drawn, and which no font has.

import { fontOf } from '../faces.ts'
import { brandTypeface } from './brand-fonts.ts'
import { typefaceFor } from './font-fallback.ts'
import { ownTypefaces } from './own-fonts.ts'
import { GRAPHEMES } from './runs.ts'

/** Whether every letter is in Adwire Sans, whose letters are placed one after another without shaping. */
export function isPlain(text: string): boolean {
  if (brandTypeface() || ownTypefaces().length > 0) return false
  const font = fontOf('regular')
  for (const character of text)
    if (font.glyphOf(character.codePointAt(0) as number) === undefined) return false
  return true
}

export interface Drawable {
  /** On one line, without letters that no font has and without the gaps they leave. */
  text: string
  /** What a reader takes for letters and no font has, each listed once. */
  missing: string[]
}

export function drawable(text: string, language: string): Drawable {
  const clean = tidied(text)
  if (isPlain(clean)) return { text: clean, missing: [] }
  const missing = new Set<string>()
  let kept = ''
  for (const { segment } of GRAPHEMES.segment(clean)) {
    const isDrawn = segment === ' ' || typefaceFor(segment, language, undefined) !== undefined
    if (isDrawn) kept += segment
    else if (/\P{C}/u.test(segment)) missing.add(segment)
  }
  return { text: tidied(kept), missing: [...missing] }
}

/** Controls, soft hyphens and direction marks are invisible, and would only mislead the line setting. */
function tidied(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
