// Makes one picture of a creative (spec 2.4, 4.2): drawn, or the request's own picture resized.

import type { NewAsset } from '../assets/asset-store.ts'
import { drawImage } from './draw-image.ts'
import { encodeImage } from './encode-image.ts'
import type { FileLimits } from './file-limits.ts'
import { type FitOptions, type FittedImage, fitImage, readSize } from './fit-image.ts'
import { sharp } from './sharp.ts'

export interface DrawPicture {
  from: { svg: string } | { bytes: Uint8Array; preferences: FitOptions; mayStay: boolean }
  /** Pixels. */
  width: number
  height: number
  limits: FileLimits
}

export type DrawnPicture =
  /** The request's own fits as it is. */
  | { ok: true; way: 'kept' }
  | { ok: true; way: 'drawn'; file: NewAsset }
  | {
      ok: true
      way: Extract<FittedImage, { ok: true }>['way']
      isEnlarged: boolean
      mayCutWords: boolean
      file: NewAsset
    }
  | { ok: false; reason: string }

export async function drawPicture(work: DrawPicture): Promise<DrawnPicture> {
  const { from, width, height, limits } = work
  if ('svg' in from) return drawSvg(from.svg, work)
  if (from.mayStay && (await fitsAsItIs(from.bytes, work))) return { ok: true, way: 'kept' }
  const fitted = await fitImage(from.bytes, { width, height, ...limits }, from.preferences)
  if (!fitted.ok) return fitted
  const { way, isEnlarged, mayCutWords, bytes, media_type } = fitted
  return { ok: true, way, isEnlarged, mayCutWords, file: { bytes, media_type } }
}

/** The sharpest file that the slot accepts; if it contains a photo, in a format that suits photos. */
async function drawSvg(svg: string, { width, height, limits }: DrawPicture): Promise<DrawnPicture> {
  const png = await drawImage(svg, { width, height, type: 'png' })
  if (limits.types[0] === 'image/png' && png.byteLength <= limits.maxBytes) {
    return { ok: true, way: 'drawn', file: { bytes: png, media_type: 'image/png' } }
  }
  const file = await encodeImage(sharp(png), limits)
  if (file) return { ok: true, way: 'drawn', file }
  const reason = `it takes at most ${limits.maxBytes} bytes, and no picture of ${width}x${height} is that small`
  return { ok: false, reason }
}

const MAGIC: readonly [number, string][] = [
  [0x89, 'image/png'],
  [0xff, 'image/jpeg'],
  [0x52, 'image/webp'],
  [0x47, 'image/gif'],
]

async function fitsAsItIs(bytes: Uint8Array, { width, height, limits }: DrawPicture) {
  const type = MAGIC.find(([first]) => bytes[0] === first)?.[1]
  if (!limits.types.some((allowed) => allowed === type)) return false
  if (bytes.byteLength > limits.maxBytes) return false
  const size = await readSize(bytes)
  return size.ok && size.width === width && size.height === height
}
