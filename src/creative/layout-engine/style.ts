// The look of all sizes of one call: the layout without and with a photo, the colour that dominates, how loud the
// headline is, and the typeface. Chosen once from the brand and the words, or given, in part or by its name.

import {
  type AdInput,
  type AdStyle,
  GROUNDS,
  LAYOUTS,
  type LayoutName,
  PHOTO_TREATMENTS,
  SCALES,
} from './ad-input.ts'
import type { Dice } from './dice.ts'

/** As many multiples of the usual headline. */
export const SCALE_OF: Readonly<Record<AdStyle['scale'], number>> = {
  calm: 0.86,
  even: 1,
  loud: 1.14,
}

/** `layout-photo-ground-scale`, with which the same style can be requested again. */
export function styleName({ layout, photo, ground, scale }: AdStyle): string {
  return [layout, photo, ground, scale].join('-')
}

export function styleNamed(name: string): AdStyle | undefined {
  const [layout, photo, ground, scale, ...others] = name.split('-')
  const found = {
    layout: LAYOUTS.find((one) => one === layout),
    photo: PHOTO_TREATMENTS.find((one) => one === photo),
    ground: GROUNDS.find((one) => one === ground),
    scale: SCALES.find((one) => one === scale),
  }
  const isWhole = others.length === 0 && Object.values(found).every((one) => one !== undefined)
  return isWhole ? (found as AdStyle) : undefined
}

/** What is not given follows from the dice, which must not know the size. */
export function styleOf(
  { style = {}, variant = 0 }: Pick<AdInput, 'style' | 'variant'>,
  dice: Dice,
): AdStyle {
  const chosen: AdStyle = {
    layout: dice.pick(LAYOUTS),
    photo: dice.pick(PHOTO_TREATMENTS),
    ground: GROUNDS[variant % GROUNDS.length] as AdStyle['ground'],
    scale: 'even',
  }
  return { ...chosen, ...style }
}

/** Layouts on the same kind of background, which stand in for each other at sizes that one of them does not suit. */
const KIN: readonly (readonly LayoutName[])[] = [
  ['card', 'rings', 'aurora', 'poster', 'mosaic'],
  ['slant', 'frame'],
  ['bleed'],
  ['split', 'wedge', 'round'],
  ['inset'],
]

/** The layouts in the order in which they are tried: the chosen one, its kin, then the others. */
export function inStyle<T extends LayoutName>(layouts: readonly T[], chosen: LayoutName): T[] {
  const kin = KIN.find((group) => group.includes(chosen)) ?? []
  const rank = (name: T) => (name === chosen ? 0 : kin.includes(name) ? 1 : 2)
  return [...layouts].sort((a, b) => rank(a) - rank(b))
}
