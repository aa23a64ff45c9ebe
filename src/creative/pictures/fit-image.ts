// Resizes a picture (spec 4.2): cropped around what matters, or placed whole on a background with the colour of its
// edge, and never distorted.

import type { OutputInfo, ResizeOptions } from 'sharp'
import type { NewAsset } from '../assets/asset-store.ts'
import { MAX_INPUT_PIXELS } from '../limits.ts'
import type { ImageRequests } from '../message/image-requests.ts'
import { type KeptPart, mayCutWords } from './cut-words.ts'
import { encodeImage } from './encode-image.ts'
import type { FileLimits } from './file-limits.ts'
import { type Sharp, sharp } from './sharp.ts'

export interface ImageTarget extends FileLimits {
  width: number
  height: number
}

export interface FitOptions {
  focus?: ImageRequests['focus'] | undefined
  keepsWhole: boolean
  background?: string | undefined
}

export type FittedImage =
  | ({
      ok: true
      way: 'scaled' | 'cropped' | 'padded'
      isEnlarged: boolean
      /** Whether a crop removed what may be words. */
      mayCutWords: boolean
    } & NewAsset)
  | { ok: false; reason: string }

/** If less than this share of the picture remains, cropping loses its subject. */
const LEAST_SHARE = 0.6

export async function fitImage(
  bytes: Uint8Array,
  target: ImageTarget,
  preferences: FitOptions,
): Promise<FittedImage> {
  const read = await readSize(bytes)
  if (!read.ok) return read
  const { width, height } = target
  const share = sharedRatio(read.width / read.height, width / height)
  const mayCrop = preferences.focus !== undefined || share >= LEAST_SHARE
  const isWhole = preferences.keepsWhole || !mayCrop
  const isSame = share > 0.995
  const way = isSame ? 'scaled' : isWhole ? 'padded' : 'cropped'
  const background =
    way === 'padded' ? (preferences.background ?? (await edgeColour(bytes))) : undefined
  const ground: ResizeOptions =
    background === undefined
      ? { fit: 'cover', position: preferences.focus ?? 'attention' }
      : { fit: 'contain', background }
  // Rendered once, so that each try at a smaller file does not decode and crop again.
  const drawn = await pixelsOf(decode(bytes).resize({ width, height, ...ground }))
  if (!drawn) return refuse('it is damaged and cannot be decoded')
  const { data, info } = drawn
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const plain = sharp(data, { raw })
  const { background: requested } = preferences
  const encoded = await encodeImage(
    requested ? plain.flatten({ background: requested }) : plain,
    target,
  )
  if (!encoded) return refuse(`it cannot be made smaller than ${target.maxBytes} bytes`)
  const isEnlarged = width > read.width * 1.5 && height > read.height * 1.5
  const kept =
    way === 'cropped' ? keptOf(read, { ...target, focus: preferences.focus }, info) : undefined
  const cutsWords = kept !== undefined && (await mayCutWords(decode(bytes), kept))
  return { ok: true, way, isEnlarged, mayCutWords: cutsWords, ...encoded }
}

/** What a crop kept: it fills the target, from one side of the picture or from the chosen offset. */
function keptOf(
  read: { width: number; height: number },
  { width, height, focus }: ImageTarget & Pick<FitOptions, 'focus'>,
  { cropOffsetLeft, cropOffsetTop }: OutputInfo,
): KeptPart {
  const scale = Math.max(width / read.width, height / read.height)
  const [across, down] = [read.width * scale, read.height * scale]
  const offset = (chosen: number | undefined, room: number, [first, last]: [string, string]) => {
    if (chosen !== undefined && chosen !== 0) return Math.abs(chosen)
    if (focus === first) return 0
    return focus === last ? room : chosen === undefined ? room / 2 : 0
  }
  const left = offset(cropOffsetLeft, across - width, ['left', 'right']) / across
  const top = offset(cropOffsetTop, down - height, ['top', 'bottom']) / down
  return { left, top, right: left + width / across, bottom: top + height / down }
}

function pixelsOf(picture: Sharp) {
  return picture
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => undefined)
}

export type ImageSize =
  | { ok: true; width: number; height: number; isAnimated: boolean }
  | { ok: false; reason: string }

/** The displayed size, read only from the header of the file. */
export async function readSize(bytes: Uint8Array): Promise<ImageSize> {
  const head = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  if (!head?.width || !head.height) return refuse('it is not an image that can be decoded')
  const height = head.pageHeight ?? head.height
  if (head.width * height > MAX_INPUT_PIXELS) {
    const megapixels = Math.round((head.width * height) / 1e6)
    return refuse(`it has ${megapixels} megapixels: at most ${MAX_INPUT_PIXELS / 1e6}`)
  }
  const isTurned = (head.orientation ?? 1) >= 5
  const isAnimated = (head.pages ?? 1) > 1
  return isTurned
    ? { ok: true, width: height, height: head.width, isAnimated }
    : { ok: true, width: head.width, height, isAnimated }
}

/** Only the first frame of an animated picture. */
export function decode(bytes: Uint8Array) {
  return sharp(bytes, {
    limitInputPixels: MAX_INPUT_PIXELS,
    failOn: 'error',
    pages: 1,
  }).autoOrient()
}

function sharedRatio(a: number, b: number): number {
  return Math.min(a / b, b / a)
}

const PROBE = 24

/** The mean colour of the outermost pixels; white if they are transparent. */
async function edgeColour(bytes: Uint8Array): Promise<string> {
  const raw = await decode(bytes)
    .resize({ width: PROBE, height: PROBE, fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer()
    .catch(() => Buffer.alloc(PROBE * PROBE * 3, 255))
  const sums = [0, 0, 0]
  let counted = 0
  for (let y = 0; y < PROBE; y++) {
    for (let x = 0; x < PROBE; x++) {
      if (x > 0 && y > 0 && x < PROBE - 1 && y < PROBE - 1) continue
      counted++
      for (const channel of [0, 1, 2]) {
        sums[channel] = (sums[channel] ?? 0) + (raw[(y * PROBE + x) * 3 + channel] ?? 0)
      }
    }
  }
  const hex = sums.map((sum) =>
    Math.round(sum / counted)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${hex.join('')}`
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}
