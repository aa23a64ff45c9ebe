// What an advertisement is made from (spec 2.4): a brand, what it offers, and what was asked for in
// plain words. Everything that has to be fetched has been fetched before it comes here.

export interface AdInput {
  brand: AdBrand
  offering?: AdOffering
  /** Instructions in plain words, as `build_creative` takes them. */
  message?: string
  /** Texts that are given word by word, and stand whatever the message says. Default none. */
  texts?: Partial<AdTexts>
  /** Pixels. */
  width: number
  height: number
  /** The longest text of each slot, in characters. Default: 60, 140 and 20. */
  limits?: TextLimits
  /** The layout; default: one that the rest of the input decides. */
  layout?: LayoutName
  /** A photo, cropped for the layouts that show one with the words. Default none. */
  photo?: Photo
  /** Pixels along the edges where nothing is read, as on screens that cut them off. Default: what looks well. */
  safeMargin?: number
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

/** Each as #RRGGBB; another value counts as none. */
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

export const LAYOUTS = ['aurora', 'mosaic', 'slant', 'rings', 'card'] as const
/** bleed: the photo fills the canvas, the words stand on it. split: they stand beside each other. */
export const PHOTO_LAYOUTS = ['bleed', 'split'] as const
export type PhotoLayout = (typeof PHOTO_LAYOUTS)[number]
export type LayoutName = (typeof LAYOUTS)[number] | PhotoLayout

/** Cropped to the area that each layout has for it at one size; a layout without a crop is not used. */
export type Photo = Partial<Record<PhotoLayout, PhotoCrop>>

export interface PhotoCrop {
  /** JPEG in base64, as `cropPhoto` gives it; anything else counts as none. */
  dataUri: string
  /** The lightest colour in each cell of a grid of LIGHT_CELLS x LIGHT_CELLS, row by row, as #rrggbb. */
  lightest: readonly string[]
}

export const LIGHT_CELLS = 24
