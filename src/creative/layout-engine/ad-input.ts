// What an advertisement is made from (spec 2.4): a brand, what it offers, and what was requested in natural language.
// Everything that has to be fetched has been fetched before it comes here.

import type { ReadMessage } from '../message/read-message.ts'
import type { Design } from './design.ts'
import type { Wording } from './wording.ts'

export interface AdInput {
  brand: AdBrand
  offering?: AdOffering
  /** Instructions in plain words, as `build_creative` takes them. */
  message?: string
  /** The same as it was read. Default: the built-in reader reads it. */
  read?: ReadMessage
  /** Texts that are given word by word, and stand whatever the message says. Default none. */
  texts?: Partial<AdTexts>
  /** Pixels. */
  width: number
  height: number
  /** The longest text of each slot, in characters. Default: 60 (90 of a headline that is given), 140 and 20. */
  limits?: TextLimits
  /** The layout, where it can be had; default: one that the rest of the input decides. */
  layout?: LayoutName
  /** A photo, cropped for the layouts that show one with the words. Default none. */
  photo?: Photo
  /** Pixels along the edges where nothing is read, as on screens that cut them off. Default: what looks well. */
  safeMargin?: number
  /** Where it is seen. Default page. */
  setting?: Setting
  /** The address that stands on a screen. Default: the brand's. */
  landingPage?: string
  /** What was requested for its design. Default: nothing. */
  design?: Design
  /** What was requested for its words. Default: nothing. */
  wording?: Wording
  /** Another value gives another layout and other decoration. Default ''. */
  seed?: string
  /** Which of several that differ: in layout, in which colour leads, in what is said first. Default 0. */
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

/** Each as #RGB or #RRGGBB; another value counts as none. */
export interface BrandColours {
  primary?: string
  secondary?: string
  accent?: string
  background?: string
  text?: string
}

export interface Logo {
  /** PNG, JPEG, GIF or WebP in base64, as `readLogo` gives it; anything else counts as none. */
  dataUri: string
  width: number
  height: number
  /** Whether it needs a dark ground, as a white logo does. Default false. */
  isLight?: boolean
  /** The one colour that it brings along around it, as #rrggbb, where nothing of it is transparent. Default none. */
  ground?: string
  /** How dark and how light it is along its outline, as relative luminances. Default: what `isLight` says. */
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
 * bleed: the photo fills the canvas, the words stand on it. split: they stand beside each other. inset: the
 * photo is a plate on paper. wedge: a slanted panel cuts it. round: it is a disc. grid: several products.
 */
export const PHOTO_LAYOUTS = ['bleed', 'split', 'inset', 'wedge', 'round', 'grid'] as const
export type PhotoLayout = (typeof PHOTO_LAYOUTS)[number]
export type LayoutName = (typeof LAYOUTS)[number] | PhotoLayout

/** Of the whole canvas, of the part of it beside the words, and square: each layout takes one of them. */
export const PHOTO_CROPS = ['bleed', 'split', 'square'] as const
export type PhotoCropName = (typeof PHOTO_CROPS)[number]

/** Cropped to the areas that the layouts have for it at one size; a layout without its crop is not used. */
export type Photo = Partial<Record<PhotoCropName, PhotoCrop>> & {
  /** Square crops of several products, the first among them; a grid shows them. Default none. */
  products?: readonly PhotoCrop[]
}

export interface PhotoCrop {
  /** JPEG in base64, as `cropPhoto` gives it; anything else counts as none. */
  dataUri: string
  /** The lightest colour in each cell of a grid of LIGHT_CELLS x LIGHT_CELLS, row by row, as #rrggbb. */
  lightest: readonly string[]
  /** How much there is to see in each of the same cells, 0 to 1. Default: the same everywhere. */
  detail?: readonly number[]
  /** How much of what there is to see in the photo is left in the crop, 0 to 1. Default 1. */
  kept?: number
  /** The share of the area that a product displayed whole fills, 0 to 1. Default 1. */
  filled?: number
  /** The one colour that the product is placed on, as #rrggbb, where it is displayed whole. Default none. */
  backdrop?: string
}

export const LIGHT_CELLS = 24

/**
 * Where an advertisement is seen. page: it can be clicked. screen: in the street, where a web address replaces the
 * button. native: in a unit that displays the words itself, so that the picture has none.
 */
export type Setting = 'page' | 'screen' | 'native'
