// A stage is what a layout decides, and a scene is the result once the texts have been set. Both the picture and the
// HTML banner are generated from a scene.

import type { AdTexts, Logo, Photo } from './ad-input.ts'
import type { Colour } from './colours.ts'
import type { Design } from './design.ts'
import type { Dice } from './dice.ts'
import type { SetText } from './fit-text.ts'
import type { Family } from './layouts/family.ts'
import type { Offer } from './offer.ts'
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
  /** The base for type sizes: the side of a square with the same area. */
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
  /** The offer that the texts make, drawn apart where there is room. Default none. */
  offer?: Offer
  disclaimer: string
  writing: Writing
  /** Corner radius of the button, as a share of its height. */
  roundness: number
  /** Whether the call to action is an address to read instead of a button to press. Default false. */
  isAddress?: boolean
}

/** A part of the canvas with a single background. */
interface Zone {
  box: Rect
  surface: Surface
}

/** A photo in its place, behind everything else. */
/** The side of a picture to keep, in SVG notation. */
export type Focus = 'xMidYMid' | 'xMinYMid' | 'xMaxYMid' | 'xMidYMin' | 'xMidYMax'

export interface PlacedPhoto {
  box: Rect
  dataUri: string
  /** Corner radius, in pixels; half a side makes a disc. Default 0. */
  radius?: number
  /** The background around a completely visible product. Default: the photo fills its box. */
  backdrop?: Colour
  /** The side to keep if its box has another shape, in SVG notation. Default xMidYMid. */
  focus?: Focus
}

export interface Stage {
  photo?: PlacedPhoto
  /** Whether the part of the photo at a point is under a shape. Default: nowhere. */
  hides?: (x: number, y: number) => boolean
  /** The other products of a grid. */
  products?: readonly PlacedPhoto[]
  /** SVG behind the photo. Default none. */
  under?: readonly string[]
  /** SVG, from back to front. Where there may be text, only backgrounds on which it is readable. */
  shapes: string[]
  content: Zone
  align: Align
  /** Where the texts and the button are placed in the free height: 0 at the top, 1 at the bottom. */
  at: number
  /** Separate zones; otherwise both are in `content`. */
  mark?: Zone
  action?: Zone
  /** Decoration that is omitted if it would touch something. */
  confetti: Confetti[]
  /** Whether its background is as tall as the words, so that they do not grow to fill it. Default false. */
  isSnug?: boolean
  /** How much larger than usual the headline is set. Default 1. */
  emphasis?: number
  /** The share of the photo's visual detail that the words would cover, 0 to 1. Default 0. */
  covers?: number
}

export interface Confetti {
  box: Rect
  shape: string
}

export type Align = 'start' | 'middle'

export const ROLES = [
  'brand',
  'headline',
  'offer',
  'description',
  'call_to_action',
  'disclaimer',
] as const
export type SceneRole = (typeof ROLES)[number]

/** One thing that a person reads or recognises. Parts never overlap. */
export interface Part {
  role: SceneRole
  box: Rect
  /** SVG behind the text. */
  shapes: string[]
  texts: PlacedText[]
  /** What its texts say together, as it was written. Default: its last text. */
  said?: string
}

/** The words of a part; '' for a logo. */
export function saidBy(part: Part | undefined): string {
  return part?.said ?? part?.texts.at(-1)?.set.text ?? ''
}

/** What the part with a role says; the offer is a part of the description. */
export function saidIn(parts: readonly Part[], role: SceneRole): string {
  const said = (one: SceneRole) => saidBy(parts.find((part) => part.role === one))
  if (role !== 'description') return said(role)
  return [said('offer'), said('description')].filter((text) => text !== '').join(' ')
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
