// A photo made ready to stand with words (spec 4.2): cropped around what draws the eye to the area that
// each layout has for it, with how light it is in every place.

import {
  LIGHT_CELLS,
  PHOTO_LAYOUTS,
  type Photo,
  type PhotoCrop,
  type PhotoLayout,
} from '../layout-engine/ad-input.ts'
import { familyOf } from '../layout-engine/layouts/family.ts'
import { photoArea, photoLayoutsOf } from '../layout-engine/layouts/photo-area.ts'
import { MAX_CROP_SIDE, MAX_PHOTO_SCALE } from '../limits.ts'
import type { PictureWishes } from '../message/picture-wishes.ts'
import { encodeImage } from './encode-image.ts'
import { decode, readSize } from './fit-image.ts'
import { type Sharp, sharp } from './sharp.ts'

export interface CropPhoto {
  bytes: Uint8Array
  /** Of the canvas, in pixels. */
  width: number
  height: number
  /** Of one crop. */
  maxBytes: number
  /** Where the message says to crop. Default: around what draws the eye. */
  focus?: PictureWishes['focus'] | undefined
}

export type CroppedPhoto = { ok: true; photo: Photo } | { ok: false; reason: string }

/** For each layout whose area it is large enough for; a photo that suits none is refused. */
export async function cropPhoto(wish: CropPhoto): Promise<CroppedPhoto> {
  const size = await readSize(wish.bytes)
  if (!size.ok) return size
  const suited = photoLayoutsOf(familyOf(wish.width, wish.height))
  const photo: Photo = {}
  for (const layout of PHOTO_LAYOUTS.filter((one) => suited.includes(one))) {
    const area = photoArea(layout, wish)
    const scale = Math.max(area.width / size.width, area.height / size.height)
    if (scale > MAX_PHOTO_SCALE) continue
    const crop = await cropFor(layout, wish)
    if (!crop) return { ok: false, reason: 'it is damaged and cannot be decoded' }
    photo[layout] = crop
  }
  if (Object.keys(photo).length > 0) return { ok: true, photo }
  const { width, height } = size
  const reason = `it is too small with ${width}x${height} pixels: it may be enlarged ${MAX_PHOTO_SCALE} times at most`
  return { ok: false, reason }
}

async function cropFor(layout: PhotoLayout, wish: CropPhoto): Promise<PhotoCrop | undefined> {
  const area = photoArea(layout, wish)
  const scale = Math.min(1, MAX_CROP_SIDE / Math.max(area.width, area.height))
  const side = (pixels: number) => Math.max(1, Math.round(pixels * scale))
  const drawn = await decode(wish.bytes)
    .resize({
      width: side(area.width),
      height: side(area.height),
      fit: 'cover',
      position: wish.focus ?? 'attention',
    })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => undefined)
  if (!drawn) return undefined
  const { width, height, channels } = drawn.info
  const cropped = sharp(drawn.data, { raw: { width, height, channels } })
  const file = await encodeImage(cropped, { types: ['image/jpeg'], maxBytes: wish.maxBytes })
  if (!file) return undefined
  const dataUri = `data:image/jpeg;base64,${Buffer.from(file.bytes).toString('base64')}`
  return { dataUri, lightest: await lightestOf(cropped) }
}

/** Samples of a cell, in each direction. */
const SAMPLES = 4

async function lightestOf(picture: Sharp): Promise<string[]> {
  const side = LIGHT_CELLS * SAMPLES
  const { data, info } = await picture
    .clone()
    .resize({ width: side, height: side, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const lightest: string[] = []
  for (let cell = 0; cell < LIGHT_CELLS * LIGHT_CELLS; cell++) {
    const [row, column] = [Math.floor(cell / LIGHT_CELLS), cell % LIGHT_CELLS]
    let best = { light: -1, colour: '#ffffff' }
    for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
      const y = row * SAMPLES + Math.floor(sample / SAMPLES)
      const x = column * SAMPLES + (sample % SAMPLES)
      const at = (y * side + x) * info.channels
      const rgb = [0, 1, 2].map((one) => data[at + (one % info.channels)] ?? 255)
      const [red = 0, green = 0, blue = 0] = rgb
      const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      if (light > best.light) best = { light, colour: hexOf(rgb) }
    }
    lightest.push(best.colour)
  }
  return lightest
}

function hexOf(rgb: readonly number[]): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
