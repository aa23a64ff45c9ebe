// Reads from a TrueType file what layout needs: how far each glyph advances and how pairs are kerned. The fonts are
// part of this package, so nothing here defends against a hostile file.

import { type Kerning, readKerning } from './kerning.ts'

export interface TrueType {
  unitsPerEm: number
  /** Undefined for a character that the font cannot draw. */
  glyphOf(codePoint: number): number | undefined
  /** In units of the font. */
  advanceOf(glyph: number): number
  kerning: Kerning
  tables: ReadonlyMap<string, Buffer>
}

export function readTrueType(file: Buffer): TrueType {
  const tables = new Map<string, Buffer>()
  for (let i = 0; i < file.readUInt16BE(4); i++) {
    const entry = 12 + i * 16
    const from = file.readUInt32BE(entry + 8)
    const tag = file.toString('latin1', entry, entry + 4)
    tables.set(tag, file.subarray(from, from + file.readUInt32BE(entry + 12)))
  }
  const metrics = tables.get('hmtx') as Buffer
  const metricsCount = (tables.get('hhea') as Buffer).readUInt16BE(34)
  const glyphs = readCharacterMap(tables.get('cmap') as Buffer)
  return {
    unitsPerEm: (tables.get('head') as Buffer).readUInt16BE(18),
    glyphOf: (codePoint) => glyphs.get(codePoint),
    advanceOf: (glyph) => metrics.readUInt16BE(Math.min(glyph, metricsCount - 1) * 4),
    kerning: readKerning(tables.get('GPOS') as Buffer),
    tables,
  }
}

/** The Unicode subtable in format 4: segments of code points with an offset, or with a list. */
function readCharacterMap(cmap: Buffer): Map<number, number> {
  const table = cmap.subarray(cmap.readUInt32BE(8))
  if (table.readUInt16BE(0) !== 4) throw new Error('The font has no character map in format 4.')
  const segments = table.readUInt16BE(6) / 2
  const [ends, starts] = [14, 16 + segments * 2]
  const [deltas, ranges] = [starts + segments * 2, starts + segments * 4]
  const glyphs = new Map<number, number>()
  for (let i = 0; i < segments; i++) {
    const start = table.readUInt16BE(starts + i * 2)
    const delta = table.readUInt16BE(deltas + i * 2)
    const range = table.readUInt16BE(ranges + i * 2)
    for (let code = start; code <= table.readUInt16BE(ends + i * 2) && code < 0xffff; code++) {
      const listed =
        range === 0 ? code : table.readUInt16BE(ranges + i * 2 + range + (code - start) * 2)
      const glyph = listed === 0 ? 0 : (listed + delta) & 0xffff
      if (glyph !== 0) glyphs.set(code, glyph)
    }
  }
  return glyphs
}
