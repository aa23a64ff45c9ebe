// The colours of a brand as requested: another background, another dominant colour, or no colour at all. What is
// readable on them is derived from each background, as for the brand's own.

import type { BrandColours, Photo, PhotoCrop } from './ad-input.ts'
import { type Colour, contrast, isAlike, luminance, SHAPE_CONTRAST } from './colours.ts'
import type { Design } from './design.ts'
import type { Dice } from './dice.ts'
import { arranged, type Palette, paletteOf } from './palette.ts'

export function designedPalette(
  colours: BrandColours | undefined,
  { dice, variant, design }: { dice: Dice; variant: number; design: Design },
): Palette {
  const { primary, background, button, text, isGreyscale } = design
  const own =
    primary === undefined
      ? arranged(paletteOf(colours, dice), variant)
      : paletteOf({ ...colours, primary }, dice)
  let palette: Palette = { ...own }
  if (background !== undefined) palette = onBackground(palette, background)
  if (button !== undefined) palette.button = button
  if (text !== undefined) palette.text = text
  if (design.without !== undefined) palette = lacking(palette, design.without)
  return isGreyscale ? greyed(palette) : palette
}

/** Everything on this single colour; the brand's own colours are kept for what is drawn on it. */
function onBackground(palette: Palette, ground: Colour): Palette {
  const { primary, secondary, accent, ink } = palette
  const seen = (least: number) =>
    [secondary, accent, primary].find((colour) => contrast(colour, ground) >= least)
  return {
    ...palette,
    primary: ground,
    paper: ground,
    secondary: seen(MIN_SEEN) ?? ink,
    accent:
      [accent, primary, secondary].find((colour) => contrast(colour, ground) >= SHAPE_CONTRAST) ??
      ink,
  }
}

function lacking(palette: Palette, colour: Colour): Palette {
  const entries = Object.entries(palette).map(([role, own]) => [
    role,
    isAlike(own, colour) ? PLAIN : own,
  ])
  return Object.fromEntries(entries)
}

const PLAIN: Colour = '#4b5563'

/** For decoration, which does not have to be readable. */
const MIN_SEEN = 1.35

function greyed(palette: Palette): Palette {
  const entries = Object.entries(palette).map(([role, colour]) => [role, greyOf(colour)])
  return Object.fromEntries(entries)
}

/** A grey as light as the colour (WCAG 2.2), so that readable text remains readable. */
export function greyOf(colour: Colour): Colour {
  const light = luminance(colour)
  const value = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
  const pair = Math.round(Math.min(1, Math.max(0, value)) * 255)
    .toString(16)
    .padStart(2, '0')
  return `#${pair}${pair}${pair}`
}

/** Only the known colours; the pictures themselves are converted to grey where they are drawn. */
export function greyedPhoto({ products, ...crops }: Photo): Photo {
  const entries = Object.entries(crops).map(([name, crop]) => [name, greyedCrop(crop)])
  return {
    ...Object.fromEntries(entries),
    ...(products && { products: products.map(greyedCrop) }),
  }
}

function greyedCrop(crop: PhotoCrop): PhotoCrop {
  const { lightest, backdrop } = crop
  return {
    ...crop,
    lightest: lightest.map(greyOf),
    ...(backdrop !== undefined && { backdrop: greyOf(backdrop) }),
  }
}
