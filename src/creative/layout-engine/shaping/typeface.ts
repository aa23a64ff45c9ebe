// A font that letters can be drawn with.

import { type Face, WEIGHTS } from '../faces.ts'
import type { FontInstance } from './font-instance.ts'

/** A design, in all its available weights. */
export interface Typeface {
  has(codePoint: number): boolean
  cut(face: Face): FontInstance
}

/** Each weight is opened when it is first needed. A letter counts only if every weight has it. */
export function typefaceOf(open: (face: Face) => FontInstance): Typeface {
  const cuts = new Map<Face, FontInstance>()
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
