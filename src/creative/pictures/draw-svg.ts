// A third-party SVG as a picture. It is never passed on unchanged, because it can contain scripts and URLs; an SVG
// that would take too long is refused before it is drawn.

import { MAX_INPUT_PIXELS } from '../limits.ts'
import { sharp } from './sharp.ts'
import { tooCostlySvg } from './svg-cost.ts'
import { DRAWN_SIDE } from './svg-filters.ts'

/** A PNG, or why it is not drawn. */
export async function drawSvg(bytes: Buffer): Promise<Buffer | string> {
  const text = bytes.toString('utf8')
  if (isUnsafeSvg(text)) {
    return 'it is an SVG with scripts, entities, addresses or styles from outside'
  }
  const tooCostly = tooCostlySvg(text)
  if (tooCostly !== undefined) return `it is an SVG that is too complex to draw: ${tooCostly}`
  const drawn = await sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, density: 144 })
    .resize({ width: DRAWN_SIDE, height: DRAWN_SIDE, fit: 'inside' })
    .png()
    .toBuffer()
    .catch(() => undefined)
  return drawn ?? 'it is an SVG that cannot be drawn'
}

/** Entities, scripts, foreign markup, style sheets and external URLs. */
const UNSAFE = [
  /<!(?:ENTITY|DOCTYPE)/i,
  /<\s*(?:script|foreignObject|iframe|image|feImage)/i,
  /\bon\w+\s*=/i,
  /@import/i,
  /href\s*=\s*["']\s*[^\s#]/i,
  /url\([\s"']*[^\s"'#]/i,
]

/** @internal */
export function isUnsafeSvg(text: string): boolean {
  return UNSAFE.some((pattern) => pattern.test(text))
}
