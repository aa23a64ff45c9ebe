// A font that letters can be drawn with.

import type { Face } from '../faces.ts'
import type { Cut } from './cut.ts'

/** A design, in every weight that there is of it. */
export interface Typeface {
  has(codePoint: number): boolean
  cut(face: Face): Cut
}
