// What goes into a picture slot (spec 4.2): a resized picture of the request, the logo, a picture drawn by a model,
// or else a drawn advertisement.

import { ProtocolError } from '../../protocol/errors.ts'
import type { SentAsset } from '../../protocol/schemas/assets.ts'
import type { Offering } from '../../protocol/schemas/promoted-offerings.ts'
import { MAX_ASSET_BYTES } from '../assets/asset-store.ts'
import { photosOf } from '../brand/brand-context.ts'
import { hasMacros } from '../macros/has-macros.ts'
import { allowedTypes } from '../pictures/file-limits.ts'
import type { FitOptions } from '../pictures/fit-image.ts'
import type { PictureType } from '../pictures/read-picture.ts'
import type { SourceAsset } from './build-sources.ts'
import type { DrawnText, PictureWork } from './draft.ts'
import { isLogoUnwanted } from './follow-instructions.ts'
import type { BuildJob } from './job.ts'
import { carry, type Filling, make, type SlotRun } from './slot-run.ts'
import { type BuildSlot, type PixelSize, pictureSize } from './slots.ts'

export function fillPicture(
  slot: BuildSlot,
  run: SlotRun,
  own: SourceAsset | undefined,
): Filling | undefined {
  const { job, format } = run
  const size = pictureSize(slot, format)
  const url = own?.asset.url
  if (own && url !== undefined) {
    const type = job.pictures.get(url)
    // A URL with macros is only complete when the ad is served.
    if (!type && hasMacros(url)) return carry(slot, own)
    const asset: SentAsset = { ...own.asset, asset_type: 'image' }
    const altText = own.asset.alt_text as string | undefined
    const from = {
      picture: { of: 'manifest' as const, url },
      preferences: preferencesOf(job),
      asset,
    }
    if (type) return make(picture(slot, size, { from, type, altText }), own)
  }
  if (slot.role === 'logo' && job.logo && (slot.isRequired || !isLogoUnwanted(job))) {
    const from = {
      picture: { of: 'logo' as const },
      preferences: { ...preferencesOf(job), ...WHOLE },
    }
    return make(picture(slot, size, { from, type: job.logo, altText: job.brand.name }))
  }
  if (!slot.isRequired) return undefined
  const shape = `${size.width}:${size.height}`
  const type = job.drawings.get(shape)
  const from = { picture: { of: 'model' as const, shape }, preferences: preferencesOf(job) }
  if (type) return make(picture(slot, size, { from, type, altText: subjectOf(job) }))
  const { markup: svg, hasPhoto, source, words } = run.drawSvg(size)
  const best = hasPhoto ? 'image/jpeg' : 'image/png'
  const reported = source?.asset.alt_text as string | undefined
  const altText = headlineIn(words) ?? (hasPhoto ? (reported ?? subjectOf(job)) : job.brand.name)
  const content = picture(slot, size, { from: { svg }, type: best, altText })
  return { ...make(content, source), words, hasPhoto }
}

/** As it is displayed, which may be shorter than it was written. */
function headlineIn(words: readonly DrawnText[]): string | undefined {
  return words.find(({ role }) => role === 'headline')?.text
}

/** What a picture is of. */
function subjectOf({ offering, brand }: BuildJob): string | undefined {
  return offering?.name ?? brand.name
}

/** A logo is never cropped, whatever the message says about pictures. */
const WHOLE = { keepsWhole: true, focus: undefined }

function preferencesOf({ material }: BuildJob): FitOptions {
  const { focus, keepsWhole, background } = material.preferences
  return { focus, keepsWhole, background }
}

interface PictureMaterial {
  from: PictureWork['from']
  type: PictureType
  altText: string | undefined
}

function picture(
  slot: BuildSlot,
  size: PixelSize,
  { from, type, altText }: PictureMaterial,
): PictureWork {
  const { formats, max_file_size_kb } = slot.requirements
  // A photograph stays a JPEG: as PNG it would be many times larger.
  const types = allowedTypes(formats, type === 'image/jpeg' ? type : 'image/png')
  if (!types) {
    const names = formats?.join(', ')
    throw new ProtocolError(
      'UNSUPPORTED_FEATURE',
      `${slot.name} takes ${names} alone, and only PNG, JPEG, WebP and GIF can be made`,
    )
  }
  const maxBytes = Math.min((max_file_size_kb ?? Number.POSITIVE_INFINITY) * 1_000, MAX_ASSET_BYTES)
  return { kind: 'picture', ...size, from, limits: { types, maxBytes }, altText }
}

export function offeredPicture(
  slot: BuildSlot,
  run: SlotRun,
  offered: Offering,
): Filling | undefined {
  const { job, format } = run
  const size = pictureSize(slot, format)
  const url = photosOf(offered)?.[0]
  const type = url === undefined ? undefined : job.pictures.get(url)
  const altText = offered.name
  if (url !== undefined && type) {
    const from = { picture: { of: 'manifest' as const, url }, preferences: preferencesOf(job) }
    return make(picture(slot, size, { from, type, altText }))
  }
  if (!slot.isRequired) return undefined
  const { markup: svg, words } = run.drawSvg(size, offered)
  // Without words, what is drawn is the brand's sign.
  const drawn = headlineIn(words) ?? job.brand.name
  const content = picture(slot, size, { from: { svg }, type: 'image/png', altText: drawn })
  return { ...make(content), words }
}
