// The fonts of the brand that an advertisement is made for: used before all others while it is composed. The files
// are untrusted; each has already been read once in the worker pool, where this code also runs.

import { createHash } from 'node:crypto'
import { MAX_BRAND_FONTS } from '../../limits.ts'
import { type Face, WEIGHTS } from '../faces.ts'
import { openFontInstance } from './font-instance.ts'
import { type FontFile, nearestWeight, readFont } from './read-font.ts'
import { lettersIn, subsetCut } from './subset-font.ts'
import { type Typeface, typefaceOf } from './typeface.ts'

/** For headlines, names and buttons; or for longer text. */
export type FontRole = 'primary' | 'secondary'

export interface BrandFont {
  role: FontRole
  /** As it was fetched. */
  bytes: Uint8Array
}

export type CheckedFont = { ok: true; family: string } | { ok: false; reason: string }

/** Does everything that composing will do with it, so that a broken font fails here. */
export function checkFont(bytes: Uint8Array): CheckedFont {
  try {
    const font = readFont('checked', bytes)
    const cut = openFontInstance('checked', font.bytes, 400)
    const piece = { from: 0, to: SAMPLE.length, isRightToLeft: false, language: 'en' }
    for (const { glyph } of cut.shape(SAMPLE, piece)) {
      cut.outline(glyph)
      cut.reach(glyph)
    }
    subsetCut(cut, lettersIn(SAMPLE))
    return { ok: true, family: font.family }
  } catch (error) {
    return { ok: false, reason: reasonOf(error) }
  }
}

const SAMPLE = String.fromCharCode(...Array.from({ length: 95 }, (_none, index) => 32 + index))

/** The errors a decoder throws on broken bytes are of no use to the sender. */
function reasonOf(error: unknown): string {
  const isOurs = error instanceof Error && /^(?:it |not |a table |the font )/.test(error.message)
  return isOurs ? error.message : 'it is no font of TTF, OTF, WOFF or WOFF2'
}

/** Applies while `work` runs, which must be synchronous. */
export function withBrandFonts<T>(fonts: readonly BrandFont[], work: () => T): T {
  current = typefaceFrom(fonts)
  try {
    return work()
  } finally {
    current = undefined
  }
}

export function brandTypeface(): Typeface | undefined {
  return current
}

let current: Typeface | undefined

function typefaceFrom(fonts: readonly BrandFont[]): Typeface | undefined {
  if (fonts.length === 0) return undefined
  const filesOf = (role: FontRole) => fonts.filter((font) => font.role === role).map(opened)
  const all = fonts.map(opened)
  const [primary, secondary] = [filesOf('primary'), filesOf('secondary')]
  const filesFor = (face: Face) => {
    const [first, second] = face === 'regular' ? [secondary, primary] : [primary, secondary]
    return [first, second, all].find((files) => files.length > 0) ?? all
  }
  return typefaceOf((face) => {
    const { id, bytes } = nearestWeight(filesFor(face), WEIGHTS[face])
    return openFontInstance(`${id} ${face}`, bytes, WEIGHTS[face])
  })
}

/** By content, enough for a few builds: unpacking takes longer than anything else. */
const unpacked = new Map<string, FontFile>()
const MAX_UNPACKED = 2 * MAX_BRAND_FONTS

function opened({ bytes }: BrandFont): FontFile {
  const id = createHash('sha256').update(bytes).digest('hex')
  const font = unpacked.get(id) ?? readFont(id, bytes)
  // The most recent is last, and the first is evicted.
  unpacked.delete(id)
  unpacked.set(id, font)
  for (const oldest of unpacked.keys()) {
    if (unpacked.size <= MAX_UNPACKED) break
    unpacked.delete(oldest)
  }
  return font
}
