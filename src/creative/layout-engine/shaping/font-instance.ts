// One font file in one weight, through HarfBuzz: letters become positioned glyphs, and glyphs become outlines.
// HarfBuzz is WebAssembly: a faulty file cannot harm anything outside it.

import * as hb from 'harfbuzzjs'

export interface FontInstance {
  /** Tells one from the others. */
  id: string
  unitsPerEm: number
  has(codePoint: number): boolean
  /** The glyphs of a piece of the text, from left to right; the rest of the text decides how letters join. */
  shape(text: string, piece: ShapePiece): Glyph[]
  /** As SVG, in units of the font, with y pointing upwards. */
  outline(glyph: number): string
  /** How far it reaches above the baseline, and below, in units of the font. */
  reach(glyph: number): { above: number; below: number }
  /** The input of a font subset with a few of its letters. */
  file: Uint8Array
  /** On the axis of weights, if the file has one. */
  weight: number | undefined
}

interface ShapePiece {
  from: number
  to: number
  isRightToLeft: boolean
  language: string
}

/** In units of the font. */
interface Glyph {
  glyph: number
  /** Where the letters that it represents begin. */
  cluster: number
  advance: number
  x: number
  y: number
}

/** Throws when HarfBuzz finds no font in the file. */
export function openFontInstance(id: string, file: Uint8Array, wanted: number): FontInstance {
  const face = new hb.Face(new hb.Blob(file))
  const axis = face.getAxisInfos().wght
  const font = new hb.Font(face)
  const weight = axis && Math.min(Math.max(wanted, axis.min), axis.max)
  if (weight !== undefined) font.setVariations([new hb.Variation('wght', weight)])
  if (face.upem === 0 || face.collectUnicodes().length === 0)
    throw new Error('not a font with letters')
  const known = new Map<number, boolean>()
  const outlines = new Map<number, string>()
  return {
    id,
    unitsPerEm: face.upem,
    file,
    weight,
    has: (codePoint) => {
      let has = known.get(codePoint)
      if (has === undefined) {
        has = (font.nominalGlyph(codePoint) ?? 0) !== 0
        known.set(codePoint, has)
      }
      return has
    },
    shape: (text, piece) => shape(font, text, piece),
    outline: (glyph) => {
      let outline = outlines.get(glyph)
      if (outline === undefined) {
        // In whole units: smaller fractions are invisible, and would double the length.
        outline = font
          .glyphToJson(glyph)
          .map(({ type, values }) => type + values.map((value) => Math.round(value)).join(' '))
          .join('')
        outlines.set(glyph, outline)
      }
      return outline
    },
    reach: (glyph) => {
      const box = font.glyphExtents(glyph)
      if (!box) return { above: 0, below: 0 }
      return { above: box.yBearing, below: -(box.yBearing + box.height) }
    },
  }
}

function shape(font: hb.Font, text: string, { from, to, isRightToLeft, language }: ShapePiece) {
  const buffer = new hb.Buffer()
  buffer.addText(text, from, to - from)
  buffer.setDirection(isRightToLeft ? hb.Direction.RTL : hb.Direction.LTR)
  if (language !== '') buffer.setLanguage(language)
  // Only the script is left to guess.
  buffer.guessSegmentProperties()
  buffer.setFlags(hb.BufferFlag.REMOVE_DEFAULT_IGNORABLES)
  hb.shape(font, buffer)
  return buffer.getGlyphInfosAndPositions().map(
    ({ codepoint, cluster, xAdvance = 0, xOffset = 0, yOffset = 0 }): Glyph => ({
      glyph: codepoint,
      cluster,
      advance: xAdvance,
      x: xOffset,
      y: yOffset,
    }),
  )
}
