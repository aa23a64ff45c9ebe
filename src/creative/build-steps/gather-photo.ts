// The photo next to the words of a creative (spec 4.2): the first one that can be fetched and is large enough,
// cropped for everything that will be drawn. One that cannot be used only causes a note.

import { defined } from '../../lib/defined.ts'
import { isTooCostly } from '../../lib/worker-pool/worker-pool-error.ts'
import type { CreativeWorkerPool, OnBehalf } from '../jobs/creative-worker-pool.ts'
import { costOf } from '../jobs/too-costly.ts'
import type { Photo, PhotoCrop } from '../layout-engine/ad-input.ts'
import { MAX_PHOTOS, MAX_PICTURE_BYTES } from '../limits.ts'
import type { CropPhoto } from '../pictures/crop-photo.ts'
import { fetchImage, type ImageSources } from './fetch-image.ts'
import type { GatheredPhoto, Picture } from './job.ts'
import { type PhotoPlan, photoKey } from './photos.ts'

export interface PhotoGathering {
  ports: ImageSources & { workerPool: CreativeWorkerPool }
  by: OnBehalf & { signal: AbortSignal }
  note: (text: string) => void
  /** Pictures of the manifest that are already fetched. */
  pictures: ReadonlyMap<string, Picture>
}

export async function gatherPhoto(
  plan: PhotoPlan,
  ofBrand: readonly string[],
  gathering: PhotoGathering,
): Promise<GatheredPhoto | undefined> {
  if (plan.sizes.length === 0) return undefined
  const candidates = [...new Set([...plan.candidates, ...ofBrand])].slice(0, MAX_PHOTOS)
  for (const [index, url] of candidates.entries()) {
    const reported = candidates.length === 1 ? 'the photo' : `photo ${index + 1}`
    const bytes = await bytesAt(url, gathering)
    if (!bytes.ok) {
      gathering.note(`${reported} was left out: ${bytes.reason}`)
      continue
    }
    const crops = await cropsOf(bytes.bytes, plan, {
      ...gathering,
      report: (where, reason) => gathering.note(`${reported} was left out of ${where}: ${reason}`),
    })
    if (crops.size === 0) continue
    const isPromoted = url === plan.products[0]
    return { url, crops: isPromoted ? await withProducts(crops, plan, gathering) : crops }
  }
  return undefined
}

/** Adds the pictures of the other offerings to that of the promoted one, in every size that has all of them. */
async function withProducts(
  crops: ReadonlyMap<string, Photo>,
  plan: PhotoPlan,
  gathering: PhotoGathering,
): Promise<Map<string, Photo>> {
  const others: (readonly PhotoCrop[])[] = []
  for (const [index, url] of plan.products.slice(1).entries()) {
    const report = (reason: string) =>
      gathering.note(`the picture of offering ${index + 2} was left out: ${reason}`)
    const bytes = await bytesAt(url, gathering)
    if (!bytes.ok) {
      report(bytes.reason)
      continue
    }
    const squares = { ...plan, crops: ['square'] as const }
    const found = await cropsOf(bytes.bytes, squares, {
      ...gathering,
      report: (_, reason) => report(reason),
    })
    others.push(plan.sizes.map((size) => found.get(photoKey(size))?.square).filter(isThere))
  }
  const whole = others.filter(({ length }) => length === plan.sizes.length)
  return new Map(
    plan.sizes.flatMap((size, index) => {
      const photo = crops.get(photoKey(size))
      if (!photo) return []
      const products = [photo.square, ...whole.map((one) => one[index])].filter(isThere)
      return [[photoKey(size), products.length > 1 ? { ...photo, products } : photo] as const]
    }),
  )
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined
}

type Bytes = { ok: true; bytes: Uint8Array } | { ok: false; reason: string }

async function bytesAt(url: string, { ports, by, pictures }: PhotoGathering): Promise<Bytes> {
  const known = pictures.get(url)
  if (known) return { ok: true, bytes: known.bytes }
  const maxBytes = MAX_PICTURE_BYTES
  const image = await fetchImage(url, ports, { maxBytes, signal: by.signal })
  if (!image.ok) return image
  const { source } = image
  const read = await ports.workerPool
    .run('read_picture', { source, maxBytes }, by)
    .catch(refusedAsCostly)
  if (!read.ok) return read
  const bytes = read.bytes ?? ('bytes' in source ? source.bytes : undefined)
  return bytes ? { ok: true, bytes } : { ok: false, reason: 'it cannot be decoded' }
}

interface Cropping extends Pick<PhotoGathering, 'ports' | 'by'> {
  /** Of the sizes that it cannot be cropped to. */
  report: (where: string, reason: string) => void
}

async function cropsOf(
  bytes: Uint8Array,
  { sizes, focus, crops: wanted }: PhotoPlan & { crops?: CropPhoto['crops'] },
  { ports, by, report }: Cropping,
): Promise<Map<string, Photo>> {
  const crops = new Map<string, Photo>()
  for (const size of sizes) {
    const cropped = await ports.workerPool
      .run('crop_photo', { ...size, bytes, focus, ...defined({ crops: wanted }) }, by)
      .catch(refusedAsCostly)
    if (cropped.ok) crops.set(photoKey(size), cropped.photo)
    else report(photoKey(size), cropped.reason)
  }
  return crops
}

function refusedAsCostly(error: unknown): { ok: false; reason: string } {
  if (isTooCostly(error)) return { ok: false, reason: costOf(error) }
  throw error
}
