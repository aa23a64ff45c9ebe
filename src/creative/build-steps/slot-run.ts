// The input and ports for filling a slot (spec 4.2).

import { defined } from '../../lib/defined.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { Offering } from '../../protocol/schemas/promoted-offerings.ts'
import type { AdTexts } from '../layout-engine/ad-input.ts'
import type { Film } from '../video/draw-video.ts'
import type { SourceAsset } from './build-sources.ts'
import type { DraftAsset, DrawnText } from './draft.ts'
import type { BuildJob } from './job.ts'
import type { BuildSlot, PixelSize } from './slots.ts'

export interface SlotRun {
  job: BuildJob
  format: Format
  /** Words for the format, written within its limits. */
  texts(): AdTexts
  /** About one of several offerings if one is given, and then without the photo of another. */
  drawSvg(size: PixelSize, about?: Offering): DrawnMarkup
  writeHtml(slot: BuildSlot, size: PixelSize, clickUrl: string | undefined): DrawnMarkup
  drawFilm(slot: BuildSlot, url: string | undefined): DrawnFilm | undefined
  note(text: string): void
}

interface DrawnFilm extends Omit<DrawnMarkup, 'markup'> {
  film: Film
}

/** An SVG, or a document. */
export interface DrawnMarkup {
  markup: string
  /** Whether it contains a photo, and which asset of the request that is. */
  hasPhoto: boolean
  source?: SourceAsset
  /** What can be read in it. */
  words: readonly DrawnText[]
}

export type Filling = Pick<DraftAsset, 'content' | 'isCarried'> & {
  /** The words in what is drawn. Default: those of the content. */
  words?: readonly DrawnText[]
  hasPhoto?: boolean
  source?: SourceAsset
  /** Whether the source's text was too long for the slot. */
  isShortened?: boolean
  /** The part of the request that it replaces. */
  replaced?: SourceAsset
}

export function carry(slot: BuildSlot, source: SourceAsset): Filling {
  const asset_type = source.asset.asset_type ?? slot.type
  return { isCarried: true, source, content: { ...source.asset, asset_type } }
}

export function make(content: DraftAsset['content'], source?: SourceAsset): Filling {
  return { isCarried: false, content, ...defined({ source }) }
}
