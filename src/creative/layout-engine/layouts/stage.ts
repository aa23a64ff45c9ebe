// The layouts by name, and the order in which they are tried.

import {
  type AdStyle,
  LAYOUTS,
  type LayoutName,
  PHOTO_LAYOUTS,
  type Photo,
  type PhotoLayout,
} from '../ad-input.ts'
import type { Frame, Stage } from '../scene.ts'
import { inStyle } from '../style.ts'
import { aurora } from './aurora.ts'
import { bleed } from './bleed.ts'
import { card } from './card.ts'
import type { Family } from './family.ts'
import { frame } from './frame.ts'
import { grid } from './grid.ts'
import { inset } from './inset.ts'
import { mosaic } from './mosaic.ts'
import { cropOf, photoLayoutsOf } from './photo-area.ts'
import { poster } from './poster.ts'
import { rings } from './rings.ts'
import { round } from './round.ts'
import { slant } from './slant.ts'
import { split } from './split.ts'
import { wedge } from './wedge.ts'

const STAGES: Readonly<Record<LayoutName, (frame: Frame) => Stage>> = {
  aurora,
  mosaic,
  slant,
  rings,
  card,
  frame,
  poster,
  bleed,
  split,
  inset,
  wedge,
  round,
  grid,
}

export function isPhotoLayout(layout: LayoutName): layout is PhotoLayout {
  return PHOTO_LAYOUTS.some((name) => name === layout)
}

export function stageOf(layout: LayoutName, frame: Frame): Stage {
  return STAGES[layout](frame)
}

/** That of the style, and then those to try if it has no room for all words. */
export function layoutsFor(family: Family, { layout }: AdStyle): LayoutName[] {
  // A card needs height: on a strip it is chosen only by name.
  const all = family === 'strip' ? LAYOUTS.filter((name) => name !== 'card') : LAYOUTS
  return inStyle<LayoutName>(rotated(all, layout), layout)
}

/** The same for layouts with a photo that was cropped for them; several products are displayed together. */
export function photoLayoutsFor(family: Family, photo: Photo, style: AdStyle): LayoutName[] {
  const all = photoLayoutsOf(family).filter((name) => isEmbedded(photo[cropOf(name)]?.dataUri))
  const products = photo.products ?? []
  const isGrid = products.length > 1 && products.every(({ dataUri }) => isEmbedded(dataUri))
  const others = inStyle<PhotoLayout>(rotated(all, style.photo), style.photo)
  return isGrid ? ['grid', ...others] : others
}

/** Rotated to start with the chosen one, so that the order of the others also differs each time. */
function rotated<T extends LayoutName>(all: readonly T[], first: LayoutName): T[] {
  const at = Math.max(0, all.indexOf(first as T))
  return [...all.slice(at), ...all.slice(0, at)]
}

function isEmbedded(dataUri: string | undefined): boolean {
  return dataUri !== undefined && /^data:image\/jpeg;base64,[A-Za-z0-9+/]+=*$/.test(dataUri)
}
