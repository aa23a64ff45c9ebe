// What a layout decides (a stage), and what comes of it when the texts have been set (a scene): from
// a scene both the picture and the HTML banner are written.

import type { AdTexts, Logo, Photo } from './ad-input.ts'
import type { Colour } from './colours.ts'
import type { Design } from './design.ts'
import type { Dice } from './dice.ts'
import type { SetText } from './fit-text.ts'
import type { Family } from './layouts/family.ts'
import type { Palette, Surface } from './palette.ts'
import type { Writing } from './shaping/writing.ts'

export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

/** What a layout may know. */
export interface Frame {
  width: number
  height: number
  family: Family
  /** Empty space along the edges, in pixels. */
  margin: number
  /** What sizes of type follow from: the side of a square of the same area. */
  unit: number
  palette: Palette
  dice: Dice
  content: AdContent
  /** What was requested. */
  design: Design
  photo?: Photo
}

export interface AdContent {
  texts: AdTexts
  brandName: string
  /** One or two letters that represent the brand; empty when it has no name. */
  initial: string
  logo?: Logo
  disclaimer: string
  writing: Writing
  /** Corners of the button, as a share of its height. */
  roundness: number
  /** Whether the call to action is an address to be read, and no button to be pressed. Default false. */
  isAddress?: boolean
}

/** A part of the canvas, one ground under all of it. */
interface Zone {
  box: Rect
  surface: Surface
}

/** A photo in its place, behind everything else. */
/** As SVG says which side of a picture stays. */
export type Focus = 'xMidYMid' | 'xMinYMid' | 'xMaxYMid' | 'xMidYMin' | 'xMidYMax'

export interface PlacedPhoto {
  box: Rect
  dataUri: string
  /** Of its corners, in pixels; half a side makes a disc. Default 0. */
  radius?: number
  /** The ground around a product that is displayed whole. Default: the photo fills its box. */
  backdrop?: Colour
  /** Which side of it stays where its box is of another shape, as SVG calls it. Default xMidYMid. */
  focus?: Focus
}

export interface Stage {
  photo?: PlacedPhoto
  /** Whether what of the photo lies at a place is under a shape. Default: nowhere. */
  hides?: (x: number, y: number) => boolean
  /** The other products of a grid. */
  products?: readonly PlacedPhoto[]
  /** SVG behind the photo. Default none. */
  under?: readonly string[]
  /** SVG, from back to front. Where a text may stand, only grounds that it can be read on. */
  shapes: string[]
  content: Zone
  align: Align
  /** Where the texts and the button are placed in the free height: 0 at the top, 1 at the bottom. */
  at: number
  /** Zones of their own; otherwise both are in `content`. */
  mark?: Zone
  action?: Zone
  /** Decoration that is left out where it would touch something. */
  confetti: Confetti[]
  /** How much larger than usual the headline is set. Default 1. */
  emphasis?: number
  /** How much of what there is to see in the photo the words would cover, 0 to 1. Default 0. */
  covers?: number
}

export interface Confetti {
  box: Rect
  shape: string
}

export type Align = 'start' | 'middle'

export const ROLES = ['brand', 'headline', 'description', 'call_to_action', 'disclaimer'] as const
export type Role = (typeof ROLES)[number]

/** One thing that a person reads or recognises. Parts never overlap. */
export interface Part {
  role: Role
  box: Rect
  /** SVG behind the text. */
  shapes: string[]
  texts: PlacedText[]
}

export interface PlacedText {
  set: SetText
  box: Rect
  align: Align
  fill: Colour
  /** What the text stands on. */
  ground: Colour
}

export interface Scene {
  width: number
  height: number
  writing: Writing
  /** Whether its pictures are drawn without colour. Default false. */
  isGreyscale?: boolean
  photo?: PlacedPhoto
  products?: readonly PlacedPhoto[]
  under?: readonly string[]
  shapes: string[]
  parts: Part[]
}
