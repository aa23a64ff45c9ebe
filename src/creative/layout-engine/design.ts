// What can be requested for the design of one advertisement (spec 4.2): colours, sizes, places, and what is not
// drawn. Whatever is omitted is decided by the layout.

import type { Colour } from './colours.ts'

/** A side of the canvas. */
export type Side = 'left' | 'right' | 'top' | 'bottom'

export interface Design {
  /** Every colour as the grey of its lightness, pictures included. Default false. */
  isGreyscale?: boolean
  /** A colour that nothing is drawn in. */
  without?: Colour
  /** Under the words. */
  background?: Colour
  /** The colour that leads. */
  primary?: Colour
  button?: Colour
  /** Of the words, wherever it can be read. */
  text?: Colour
  /** The brand is not drawn at all. Default false. */
  hasNoLogo?: boolean
  /** Times its usual height. Default 1. */
  logoScale?: number
  /** Within the words' column. Default: as the words. */
  logoAlign?: 'start' | 'middle' | 'end'
  /** Below the words rather than above them. Default false. */
  isLogoLow?: boolean
  /** Times their usual size. Default 1. */
  headlineScale?: number
  bodyScale?: number
  align?: 'start' | 'middle'
  /** Where words and button are in the free height: 0 at the top, 1 at the bottom. */
  at?: number
  /** The stage turned around, so that what was at the left or at the top is at the other end. */
  flip?: 'across' | 'down'
  /** Of a photo that fills the canvas, the side that the words are on. */
  side?: Side
  /** Nothing is drawn to be pressed. Default false. */
  hasNoButton?: boolean
}
