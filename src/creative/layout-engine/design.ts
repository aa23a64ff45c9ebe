// Design requests for one advertisement (spec 4.2): colours, sizes, positions, and what is not drawn. The layout
// decides everything that is omitted.

import type { Colour } from './colours.ts'

/** A side of the canvas. */
export type Side = 'left' | 'right' | 'top' | 'bottom'

export interface Design {
  /** Every colour as a grey of the same lightness, including pictures. Default false. */
  isGreyscale?: boolean
  /** A colour that nothing is drawn in. */
  without?: Colour
  /** Under the words. */
  background?: Colour
  /** The colour that leads. */
  primary?: Colour
  button?: Colour
  /** The text colour, wherever it is readable. */
  text?: Colour
  /** The brand is not drawn at all. Default false. */
  hasNoLogo?: boolean
  /** Multiple of its usual height. Default 1. */
  logoScale?: number
  /** Position within the text column. Default: like the words. */
  logoAlign?: 'start' | 'middle' | 'end'
  /** Below the words rather than above them. Default false. */
  isLogoLow?: boolean
  /** Multiple of their usual size. Default 1. */
  headlineScale?: number
  bodyScale?: number
  align?: 'start' | 'middle'
  /** Position of words and button in the free height: 0 at the top, 1 at the bottom. */
  at?: number
  /** Mirrors the stage, so that what was on the left or at the top moves to the other end. */
  flip?: 'across' | 'down'
  /** The side of a full-canvas photo that the words are on. */
  side?: Side
  /** No button is drawn. Default false. */
  hasNoButton?: boolean
}
