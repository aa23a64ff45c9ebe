// What every part of one build works with: the material, and what was fetched for it.

import type { AdBrand, AdInput, AdOffering } from '../generation/ad-input.ts'
import type { ComposedAd } from '../generation/compose.ts'
import type { ImageOptions } from '../generation/draw-image.ts'
import type { GeneratedTexts } from '../generator/generator.ts'
import type { Material } from './material.ts'

/** The layout engine, as a build needs it. */
export interface AdEngine {
  composeAd(input: AdInput): ComposedAd
  drawImage(svg: string, options: ImageOptions): Promise<Buffer>
  /** A whole document; macros in `clickUrl` stay as they are. */
  composeHtml(ad: ComposedAd, options?: { clickUrl?: string }): string
}

export interface BuildJob {
  material: Material
  brand: AdBrand
  /** The logo's picture, as it was fetched. */
  logo: Uint8Array | undefined
  /** What is promoted: the first of the offerings. */
  offering: AdOffering | undefined
  /** The pictures of the manifest that could be fetched, by their address. */
  pictures: ReadonlyMap<string, Uint8Array>
  /** Words that a model wrote, if one was asked and answered. */
  words: GeneratedTexts | undefined
  /** Pictures that a model drew, by `width:height` of the shape they were wanted in. */
  drawings: ReadonlyMap<string, Uint8Array>
  /** What was done and what was not, for whoever reads the answer. */
  notes: readonly string[]
}
