// What every part of one build works with. A build gathers it where the network is; it is composed in
// the workshop, which knows of the pictures only what they are, and draws one at a time.

import type { AdBrand, AdOffering } from '../layout-engine/ad-input.ts'
import type { GeneratedTexts } from '../model/generator.ts'
import type { PictureType } from '../pictures/read-picture.ts'
import type { Material } from './material.ts'

export interface Picture {
  bytes: Uint8Array
  media_type: PictureType
}

/** What was fetched for a build, and what a model gave. */
export interface Gathered {
  brand: AdBrand
  /** The logo's picture, as it was fetched. */
  logo: Picture | undefined
  /** The pictures of the manifest, by their address. */
  pictures: ReadonlyMap<string, Picture>
  /** Words that a model wrote, if one was asked and answered. */
  words: GeneratedTexts | undefined
  /** Pictures that a model drew, by `width:height` of the shape they were wanted in. */
  drawings: ReadonlyMap<string, Picture>
  /** What was done and what was not, for whoever reads the answer. */
  notes: readonly string[]
}

/** The same without the pictures themselves. */
export interface Known extends Pick<Gathered, 'brand' | 'words' | 'notes'> {
  logo: PictureType | undefined
  pictures: ReadonlyMap<string, PictureType>
  drawings: ReadonlyMap<string, PictureType>
}

export function knownOf({ brand, words, notes, logo, pictures, drawings }: Gathered): Known {
  const types = (all: ReadonlyMap<string, Picture>) =>
    new Map([...all].map(([key, { media_type }]) => [key, media_type]))
  return {
    ...{ brand, words, notes },
    logo: logo?.media_type,
    pictures: types(pictures),
    drawings: types(drawings),
  }
}

export interface BuildJob extends Known {
  material: Material
  offering: AdOffering | undefined
}
