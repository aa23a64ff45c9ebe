// A text measured once, so that the width of any piece of it takes two look-ups: layout measures hundreds of pieces,
// and measuring each from scratch would take time quadratic in the length of the text.

import { ASCENT, DESCENT, type Face, fontOf } from './faces.ts'
import { isPlain } from './shaping/drawable.ts'
import { withHyphens } from './shaping/hyphenation/hyphen-breaks.ts'
import { measureScript } from './shaping/measure-script.ts'
import { once } from './shaping/once.ts'
import { plainBreaks, plainLooseBreaks } from './shaping/plain-breaks.ts'
import type { Writing } from './shaping/writing.ts'
import type { MeasuredText } from './text-measure.ts'

export function measureText(text: string, face: Face, writing: Writing): MeasuredText {
  let known = measured.get(writing)
  if (known === undefined) {
    known = new Map()
    measured.set(writing, known)
  }
  const name = `${face} ${text}`
  let found = known.get(name)
  if (found === undefined) {
    found = isPlain(text) ? measurePlain(text, face, writing) : measureScript(text, face, writing)
    known.set(name, found)
  }
  return found
}

/** For the advertisements being composed: each sets its few texts many times, in one layout after another. */
const measured = new WeakMap<Writing, Map<string, MeasuredText>>()

/** Letters of Adwire Sans are placed one after another, without shaping. */
function measurePlain(text: string, face: Face, writing: Writing): MeasuredText {
  const font = fontOf(face)
  // By position in the text: the sum of the advances before it, the kerning of the glyph there, and the nearest
  // glyphs at or after it and before it.
  const sums = new Int32Array(text.length + 1)
  const kerned = new Int32Array(text.length + 1)
  const before = new Int32Array(text.length + 1)
  const next = new Int32Array(text.length + 1)
  let [units, previous, at] = [0, NONE, 0]
  before[0] = NONE
  for (const character of text) {
    const glyph = font.glyphOf(character.codePointAt(0) as number) ?? NONE
    if (glyph !== NONE) {
      const kerning = previous === NONE ? 0 : font.kerning(previous, glyph)
      kerned[at] = kerning
      units += kerning + font.advanceOf(glyph)
      previous = glyph
    }
    next[at] = glyph === NONE ? NONE : at
    for (let unit = 0; unit < character.length; unit++) {
      at += 1
      sums[at] = units
      before[at] = previous
      next[at] = NONE
    }
  }
  next[text.length] = text.length
  for (let place = text.length - 1; place >= 0; place--) {
    if (next[place] === NONE) next[place] = next[place + 1] as number
  }

  const looseBreaks = once(() => plainLooseBreaks(text))
  return {
    text,
    face,
    ascent: ASCENT,
    descent: DESCENT,
    breaks: plainBreaks(text),
    looseBreaks,
    hyphenBreaks: once(() => withHyphens(looseBreaks(), text, writing)),
    width: (from, to, mark) => {
      const first = next[from] as number
      const isEmpty = first >= to
      // The first glyph of a piece has no glyph before it to be kerned with.
      let sum = isEmpty
        ? 0
        : (sums[to] as number) - (sums[from] as number) - (kerned[first] as number)
      const behind =
        mark === undefined ? NONE : (font.glyphOf(mark.codePointAt(0) as number) ?? NONE)
      if (behind !== NONE) {
        sum += font.advanceOf(behind) + (isEmpty ? 0 : font.kerning(before[to] as number, behind))
      }
      return sum / font.unitsPerEm
    },
  }
}

const NONE = -1
