// Prepares a fetched logo for use: a PNG of sensible size, without empty borders, with information about the
// background that it needs.

import { defined } from '../../lib/defined.ts'
import type { Logo } from '../layout-engine/ad-input.ts'
import { MAX_LOGO_PIXELS } from '../limits.ts'
import { groundOf, outlineOf, pixelsOf } from './logo-outline.ts'
import type { PictureSource } from './picture-source.ts'
import { type PictureType, readPicture } from './read-picture.ts'
import { sharp } from './sharp.ts'

/** Longest side, in pixels: enough for every size that is drawn. */
const LONGEST = 800

export type ReadLogo =
  | {
      ok: true
      logo: Logo
      media_type: PictureType
      /** Set if the picture differs from the input: drawn, or extracted from its URL. */
      bytes?: Uint8Array
    }
  | { ok: false; reason: string }

export async function readLogoPicture(source: PictureSource, maxBytes: number): Promise<ReadLogo> {
  const picture = await readPicture(source, maxBytes)
  if (!picture.ok) return picture
  const { media_type, bytes = 'bytes' in source ? source.bytes : undefined } = picture
  const logo = bytes && (await readLogo(bytes))
  if (!logo) return { ok: false, reason: 'it cannot be decoded' }
  return {
    ok: true,
    logo,
    media_type,
    ...defined({ bytes: picture.bytes ? picture.bytes : undefined }),
  }
}

/** PNG, JPEG, WebP, GIF or SVG. Undefined when it cannot be read, or shows nothing. @internal */
export async function readLogo(bytes: Uint8Array): Promise<Logo | undefined> {
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_LOGO_PIXELS, density: 300 })
      .resize(LONGEST, LONGEST, { fit: 'inside', withoutEnlargement: true })
      .ensureAlpha()
    const whole = await image.png().toBuffer()
    const ground = groundOf(await pixelsOf(whole))
    const trimmed = await sharp(whole).trim().png().toBuffer()
    const pixels = await pixelsOf(trimmed)
    const tones = ground === undefined ? outlineOf(pixels) : undefined
    return {
      dataUri: `data:image/png;base64,${trimmed.toString('base64')}`,
      width: pixels.info.width,
      height: pixels.info.height,
      isLight: isLight(pixels.data, pixels.info.channels),
      ...defined({ ground, tones }),
    }
  } catch {
    // The third-party server did not send a picture: the name replaces the logo.
    return undefined
  }
}

/** Whether its visible part is nearly white on average. */
function isLight(pixels: Buffer, channels: number): boolean {
  let [sum, weight] = [0, 0]
  for (let at = 0; at < pixels.length; at += channels) {
    const alpha = channels === 4 ? (pixels[at + 3] as number) : 255
    const grey =
      0.2126 * (pixels[at] as number) +
      0.7152 * (pixels[at + 1] as number) +
      0.0722 * (pixels[at + 2] as number)
    sum += grey * alpha
    weight += alpha
  }
  // A logo with its own opaque background never needs another.
  const isOpaque = weight / 255 > (pixels.length / channels) * 0.98
  return !isOpaque && weight > 0 && sum / weight > 175
}
