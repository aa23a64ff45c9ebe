// What a logo is placed on: the background, the colour that surrounds the logo, or a plate where it would be lost.

import type { Logo } from './ad-input.ts'
import { type Colour, luminance, SHAPE_CONTRAST, WHITE } from './colours.ts'
import type { Surface } from './palette.ts'

/** The colour of its plate, which leaves some space on each side; undefined if it needs none. */
export function plateUnder(logo: Logo, { ground, darkest }: Surface): Colour | undefined {
  if (logo.ground !== undefined) return logo.ground === ground ? undefined : logo.ground
  const { tones } = logo
  if (tones === undefined) {
    const isDarkGround = luminance(ground) < 0.5
    if (isDarkGround === (logo.isLight ?? false)) return undefined
    return logo.isLight ? DARK : WHITE
  }
  const bare = Math.min(leastContrast(tones, ground), leastContrast(tones, darkest ?? ground))
  if (bare >= SHAPE_CONTRAST) return undefined
  const best = PLATES.reduce((a, b) => (leastContrast(tones, b) > leastContrast(tones, a) ? b : a))
  return leastContrast(tones, best) > bare ? best : undefined
}

const DARK = '#14161a'
/** The last is for logos with both dark and light parts. */
const PLATES = [WHITE, DARK, '#70757f'] as const

function leastContrast(tones: readonly number[], ground: Colour): number {
  const under = luminance(ground) + 0.05
  return Math.min(
    ...tones.map((tone) => Math.max(tone + 0.05, under) / Math.min(tone + 0.05, under)),
  )
}
