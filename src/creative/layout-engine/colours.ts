// Colours as #rrggbb, and the WCAG 2.2 contrast between two of them, with ways to repair it.

export type Colour = string

/** Contrast of small text on its background (WCAG 1.4.3). */
export const TEXT_CONTRAST = 4.5
/** Contrast of a control on its background (WCAG 1.4.11). */
export const SHAPE_CONTRAST = 3

export const WHITE: Colour = '#ffffff'
export const BLACK: Colour = '#000000'

const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/

/**
 * Converts #RGB or #RRGGBB to lower-case #rrggbb; undefined for anything else. A fourth channel (opacity) is ignored.
 */
export function readColour(value: unknown): Colour | undefined {
  const hex = typeof value === 'string' ? value.toLowerCase() : ''
  if (!HEX.test(hex)) return undefined
  if (hex.length > 5) return hex.slice(0, 7)
  return `#${[...hex.slice(1, 4)].map((digit) => digit + digit).join('')}`
}

export function contrast(a: Colour, b: Colour): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** Mixes a `share` of `other`, from 0 to 1, into `colour`. */
export function mix(colour: Colour, other: Colour, share: number): Colour {
  const to = channels(other)
  return toHex(channels(colour).map((value, i) => value + ((to[i] as number) - value) * share))
}

/** The first preferred colour that is readable on every background, else black or white. */
export function readableOn(grounds: readonly Colour[], preferences: readonly Colour[]): Colour {
  const worst = (colour: Colour) => Math.min(...grounds.map((ground) => contrast(colour, ground)))
  const requested = preferences.find((colour) => worst(colour) >= TEXT_CONTRAST)
  if (requested !== undefined) return requested
  return worst(WHITE) >= worst(BLACK) ? WHITE : BLACK
}

/** The colour, moved away from the text colour only as far as the text needs to be readable on it. */
export function groundFor(text: Colour, colour: Colour): Colour {
  const away = luminance(text) > 0.18 ? BLACK : WHITE
  for (let share = 0; share < 1; share += 0.02) {
    const ground = mix(colour, away, share)
    if (contrast(ground, text) >= TEXT_CONTRAST) return ground
  }
  return away
}

/** The colour with its hue rotated by some degrees and its saturation kept above a minimum. */
export function turnHue(colour: Colour, degrees: number): Colour {
  const { hue, saturation, lightness } = toHsl(colour)
  return fromHsl((hue + degrees + 360) % 360, saturation, lightness)
}

/** Where the hues of red, orange, yellow, green, blue, purple and pink end, in degrees. */
const HUES = [15, 42, 68, 172, 255, 295, 345] as const

/** Whether people use one name for both: same hue, or both without a hue and about equally light. */
export function isAlike(one: Colour, other: Colour): boolean {
  const [a, b] = [toHsl(one), toHsl(other)]
  const isPlain = ({ saturation, lightness }: typeof a) =>
    saturation < 0.16 || lightness < 0.06 || lightness > 0.97
  if (isPlain(a) || isPlain(b)) {
    return isPlain(a) === isPlain(b) && Math.abs(a.lightness - b.lightness) < 0.14
  }
  const named = ({ hue }: typeof a) =>
    Math.max(
      0,
      HUES.findIndex((end) => hue < end),
    )
  return named(a) === named(b)
}

export function luminance(colour: Colour): number {
  const [red, green, blue] = channels(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function fromHsl(hue: number, saturation: number, lightness: number): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return toHex([channel(0), channel(8), channel(4)])
}

export function toHsl(colour: Colour): { hue: number; saturation: number; lightness: number } {
  const [red, green, blue] = channels(colour).map((value) => value / 255) as [
    number,
    number,
    number,
  ]
  const max = Math.max(red, green, blue)
  const min = Math.min(red, green, blue)
  const range = max - min
  const lightness = (max + min) / 2
  if (range === 0) return { hue: 0, saturation: 0, lightness }
  const sixth =
    max === red
      ? (green - blue) / range
      : max === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4
  const saturation = range / (1 - Math.abs(2 * lightness - 1))
  return { hue: (sixth * 60 + 360) % 360, saturation, lightness }
}

function channels(colour: Colour): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}

function toHex(values: readonly number[]): Colour {
  const pair = (value: number) =>
    Math.min(255, Math.max(0, Math.round(value)))
      .toString(16)
      .padStart(2, '0')
  return `#${values.map(pair).join('')}`
}
