// The input of an advertisement (spec 2.4): a brand, what it offers, and what was requested in natural language.
// Everything that has to be fetched has already been fetched.

import type { ReadMessage } from '../message/read-message.ts'
import type { Design } from './design.ts'
import type { Wording } from './wording.ts'

export interface AdInput {
  brand: AdBrand
  offering?: AdOffering
  /** Instructions in natural language, as `build_creative` accepts them. */
  message?: string
  /** The same message, already read. Default: the built-in reader reads it. */
  read?: ReadMessage
  /** Texts given word for word, used whatever the message says. Default none. */
  texts?: Partial<AdTexts>
  /** Pixels. */
  width: number
  height: number
  /** The maximum length of each slot, in characters. Default: 60 (90 for a given headline), 140 and 20. */
  limits?: TextLimits
  /** The layout, if possible. Default: chosen from the rest of the input. */
  layout?: LayoutName
  /** A photo, cropped for the layouts that show one with text. Default none. */
  photo?: Photo
  /** Pixels along the edges without text, for screens that cut them off. Default: chosen for looks. */
  safeMargin?: number
  /** Where it is seen. Default page. */
  setting?: AdSetting
  /** The address displayed on a screen. Default: the brand's. */
  landingPage?: string
  /** Design requests. Default: none. */
  design?: Design
  /** Wording requests. Default: none. */
  wording?: Wording
  /** The look, as far as it is given. Default: chosen from the rest of the input, but not from the size. */
  style?: Partial<AdStyle>
  /** A different value gives a different layout and decoration. Default ''. */
  seed?: string
  /** Which of several variants, which differ in layout, dominant colour and opening text. Default 0. */
  variant?: number
}

export interface AdBrand {
  name?: string
  url?: string
  colors?: BrandColours
  /** The first is used. */
  logos?: readonly Logo[]
  tagline?: string
  tone?: string
  disclaimers?: readonly { text: string; required?: boolean }[]
}

/** Each as #RGB or #RRGGBB; other values are ignored. */
export interface BrandColours {
  primary?: string
  secondary?: string
  accent?: string
  background?: string
  text?: string
}

export interface Logo {
  /** PNG, JPEG, GIF or WebP in base64, as `readLogo` returns it; anything else is ignored. */
  dataUri: string
  width: number
  height: number
  /** Whether it needs a dark background, as a white logo does. Default false. */
  isLight?: boolean
  /** The single colour that surrounds it, as #rrggbb, if no part of it is transparent. Default none. */
  ground?: string
  /** How dark and how light it is along its outline, as relative luminances. Default: derived from `isLight`. */
  tones?: readonly [number, number]
}

export interface AdOffering {
  name: string
  description?: string
}

export interface TextLimits {
  headline?: number
  description?: number
  call_to_action?: number
}

export interface AdTexts {
  headline: string
  description: string
  call_to_action: string
}

export const LAYOUTS = ['aurora', 'mosaic', 'slant', 'rings', 'card', 'frame', 'poster'] as const
/**
 * bleed: the photo fills the canvas, with the words on it. split: photo and words are side by side. inset: the
 * photo is a plate on paper. wedge: a slanted panel cuts it. round: it is a disc. grid: several products.
 */
export const PHOTO_LAYOUTS = ['bleed', 'split', 'inset', 'wedge', 'round', 'grid'] as const
export type PhotoLayout = (typeof PHOTO_LAYOUTS)[number]
/** A grid is not chosen: it shows several products. */
export const PHOTO_TREATMENTS = ['bleed', 'split', 'inset', 'wedge', 'round'] as const
export type LayoutName = (typeof LAYOUTS)[number] | PhotoLayout

/** The brand's first colour, its second one, or the first as a dark one. */
export const GROUNDS = ['brand', 'second', 'deep'] as const
/** How large a headline is, relative to the rest. */
export const SCALES = ['calm', 'even', 'loud'] as const

/** What all sizes of one call have in common. */
export interface AdStyle {
  layout: (typeof LAYOUTS)[number]
  photo: (typeof PHOTO_TREATMENTS)[number]
  ground: (typeof GROUNDS)[number]
  scale: (typeof SCALES)[number]
}

/** Crops for the whole canvas, for the part beside the words, and square: each layout uses one of them. */
export const PHOTO_CROPS = ['bleed', 'split', 'square'] as const
export type PhotoCropName = (typeof PHOTO_CROPS)[number]

/** Cropped to the areas that the layouts have for it at one size; a layout without its crop is not used. */
export type Photo = Partial<Record<PhotoCropName, PhotoCrop>> & {
  /** Square crops of several products, the first among them; a grid shows them. Default none. */
  products?: readonly PhotoCrop[]
}

export interface PhotoCrop {
  /** JPEG in base64, as `cropPhoto` returns it; anything else is ignored. */
  dataUri: string
  /** The lightest colour in each cell of a grid of LIGHT_CELLS x LIGHT_CELLS, row by row, as #rrggbb. */
  lightest: readonly string[]
  /** The amount of visual detail in each of the same cells, 0 to 1. Default: the same everywhere. */
  detail?: readonly number[]
  /** The share of the photo's visual detail that is left in the crop, 0 to 1. Default 1. */
  kept?: number
  /** The share of the area that a completely visible product fills, 0 to 1. Default 1. */
  filled?: number
  /** The single background colour of a product that is completely visible, as #rrggbb. Default none. */
  backdrop?: string
}

export const LIGHT_CELLS = 24

/**
 * Where an advertisement is displayed. page: it can be clicked. screen: outdoors, where a web address replaces the
 * button. native: in a unit that displays the words itself, so that the picture has none.
 */
export type AdSetting = 'page' | 'screen' | 'native'
