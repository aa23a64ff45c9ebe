// The colours of one advertisement: those the brand gave, those derived where it gave none, and which of them can be
// used on which.

import type { BrandColours } from './ad-input.ts'
import {
  BLACK,
  type Colour,
  contrast,
  fromHsl,
  groundFor,
  luminance,
  mix,
  readableOn,
  readColour,
  SHAPE_CONTRAST,
  toHsl,
  turnHue,
  WHITE,
} from './colours.ts'
import type { Dice } from './dice.ts'

export interface Palette {
  primary: Colour
  secondary: Colour
  accent: Colour
  /** A light ground. */
  paper: Colour
  /** A dark text. */
  ink: Colour
  /** For words, where it is readable. Default: light or dark. */
  text?: Colour
  /** For buttons, where it is seen. Default: the accent. */
  button?: Colour
}

/** A background with the colours that are readable and visible on it. */
export interface Surface {
  ground: Colour
  /** The darkest colour in places, if the background is a photo. Default: the background. */
  darkest?: Colour
  text: Colour
  /** Secondary to `text`, with the contrast that small text requires. */
  quiet: Colour
  button: Colour
  label: Colour
}

export function paletteOf(colours: BrandColours | undefined, dice: Dice): Palette {
  const primary =
    readColour(colours?.primary) ?? groundFor(WHITE, fromHsl(dice.pick(OWN_HUES), 0.68, 0.42))
  const { hue, saturation } = toHsl(primary)
  const isSingle = colours?.primary !== undefined && readColour(colours.accent) === undefined
  const secondary =
    readColour(colours?.secondary) ?? (isSingle ? shadeOf(primary) : companion(primary))
  const paper = readColour(colours?.background) ?? mix(WHITE, primary, 0.05)
  return {
    primary,
    secondary,
    accent: readColour(colours?.accent) ?? secondary,
    // A brand may be dark throughout; small text is not readable on a colour that is neither light nor dark.
    paper: isExtreme(paper) ? paper : mix(WHITE, primary, 0.05),
    ink: darkText(readColour(colours?.text), fromHsl(hue, Math.min(saturation, 0.45), 0.12)),
  }
}

/** The same colours in other roles: the second dominates, or the first as a dark one. */
export function arranged(palette: Palette, variant: number): Palette {
  const { primary, secondary, accent } = palette
  switch (variant % 3) {
    case 1:
      return {
        ...palette,
        primary: secondary,
        secondary: primary,
        accent: other(accent, secondary, primary),
      }
    case 2:
      return { ...palette, primary: mix(primary, palette.ink, 0.6), secondary: primary }
    default:
      return palette
  }
}

/** An accent in the colour that now dominates would not be visible. */
function other(accent: Colour, leading: Colour, otherwise: Colour): Colour {
  return accent === leading ? otherwise : accent
}

export function surfaceOn(ground: Colour, palette: Palette): Surface {
  const { ink, text: wanted } = palette
  const text = readableOn([ground], wanted ? [wanted, WHITE, ink] : [WHITE, ink])
  const button =
    buttonColours(palette).find(
      (colour) => contrast(colour, ground) >= SHAPE_CONTRAST && colour !== ground,
    ) ?? text
  return {
    ground,
    text,
    quiet: readableOn([ground], [mix(text, ground, 0.18), mix(text, ground, 0.08), text]),
    button,
    label: readableOn([button], [WHITE, palette.ink, palette.primary]),
  }
}

export function buttonColours({ button, accent, secondary, primary }: Palette): Colour[] {
  return [...(button ? [button] : []), accent, secondary, primary]
}

/** A background next to `ground` on which the same text is readable, closer to the given colour. */
export function neighbour(surface: Surface, options: Colour, share: number): Colour {
  return groundFor(surface.quiet, groundFor(surface.text, mix(surface.ground, options, share)))
}

// Hues that look deliberate with white text: blue, violet, magenta, red, green, teal.
const OWN_HUES = [222, 262, 328, 4, 152, 186]

function isExtreme(colour: Colour): boolean {
  return contrast(colour, BLACK) > 10 || contrast(colour, WHITE) > 10
}

/** For a brand with one colour: the same hue, clearly lighter or darker, and no foreign colour. */
function shadeOf(primary: Colour): Colour {
  const { hue, saturation } = toHsl(primary)
  if (luminance(primary) > 0.4) return fromHsl(hue, saturation * 0.8, 0.2)
  return fromHsl(hue, saturation < 0.12 ? saturation : Math.max(0.35, saturation * 0.8), 0.86)
}

/** A colour that matches the primary: a neighbouring hue with a clearly different lightness. */
function companion(primary: Colour): Colour {
  const { hue, saturation, lightness } = toHsl(primary)
  if (saturation < 0.12) return fromHsl(24, 0.9, 0.56)
  const turned = toHsl(turnHue(primary, hue > 40 && hue < 200 ? -40 : 40))
  return fromHsl(turned.hue, Math.max(0.55, saturation), lightness > 0.5 ? 0.3 : 0.64)
}

function darkText(options: Colour | undefined, otherwise: Colour): Colour {
  return options !== undefined && contrast(options, WHITE) >= 10 ? options : otherwise
}
