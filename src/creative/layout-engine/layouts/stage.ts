// The layouts by name, and the choice among them.

import { LAYOUTS, type LayoutName, type Photo } from '../ad-input.ts'
import type { Dice } from '../dice.ts'
import type { Frame, Stage } from '../scene.ts'
import { aurora } from './aurora.ts'
import { bleed } from './bleed.ts'
import { card } from './card.ts'
import type { Family } from './family.ts'
import { mosaic } from './mosaic.ts'
import { photoLayoutsOf } from './photo-area.ts'
import { rings } from './rings.ts'
import { slant } from './slant.ts'
import { split } from './split.ts'

const STAGES: Readonly<Record<LayoutName, (frame: Frame) => Stage>> = {
  aurora,
  mosaic,
  slant,
  rings,
  card,
  bleed,
  split,
}

export function stageOf(layout: LayoutName, frame: Frame): Stage {
  return STAGES[layout](frame)
}

/** The one that the dice choose, and then those to try when it has no room for all words. */
export function layoutsFor(family: Family, dice: Dice): LayoutName[] {
  // A card needs height: on a strip it is chosen only by name.
  const all = family === 'strip' ? LAYOUTS.filter((name) => name !== 'card') : LAYOUTS
  const chosen = dice.pick(all)
  return [chosen, ...all.filter((name) => name !== chosen)]
}

/** The same of those that show a photo, for which it was cropped. */
export function photoLayoutsFor(family: Family, photo: Photo, dice: Dice): LayoutName[] {
  const all = photoLayoutsOf(family).filter((name) => isEmbedded(photo[name]?.dataUri))
  if (all.length === 0) return []
  const chosen = dice.pick(all)
  return [chosen, ...all.filter((name) => name !== chosen)]
}

function isEmbedded(dataUri: string | undefined): boolean {
  return dataUri !== undefined && /^data:image\/jpeg;base64,[A-Za-z0-9+/]+=*$/.test(dataUri)
}
