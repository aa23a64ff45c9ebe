// The first step of a build: everything that has to be fetched (spec 4.2). If something essential cannot be fetched,
// the build is refused with an error that names it; a logo or a model that fails only causes a note.

import { defined } from '../../lib/defined.ts'
import { isTooCostly } from '../../lib/worker-pool/worker-pool-error.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import { type BrandPorts, resolveBrand } from '../brand/resolve-brand.ts'
import type { OnBehalf } from '../jobs/creative-worker-pool.ts'
import { costlyBecause, costOf } from '../jobs/too-costly.ts'
import type { AdBrand, Logo } from '../layout-engine/ad-input.ts'
import { MAX_BUILD_BYTES, MAX_LOGO_BYTES, MAX_PICTURE_BYTES, MAX_SOUND_BYTES } from '../limits.ts'
import type { Generator } from '../model/generator.ts'
import type { PictureSource } from '../pictures/picture-source.ts'
import { askModels } from './ask-models.ts'
import { fetchImage, type ImageSources } from './fetch-image.ts'
import { gatherFonts } from './gather-fonts.ts'
import { gatherPhoto } from './gather-photo.ts'
import type { Gathered, Picture } from './job.ts'
import type { PlannedBuild, PlannedPicture } from './plan-build.ts'

export interface GatherPorts extends BrandPorts, ImageSources {
  egress: ImageSources['egress'] & BrandPorts['egress']
  generator?: Generator | undefined
}

interface Gathering {
  ports: GatherPorts
  by: OnBehalf & { signal: AbortSignal }
  note: (text: string) => void
}

/** Throws a ProtocolError for what cannot be fetched. */
export async function gather(
  plan: PlannedBuild & { isNewer?: boolean },
  formats: readonly Format[],
  { ports, by }: Omit<Gathering, 'note'>,
): Promise<Gathered> {
  const notes: string[] = [...plan.notes]
  const gathering = { ports, by, note: (text: string) => void notes.push(text) }
  const { brand, notes: brandNotes } = await resolveBrand(plan, ports, by)
  notes.push(...brandNotes)
  const pictures = await fetchPictures(plan, gathering)
  const sound = plan.sound && (await fetchSound(plan.sound, gathering))
  const { logos, photos = [], fonts: named = [], ...others } = brand
  const photo = await gatherPhoto(plan.photo, photos, { ...gathering, pictures })
  const logo = await fetchLogo(logos[0], gathering)
  const fonts = await gatherFonts(named, gathering)
  const adBrand: AdBrand = { ...others, ...defined({ logos: logo ? [logo.logo] : undefined }) }
  const model = await askModels(plan, { brand: adBrand, formats }, gathering)
  return { brand: adBrand, logo: logo?.picture, pictures, photo, sound, fonts, ...model, notes }
}

/** Checks URLs by their text, so that one that can never be fetched is refused with the call. */
export function refuseAddresses(
  { pictures, sound }: Pick<PlannedBuild, 'pictures' | 'sound'>,
  egress: ImageSources['egress'],
  isOwn: (url: string) => boolean,
): void {
  for (const picture of pictures) {
    const { url } = picture
    if (picture.isOffered || url.startsWith('data:') || isOwn(url)) continue
    const checked = egress.checkUrl(url)
    if (!checked.ok) throw inaccessible(picture, checked.message)
  }
  const received = sound && egress.checkUrl(sound.url)
  if (received && !received.ok) throw unusableSound(sound.name, received.message)
}

async function fetchPictures(
  { pictures: planned, hasWords, isNewer = false }: PlannedBuild & { isNewer?: boolean },
  { ports, by, note }: Gathering,
): Promise<Map<string, Picture>> {
  const fetched = new Map<string, Picture>()
  let left = MAX_BUILD_BYTES
  for (const one of planned) {
    const maxBytes = Math.min(MAX_PICTURE_BYTES, left)
    const image = await fetchImage(one.url, ports, { maxBytes, signal: by.signal })
    if (!image.ok && (one.isOffered || (isNewer && hasWords))) {
      // What is said can be drawn without it.
      note(`${one.name} was left out: ${withTotal(image.reason, maxBytes)}`)
      continue
    }
    if (!image.ok) throw inaccessible(one, withTotal(image.reason, maxBytes))
    const { source } = image
    const read = await ports.workerPool
      .run('read_picture', { source, maxBytes }, by)
      .catch(costlyBecause((reason) => inaccessible(one, reason)))
    if (!read.ok && one.isOffered) {
      note(`${one.name} was left out: ${withTotal(read.reason, maxBytes)}`)
      continue
    }
    if (!read.ok) throw inaccessible(one, withTotal(read.reason, maxBytes))
    if (read.isAnimated) note(`${one.name}: only the first frame of the animation is used`)
    const picture = { bytes: read.bytes ?? bytesOf(source), media_type: read.media_type }
    left -= picture.bytes.byteLength
    fetched.set(one.url, picture)
  }
  return fetched
}

/** Its type is determined by the code that makes a video with it. */
async function fetchSound(one: PlannedPicture, { ports, by }: Gathering): Promise<Uint8Array> {
  const preference = { maxBytes: MAX_SOUND_BYTES, signal: by.signal, accept: 'audio/*' }
  const fetched = await fetchImage(one.url, ports, preference)
  if (!fetched.ok) throw unusableSound(one.name, fetched.reason)
  if ('bytes' in fetched.source) return fetched.source.bytes
  throw new Error('a sound within its address was not refused')
}

export function unusableSound(name: string, reason: string): ProtocolError {
  const message = `the sound ${name} cannot be used: ${reason}`
  return new ProtocolError('CREATIVE_INACCESSIBLE', message, {
    field: `/creative_manifest/assets/${name}/url`,
    suggestion: 'Use a public https URL of an MP3, AAC, WAV, FLAC or Ogg file.',
  })
}

/** Which limit was exceeded: its own, or that of all pictures together. */
function withTotal(reason: string, maxBytes: number): string {
  const isTotal = maxBytes < MAX_PICTURE_BYTES
  return isTotal ? `${reason}; all pictures together may have ${MAX_BUILD_BYTES}` : reason
}

/** The source contains the bytes together with what was parsed from its URL. */
function bytesOf(source: PictureSource): Uint8Array {
  if ('bytes' in source) return source.bytes
  throw new Error('a picture in an address was read without its bytes')
}

function inaccessible({ name }: PlannedPicture, reason: string): ProtocolError {
  const pointer = `/creative_manifest/assets/${name}/url`
  const message = `the picture ${name} cannot be used: ${reason}`
  return new ProtocolError('CREATIVE_INACCESSIBLE', message, {
    field: pointer,
    issues: [{ pointer, message, keyword: 'accessible' }],
    suggestion: 'Use a public https URL of a PNG, JPEG, WebP or GIF image.',
  })
}

async function fetchLogo(
  url: string | undefined,
  { ports, by, note }: Gathering,
): Promise<{ picture: Picture; logo: Logo } | undefined> {
  if (url === undefined) return undefined
  const maxBytes = MAX_LOGO_BYTES
  const image = await fetchImage(url, ports, { maxBytes, signal: by.signal })
  const read = image.ok
    ? await ports.workerPool
        .run('read_logo', { source: image.source, maxBytes }, by)
        .catch((error: unknown) => {
          if (isTooCostly(error)) return { ok: false as const, reason: costOf(error) }
          throw error
        })
    : image
  if (read.ok && image.ok && 'logo' in read) {
    const { logo, media_type, bytes = bytesOf(image.source) } = read
    return { logo, picture: { bytes, media_type } }
  }
  note(`the logo was left out: ${read.ok ? 'it cannot be decoded' : read.reason}`)
  return undefined
}
