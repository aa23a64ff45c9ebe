// What every part of one build works with. A build gathers it where the network is available; it is composed in the
// worker pool, which only has a description of the pictures, and draws one at a time.

import type { ReadInstruction } from '../directions/read-instructions.ts'
import type { AdBrand, AdOffering, Photo } from '../layout-engine/ad-input.ts'
import type { BrandFont } from '../layout-engine/shaping/brand-fonts.ts'
import type { GivenReading } from '../message/reading/given-roles.ts'
import type { MessageSpan } from '../message/reading/spans.ts'
import type { GeneratedTexts } from '../model/generator.ts'
import type { PictureType } from '../pictures/read-picture.ts'
import type { VideoContainer } from '../video/video-encoder.ts'
import type { BuildSources } from './build-sources.ts'
import type { BuildInput } from './guard-build.ts'

export interface Picture {
  bytes: Uint8Array
  media_type: PictureType
}

export interface GatheredPhoto {
  url: string
  /** Cropped, keyed by `width`x`height` of the drawing that contains it. */
  crops: ReadonlyMap<string, Photo>
}

/** What was fetched for a build, and what a model returned. */
export interface Gathered {
  brand: AdBrand
  /** The logo's picture, as it was fetched. */
  logo: Picture | undefined
  /** The pictures of the manifest, by URL. */
  pictures: ReadonlyMap<string, Picture>
  /** The sound for videos, as it was fetched. */
  sound: Uint8Array | undefined
  /** How a model read the message, if one did. Default: the built-in reader does. */
  reading?: GivenReading | undefined
  /** Words that a model wrote, if one was called and answered. */
  words: GeneratedTexts | undefined
  /** Pictures that a model drew, by `width:height` of the requested shape. */
  drawings: ReadonlyMap<string, Picture>
  /** The photo next to the words, if there is one. */
  photo: GatheredPhoto | undefined
  /** The brand's own fonts; empty if none of them can be used. */
  fonts: readonly BrandFont[]
  /** What was done and what was not, for readers of the answer. */
  notes: readonly string[]
}

/** The same without the pictures themselves. */
export interface Known
  extends Pick<Gathered, 'brand' | 'reading' | 'words' | 'notes' | 'photo' | 'fonts'> {
  logo: PictureType | undefined
  pictures: ReadonlyMap<string, PictureType>
  drawings: ReadonlyMap<string, PictureType>
}

export function knownOf({ logo, pictures, drawings, sound: _, ...others }: Gathered): Known {
  const types = (all: ReadonlyMap<string, Picture>) =>
    new Map([...all].map(([key, { media_type }]) => [key, media_type]))
  return {
    ...others,
    logo: logo?.media_type,
    pictures: types(pictures),
    drawings: types(drawings),
  }
}

/** For fonts that passed the first check and still crash text layout. */
export function withoutFonts<Job extends Known>(job: Job): Job {
  const note = 'the fonts of the brand were left out: nothing could be set in them'
  return { ...job, fonts: [], notes: [...job.notes, note] }
}

export interface BuildJob extends Known {
  /** What videos can be made as here. */
  containers: readonly VideoContainer[]
  material: BuildSources
  /** The parts of everything that the material says. */
  spans: readonly MessageSpan[]
  /** The same from the built-in reader, if a model has read the message: no figure of either is dropped silently. */
  otherSpans: readonly MessageSpan[]
  /** The words that may be printed. */
  input: () => BuildInput
  offering: AdOffering | undefined
  /** Those of the request, read. */
  instructions: readonly ReadInstruction[]
  /** The variant of its format, from 0. */
  variant: number
}
