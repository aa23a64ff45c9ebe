// What a logo looks like where it meets the background: the colour that surrounds it, or how dark and how light its
// outline is.

import { luminance } from '../layout-engine/colours.ts'
import { sharp } from './sharp.ts'

export interface LogoPixels {
  data: Buffer
  info: { width: number; height: number; channels: number }
}

/** Four bytes each. */
export function pixelsOf(png: Buffer): Promise<LogoPixels> {
  return sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
}

/** The colour of its corners, as #rrggbb, if they share one and nothing is transparent. */
export function groundOf({ data, info: { width, height } }: LogoPixels): string | undefined {
  let seen = 0
  for (let at = 3; at < data.length; at += 4) if ((data[at] as number) > 250) seen++
  if (seen < width * height * 0.98) return undefined
  const last = width * height - 1
  const [first = [], ...others] = [0, width - 1, last - width + 1, last].map((pixel) => [
    ...data.subarray(pixel * 4, pixel * 4 + 3),
  ])
  const isOne = others.every((corner) =>
    corner.every((value, channel) => Math.abs(value - (first[channel] as number)) <= NEAR),
  )
  return isOne ? hexOf(first) : undefined
}

/** How far channels may differ in what a viewer sees as one colour; JPEG does not preserve it exactly. */
const NEAR = 12

/** Relative luminances of the darkest and the lightest tenth along the outline, next to empty space. */
export function outlineOf({ data, info }: LogoPixels): [number, number] | undefined {
  const { width, height } = info
  const isSeen = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < width && y < height && (data[(y * width + x) * 4 + 3] as number) > 128
  const tones: number[] = []
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const isInner = isSeen(x - 1, y) && isSeen(x + 1, y) && isSeen(x, y - 1) && isSeen(x, y + 1)
      if (!isSeen(x, y) || isInner) continue
      const at = (y * width + x) * 4
      tones.push(luminance(hexOf([...data.subarray(at, at + 3)])))
    }
  if (tones.length === 0) return undefined
  tones.sort((a, b) => a - b)
  const at = (share: number) => tones[Math.floor((tones.length - 1) * share)] as number
  return [at(0.1), at(0.9)]
}

function hexOf(channels: readonly number[]): string {
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
