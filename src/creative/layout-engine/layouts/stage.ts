// The layouts by name, and the choice among them.

import { LAYOUTS, type LayoutName } from '../ad-input.ts'
import type { Dice } from '../dice.ts'
import type { Frame, Stage } from '../scene.ts'
import { aurora } from './aurora.ts'
import { card } from './card.ts'
import type { Family } from './family.ts'
import { mosaic } from './mosaic.ts'
import { rings } from './rings.ts'
import { slant } from './slant.ts'

const STAGES: Readonly<Record<LayoutName, (frame: Frame) => Stage>> = {
  aurora,
  mosaic,
  slant,
  rings,
  card,
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
