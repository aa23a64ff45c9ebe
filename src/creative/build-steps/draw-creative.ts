// Turns a composed creative into a manifest (spec 2.4): its pictures are drawn or resized in the worker pool, and
// appear under the URLs that they will have once they are stored.

import { withDeadline } from '../../lib/deadline.ts'
import { defined } from '../../lib/defined.ts'
import { trimEnd } from '../../lib/trim-end.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { SentAsset } from '../../protocol/schemas/assets.ts'
import type { BuildCreativeRequest } from '../../protocol/schemas/build-creative.ts'
import type { SentCreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import { ASSET_EXTENSIONS, assetPath, digestOf, type NewAsset } from '../assets/asset-store.ts'
import type { PoolAccess } from '../jobs/creative-worker-pool.ts'
import { costlyBecause } from '../jobs/too-costly.ts'
import type { MessagePart } from '../message/account.ts'
import type { DrawnPicture } from '../pictures/draw-picture.ts'
import { type Draft, type DraftAsset, isPictureWork, type PictureWork } from './draft.ts'
import type { Gathered } from './job.ts'
import { makeFilms, type VideoMeans } from './make-films.ts'
import type { PlannedBuild } from './plan-build.ts'

export interface DrawnCreative {
  manifest: SentCreativeManifest
  /** What has to be stored with it. */
  assets: readonly NewAsset[]
  /** Slots whose content came with the request. */
  carried: ReadonlySet<string>
  notes: readonly string[]
  /** The outcome of each part of the message. */
  reading: readonly MessagePart[]
  /** The name of its style, if anything was drawn in one. */
  style?: string
}

export interface DrawingContext {
  format: Format
  request: BuildCreativeRequest
  plan: PlannedBuild
  gathered: Gathered
  publicUrl: string
  video: VideoMeans
}

/** Throws a ProtocolError for a picture that cannot be made. */
export async function drawCreative(
  draft: Draft,
  drawing: DrawingContext,
  access: PoolAccess,
): Promise<DrawnCreative> {
  const { gathered, publicUrl } = drawing
  const drawn = await drawPictures(draft, gathered, access)
  const films = await makeFilms(draft.assets, drawing, access)
  const made: NewAsset[] = []
  const notes = [...draft.notes]
  const assets = new Map<string, SentAsset | SentAsset[]>()
  for (const [index, one] of draft.assets.entries()) {
    const picture = drawn[index]
    if (picture?.note !== undefined) notes.push(picture.note)
    if (picture?.file) made.push(picture.file)
    const film = films.get(one)
    if (film) made.push(film.file)
    const asset = picture
      ? assetOf(picture.file, one.content as PictureWork, publicUrl)
      : (film?.asset ?? (one.content as SentAsset))
    if (film) notes.push(film.note)
    place(assets, one, asset)
  }
  const carried = draft.assets.filter(({ isCarried }) => isCarried).map(({ name }) => name)
  return {
    manifest: manifestOf(drawing, Object.fromEntries(assets)),
    assets: made,
    carried: new Set(carried),
    notes,
    reading: draft.reading,
    ...defined({ style: draft.style }),
  }
}

/** Drawn concurrently, up to the number of workers. When one fails, the others are not drawn. */
async function drawPictures(
  draft: Draft,
  gathered: Gathered,
  { workerPool, by }: PoolAccess,
): Promise<(Made | undefined)[]> {
  const failed = new AbortController()
  const signals = by.signal ? [by.signal, failed.signal] : [failed.signal]
  return withDeadline({ signals }, async (signal) => {
    const access = { workerPool, by: { ...by, signal } }
    const pictures = draft.assets.map(({ name, content: work }) =>
      isPictureWork(work) ? drawPicture({ name, work }, gathered, access) : undefined,
    )
    try {
      return await Promise.all(pictures)
    } catch (error) {
      failed.abort(error)
      throw error
    }
  })
}

function place(
  assets: Map<string, SentAsset | SentAsset[]>,
  { name, part, isGroup }: DraftAsset,
  asset: SentAsset,
): void {
  if (!isGroup) {
    assets.set(name, asset)
    return
  }
  const before = assets.get(name)
  const item = part === undefined ? asset : { ...asset, asset_id: part }
  if (Array.isArray(before)) before.push(item)
  else assets.set(name, [item])
}

interface Made {
  /** Undefined when the request's own picture is passed on. */
  file?: NewAsset
  note?: string
}

async function drawPicture(
  { name, work }: { name: string; work: PictureWork },
  gathered: Gathered,
  { workerPool, by }: PoolAccess,
): Promise<Made> {
  const { width, height, limits, from } = work
  const request = { width, height, limits, from: sourceOf(from, gathered) }
  const unusable = (reason: string) => unusablePicture(name, from, reason)
  const drawn = await workerPool.run('draw_picture', request, by).catch(costlyBecause(unusable))
  if (!drawn.ok) throw unusable(drawn.reason)
  const note = 'asset' in from && from.asset ? noteOf(name, work, drawn) : undefined
  return {
    ...defined({ file: 'file' in drawn ? drawn.file : undefined, note }),
  }
}

function sourceOf(from: PictureWork['from'], { logo, pictures, drawings }: Gathered) {
  if ('svg' in from) return from
  const { picture: key, preferences, asset } = from
  const picture =
    key.of === 'logo' ? logo : key.of === 'model' ? drawings.get(key.shape) : pictures.get(key.url)
  if (!picture) throw new Error('a picture was composed that had not been gathered')
  return { bytes: picture.bytes, preferences, mayStay: asset !== undefined }
}

/** Either a drawn picture does not fit its slot, or a picture of the request cannot be used. */
function unusablePicture(name: string, from: PictureWork['from'], reason: string): ProtocolError {
  const isOwn = 'picture' in from
  const field = `/creative_manifest/assets/${name}${isOwn ? '/url' : ''}`
  const message = isOwn
    ? `the picture for ${name} cannot be used: ${reason}`
    : `the picture for ${name} cannot be drawn: ${reason}`
  const code = isOwn ? 'CREATIVE_INACCESSIBLE' : 'UNSUPPORTED_FEATURE'
  return new ProtocolError(code, message, { field })
}

function noteOf(
  name: string,
  work: PictureWork,
  drawn: Extract<DrawnPicture, { ok: true }>,
): string {
  const { width, height, from } = work
  if (drawn.way === 'kept') return `${name}: kept as it is`
  const focus = 'preferences' in from ? from.preferences.focus : undefined
  const where = drawn.way === 'cropped' && focus ? ` (${focus})` : ''
  const isEnlarged = 'isEnlarged' in drawn && drawn.isEnlarged
  const grown = isEnlarged ? ', enlarged: a larger original would be sharper' : ''
  const isCut = 'mayCutWords' in drawn && drawn.mayCutWords
  const alt = work.altText ? `, and alt_text may name them: “${work.altText}”` : ''
  const cut = isCut ? `: words at its edges may have been cut off${alt}` : ''
  return `${name}: ${drawn.way}${where} to ${width}x${height}${grown}${cut}`
}

function assetOf(file: NewAsset | undefined, work: PictureWork, publicUrl: string): SentAsset {
  const { from, width, height, altText } = work
  if (!file) {
    return { ...('asset' in from ? from.asset : {}), asset_type: 'image', width, height }
  }
  return {
    asset_type: 'image',
    url: trimEnd(publicUrl, '/') + assetPath(digestOf(file.bytes), file.media_type),
    width,
    height,
    format: ASSET_EXTENSIONS[file.media_type],
    file_size_bytes: file.bytes.byteLength,
    ...defined({ alt_text: altText ? altText : undefined }),
  }
}

/** With what belongs to the creative rather than to its format. */
function manifestOf(
  { format, request, plan }: DrawingContext,
  assets: SentCreativeManifest['assets'],
): SentCreativeManifest {
  const { brand, rights, industry_identifiers, provenance, ext, promoted_offering } =
    request.creative_manifest ?? {}
  const kept = {
    brand: brand ?? plan.brand,
    rights,
    industry_identifiers,
    provenance,
    ext,
    promoted_offering: promoted_offering ?? plan.offering?.name,
  }
  const given = Object.entries(kept).filter(([, value]) => value !== undefined)
  return { format_id: format.format_id, assets, ...Object.fromEntries(given) }
}
