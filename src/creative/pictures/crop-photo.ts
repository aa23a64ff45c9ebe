// Prepares a photo for use with words (spec 4.2): cropped around what draws the eye to the areas that the layouts
// have for it, or placed whole on its own plain background, with the brightness and the amount of visual detail in
// each place.

import {
  LIGHT_CELLS,
  PHOTO_CROPS,
  type Photo,
  type PhotoCrop,
  type PhotoCropName,
} from '../layout-engine/ad-input.ts'
import { familyOf } from '../layout-engine/layouts/family.ts'
import { cropOf, photoArea, photoLayoutsOf } from '../layout-engine/layouts/photo-area.ts'
import { MAX_CROP_SIDE, MAX_PHOTO_SCALE } from '../limits.ts'
import type { ImageRequests } from '../message/image-requests.ts'
import { encodeImage } from './encode-image.ts'
import { decode, readSize } from './fit-image.ts'
import { lightestOf } from './lightest.ts'
import { type Backdrop, backdropOf } from './plain-backdrop.ts'
import { bestWindow, detailIn, keptIn, type SeenPhoto, seePhoto, type Window } from './salience.ts'
import { type Sharp, sharp } from './sharp.ts'

export interface CropPhoto {
  bytes: Uint8Array
  /** Of the canvas, in pixels. */
  width: number
  height: number
  /** Of one crop. */
  maxBytes: number
  /** Where the message says to crop. Default: around what draws the eye. */
  focus?: ImageRequests['focus'] | undefined
  /** The requested crops. Default: those of every layout that suits the canvas. */
  crops?: readonly PhotoCropName[]
}

export type CroppedPhoto = { ok: true; photo: Photo } | { ok: false; reason: string }

/** Every crop for which it is large enough; a photo that suits none is refused. */
export async function cropPhoto(options: CropPhoto): Promise<CroppedPhoto> {
  const size = await readSize(options.bytes)
  if (!size.ok) return size
  const seen = await seePhoto(options.bytes)
  if (!seen) return DAMAGED
  const focus = options.focus === 'attention' ? undefined : options.focus
  const backdrop = focus === undefined ? backdropOf(seen) : undefined
  const suited = photoLayoutsOf(familyOf(options.width, options.height)).map(cropOf)
  const wanted = options.crops ?? PHOTO_CROPS.filter((one) => suited.includes(one))
  const works = wanted
    // On its own background, a product is next to the words, whatever the layout.
    .filter((name) => !(backdrop && name === 'bleed'))
    .map((name) => workFor(name, { options: { ...options, focus }, size, seen, backdrop }))
    .filter(({ scale }) => scale <= MAX_PHOTO_SCALE)
  if (works.length === 0) return tooSmall(size)
  // Decoded once, at the size that the largest crop needs.
  const pixels = await pixelsOf(options.bytes, size, Math.max(...works.map((work) => work.scale)))
  if (!pixels) return DAMAGED
  const photo: Photo = {}
  for (const work of works) {
    const crop = await cropFor(work, pixels)
    if (!crop) return DAMAGED
    photo[work.name] = crop
  }
  if (photo.split && backdrop && suited.includes('bleed')) photo.bleed = photo.split
  return { ok: true, photo }
}

function tooSmall({ width, height }: Size): CroppedPhoto {
  const reason = `it is too small with ${width}x${height} pixels: it may be enlarged ${MAX_PHOTO_SCALE} times at most`
  return { ok: false, reason }
}

const DAMAGED = { ok: false, reason: 'it is damaged and cannot be decoded' } as const

interface Size {
  width: number
  height: number
}

/**
 * The largest window around what draws the eye or the requested place; `ratio` is the area's ratio of
 * width to height, relative to that of the photo.
 */
function windowFor({ map }: SeenPhoto, ratio: number, focus: CropPhoto['focus']): Window {
  const [width, height] = ratio >= 1 ? [1, 1 / ratio] : [ratio, 1]
  if (focus === undefined) return bestWindow(map, width, height)
  const at = (low: boolean, high: boolean, share: number) =>
    (1 - share) * (low ? 0 : high ? 1 : 0.5)
  const named = String(focus)
  return {
    x: at(/left|west/.test(named), /right|east/.test(named), width),
    y: at(/top|north/.test(named), /bottom|south/.test(named), height),
    width,
    height,
  }
}

interface CropContext {
  options: CropPhoto
  size: Size
  seen: SeenPhoto
  backdrop: Backdrop | undefined
}

interface CropWork extends CropContext {
  name: PhotoCropName
  /** In the pixels of the drawn size. */
  area: Size
  window: Window
  /** From the photo to the part of it that is drawn. */
  scale: number
}

/** The share of the area that a product may fill; the rest is space around it, more where a disc cuts corners. */
const PRODUCT_SHARE: Readonly<Record<PhotoCropName, number>> = {
  bleed: 0.84,
  split: 0.84,
  square: 0.7,
}

function workFor(name: PhotoCropName, context: CropContext): CropWork {
  const { options, size, seen, backdrop } = context
  const full = photoArea(name, options)
  const least = cropScale(full)
  const side = (pixels: number) => Math.max(1, Math.round(pixels * least))
  const area = { width: side(full.width), height: side(full.height) }
  const ratio = full.width / full.height / (size.width / size.height)
  const window = backdrop?.product ?? windowFor(seen, ratio, options.focus)
  const [across, down] = [
    area.width / (size.width * window.width),
    area.height / (size.height * window.height),
  ]
  const scale = backdrop ? Math.min(across, down) * PRODUCT_SHARE[name] : Math.max(across, down)
  return { ...context, name, area, window, scale }
}

interface Pixels {
  data: Buffer
  info: { width: number; height: number; channels: 1 | 2 | 3 | 4 }
}

function pixelsOf(bytes: Uint8Array, size: Size, scale: number): Promise<Pixels | undefined> {
  const side = (pixels: number) => Math.max(1, Math.ceil(pixels * Math.min(1, scale)))
  return decode(bytes)
    .resize({ width: side(size.width), height: side(size.height), fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => undefined)
}

async function cropFor(work: CropWork, pixels: Pixels): Promise<PhotoCrop | undefined> {
  const { name, options, area, seen, window, backdrop } = work
  const drawn = await drawWindow(work, pixels).raw().toBuffer({ resolveWithObject: true })
  const cropped = backdrop
    ? await onBackdrop(drawn, area, backdrop.colour)
    : sharp(drawn.data, { raw: drawn.info })
  const file = await encodeImage(cropped, { types: ['image/jpeg'], maxBytes: options.maxBytes })
  if (!file) return undefined
  return {
    dataUri: `data:image/jpeg;base64,${Buffer.from(file.bytes).toString('base64')}`,
    lightest: await lightestOf(cropped, LIGHT_CELLS),
    detail: detailIn(seen.map, window, LIGHT_CELLS),
    ...(backdrop
      ? { backdrop: backdrop.colour, filled: filledBy(drawn.info, area) }
      : { kept: keptIn(seen.map, window, name === 'square') }),
  }
}

function filledBy(product: Size, area: Size): number {
  return Math.round(((product.width * product.height) / (area.width * area.height)) * 100) / 100
}

/** Only the window, in the pixels of the displayed size. */
function drawWindow({ name, area, window, backdrop }: CropWork, { data, info }: Pixels): Sharp {
  const left = Math.min(info.width - 1, Math.floor(window.x * info.width))
  const top = Math.min(info.height - 1, Math.floor(window.y * info.height))
  const part = {
    left,
    top,
    width: Math.max(1, Math.min(info.width - left, Math.round(window.width * info.width))),
    height: Math.max(1, Math.min(info.height - top, Math.round(window.height * info.height))),
  }
  const share = backdrop ? PRODUCT_SHARE[name] : 1
  return sharp(data, { raw: info })
    .extract(part)
    .resize({
      width: Math.max(1, Math.round(area.width * share)),
      height: Math.max(1, Math.round(area.height * share)),
      fit: backdrop ? 'inside' : 'fill',
    })
}

function cropScale({ width, height }: Size): number {
  return Math.min(1, MAX_CROP_SIDE / Math.max(width, height))
}

/** The product in the middle of its background, with faded edges: no photo is quite even. */
async function onBackdrop({ data, info }: Pixels, area: Size, background: string): Promise<Sharp> {
  const rim = Math.max(1, Math.round(Math.min(info.width, info.height) * 0.04))
  const mask = Buffer.alloc(info.width * info.height)
  for (let y = 0; y < info.height; y++)
    for (let x = 0; x < info.width; x++) {
      const edge = Math.min(x, y, info.width - 1 - x, info.height - 1 - y)
      mask[y * info.width + x] = Math.round(255 * Math.min(1, edge / rim))
    }
  const faded = await sharp(data, { raw: info })
    .toColourspace('srgb')
    .joinChannel(mask, { raw: { width: info.width, height: info.height, channels: 1 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const whole = {
    width: Math.max(info.width, area.width),
    height: Math.max(info.height, area.height),
  }
  const { data: pixels, info: drawn } = await sharp({
    create: { ...whole, channels: 3, background },
  })
    .composite([{ input: faded, gravity: 'centre' }])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return sharp(pixels, { raw: drawn })
}
