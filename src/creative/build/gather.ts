// The first step of a build: everything that has to be fetched (spec 4.2). What the creative cannot do
// without is refused by name when it cannot be had; a logo or a model that fails is only noted.

import { ProtocolError } from '../../protocol/errors.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { BrandContext } from '../brand/brand-context.ts'
import { type BrandPorts, resolveBrand } from '../brand/resolve-brand.ts'
import type { AdBrand, Logo } from '../generation/ad-input.ts'
import { readLogo } from '../generation/logo.ts'
import type { Generator } from '../generator/generator.ts'
import { fetchImage, type ImageSources } from './fetch-image.ts'
import { readSize } from './fit-image.ts'
import type { BuildJob } from './job.ts'
import { hasMacros, type Material, type SourceAsset } from './material.ts'
import type { BuildPlan } from './plan-build.ts'
import { pictureSize, slotsOf } from './slots.ts'

export interface GatherPorts extends BrandPorts, ImageSources {
  egress: ImageSources['egress'] & BrandPorts['egress']
  generator?: Generator | undefined
}

const MAX_PICTURE_BYTES = 10_000_000
const MAX_LOGO_BYTES = 5_000_000
const MAX_PICTURES = 30

/** Throws a ProtocolError for what cannot be had. */
export async function gather(
  { material, formats }: BuildPlan,
  ports: GatherPorts,
  signal: AbortSignal,
): Promise<BuildJob> {
  const notes: string[] = []
  const note = (text: string) => void notes.push(text)
  const brand = await resolveBrand(material.promoted, ports, signal)
  const pictures = await fetchPictures(material, formats, { ports, signal, note })
  const logo = await fetchLogo(brand, { ports, signal, note })
  const [first] = material.promoted.offerings
  const offering = first && {
    name: first.name,
    ...(first.description ? { description: first.description } : {}),
  }
  const job: BuildJob = {
    material,
    brand: adBrand(brand, logo?.logo),
    logo: logo?.bytes,
    offering,
    pictures,
    words: undefined,
    drawings: new Map(),
    notes,
  }
  return { ...job, ...(await askModel(job, formats, { ports, signal, note })) }
}

interface Fetching {
  ports: GatherPorts
  signal: AbortSignal
  note: (text: string) => void
}

/** Judges addresses by their text, so that what can never be fetched is refused with the call. */
export function refuseAddresses(
  { material, formats }: BuildPlan,
  egress: ImageSources['egress'],
  isOwn: (url: string) => boolean,
): void {
  for (const source of picturesOf(material, formats)) {
    const url = source.asset.url as string
    if (url.startsWith('data:') || isOwn(url) || hasMacros(url)) continue
    const checked = egress.checkUrl(url)
    if (!checked.ok) throw inaccessible(source, checked.message)
  }
}

/** The pictures of the manifest, if there is a slot for any. */
function picturesOf({ assets }: Material, formats: readonly Format[]): SourceAsset[] {
  const isWanted = formats.some((format) => slotsOf(format).some(({ type }) => type === 'image'))
  if (!isWanted) return []
  return assets.filter(({ type, asset }) => type === 'image' && asset.url !== undefined)
}

async function fetchPictures(
  material: Material,
  formats: readonly Format[],
  { ports, signal, note }: Fetching,
): Promise<Map<string, Uint8Array>> {
  const sources = picturesOf(material, formats)
  if (sources.length > MAX_PICTURES) {
    const message = `the manifest has ${sources.length} pictures: at most ${MAX_PICTURES}`
    throw new ProtocolError('VALIDATION_ERROR', message, { field: '/creative_manifest/assets' })
  }
  const fetched = new Map<string, Uint8Array>()
  for (const source of sources) {
    const url = source.asset.url as string
    if (fetched.has(url) || hasMacros(url)) continue
    const picture = await fetchImage(url, ports, { maxBytes: MAX_PICTURE_BYTES, signal })
    if (!picture.ok) throw inaccessible(source, picture.reason)
    const size = await readSize(picture.bytes)
    if (!size.ok) throw inaccessible(source, size.reason)
    if (size.isAnimated) note(`${source.name}: only the first frame of the animation is used`)
    fetched.set(url, picture.bytes)
  }
  return fetched
}

function inaccessible({ name }: SourceAsset, reason: string): ProtocolError {
  const pointer = `/creative_manifest/assets/${name}/url`
  const message = `the picture ${name} cannot be used: ${reason}`
  return new ProtocolError('CREATIVE_INACCESSIBLE', message, {
    field: pointer,
    issues: [{ pointer, message, keyword: 'accessible' }],
    suggestion: 'give an https address that serves a PNG, JPEG, WebP or GIF picture to everyone',
  })
}

async function fetchLogo(
  { logos }: BrandContext,
  { ports, signal, note }: Fetching,
): Promise<{ bytes: Uint8Array; logo: Logo } | undefined> {
  const [url] = logos
  if (url === undefined) return undefined
  const picture = await fetchImage(url, ports, { maxBytes: MAX_LOGO_BYTES, signal })
  const logo = picture.ok ? await readLogo(picture.bytes) : undefined
  if (picture.ok && logo) return { bytes: picture.bytes, logo }
  note(`the logo was left out: ${picture.ok ? 'it cannot be decoded' : picture.reason}`)
  return undefined
}

function adBrand({ logos: _, ...brand }: BrandContext, logo: Logo | undefined): AdBrand {
  return { ...brand, ...(logo ? { logos: [logo] } : {}) }
}

/** What a model adds, where there is one; where it fails, the layout engine goes on alone. */
async function askModel(
  job: BuildJob,
  formats: readonly Format[],
  { ports: { generator }, signal, note }: Fetching,
): Promise<Partial<BuildJob>> {
  const { material, brand, offering } = job
  if (!generator || material.assets.some(({ type }) => type === 'image')) return {}
  const about = {
    brand: pick(brand),
    ...(offering ? { offering } : {}),
    ...(material.message === undefined ? {} : { message: material.message }),
  }
  const limits = { headline: 60, description: 140, call_to_action: 20 }
  const words = await generator.text?.({ ...about, limits }, signal)
  if (generator.text && !words) note('the language model gave no words: they were set by rules')
  const drawings = new Map<string, Uint8Array>()
  for (const { width, height } of generator.image ? drawnSizes(formats) : []) {
    const prompt = `Advertising picture without any text or logo. ${JSON.stringify(about)}`
    const bytes = await generator.image?.({ prompt, width, height }, signal)
    const size = bytes && (await readSize(bytes))
    if (bytes && size?.ok) drawings.set(`${width}:${height}`, bytes)
    else note('the image model gave no picture: it was drawn by rules')
  }
  if (signal.aborted) throw new Error('the build was aborted')
  return { words, drawings }
}

function pick({ name, tagline, tone }: AdBrand) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(tagline === undefined ? {} : { tagline }),
    ...(tone === undefined ? {} : { tone }),
  }
}

function drawnSizes(formats: readonly Format[]) {
  const slots = formats.flatMap((format) =>
    slotsOf(format)
      .filter(({ type, role, isRequired }) => type === 'image' && role === 'picture' && isRequired)
      .map((slot) => pictureSize(slot, format)),
  )
  return [...new Map(slots.map((size) => [`${size.width}:${size.height}`, size])).values()]
}
