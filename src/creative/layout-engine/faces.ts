// The typeface for everything that is drawn: three weights, as files beside this one, so that a picture does not
// depend on installed fonts.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readTrueType, type TrueType } from './true-type.ts'

export const FONT_FAMILY = 'Adwire Sans'

export const WEIGHTS = { regular: 400, bold: 700, black: 900 } as const
export type Face = keyof typeof WEIGHTS

/** The line height of the letters of every face, in ems: above the baseline, and below. */
export const ASCENT = 0.8
export const DESCENT = 0.22
export const CAP_HEIGHT = 0.72

export const FONT_FILES = Object.keys(WEIGHTS).map((face) =>
  fileURLToPath(new URL(`./fonts/adwire-sans-${face}.ttf`, import.meta.url)),
)

export function fontOf(face: Face): TrueType {
  let font = fonts.get(face)
  if (font === undefined) {
    font = readTrueType(readFileSync(FONT_FILES[Object.keys(WEIGHTS).indexOf(face)] as string))
    fonts.set(face, font)
  }
  return font
}

const fonts = new Map<Face, TrueType>()

/** Width of one line in pixels, at a size in pixels. */
export function widthOf(text: string, face: Face, size: number): number {
  const font = fontOf(face)
  let [units, previous] = [0, undefined as number | undefined]
  for (const character of text) {
    const glyph = font.glyphOf(character.codePointAt(0) as number)
    if (glyph === undefined) continue
    if (previous !== undefined) units += font.kerning(previous, glyph)
    units += font.advanceOf(glyph)
    previous = glyph
  }
  return (units / font.unitsPerEm) * size
}
