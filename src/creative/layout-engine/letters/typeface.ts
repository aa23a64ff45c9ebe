// A font that letters can be drawn with.

import { type Face, WEIGHTS } from '../faces.ts'
import type { Cut } from './cut.ts'

/** A design, in every weight that there is of it. */
export interface Typeface {
  has(codePoint: number): boolean
  cut(face: Face): Cut
}

/** Each weight is opened when it is first asked for. A letter counts only if every weight has it. */
export function typefaceOf(open: (face: Face) => Cut): Typeface {
  const cuts = new Map<Face, Cut>()
  const cut = (face: Face) => {
    let one = cuts.get(face)
    if (one === undefined) {
      one = open(face)
      cuts.set(face, one)
    }
    return one
  }
  const faces = Object.keys(WEIGHTS) as Face[]
  return { has: (codePoint) => faces.every((face) => cut(face).has(codePoint)), cut }
}
