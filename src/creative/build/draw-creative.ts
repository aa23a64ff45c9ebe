// A composed creative becomes a manifest (spec 2.4): its pictures are drawn or brought to their size,
// and stand under the addresses that they will have once they are stored.

import sharp from 'sharp'
import { ProtocolError } from '../../protocol/errors.ts'
import type { SentAsset } from '../../protocol/schemas/assets.ts'
import type { SentCreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import { ASSET_EXTENSIONS, assetPath, digestOf, type NewAsset } from '../assets/asset-store.ts'
import { type Draft, type DraftAsset, isPictureWork, type PictureWork } from './draft.ts'
import { type EncodedImage, encodeImage } from './encode-image.ts'
import { fitImage, readSize } from './fit-image.ts'
import type { AdEngine, BuildJob } from './job.ts'

export interface DrawnCreative {
  manifest: SentCreativeManifest
  /** What has to be stored with it. */
  assets: readonly NewAsset[]
  /** Slots whose content came with the request. */
  carried: ReadonlySet<string>
  notes: readonly string[]
}

export async function drawCreative(
  draft: Draft,
  job: BuildJob,
  { engine, publicUrl }: { engine: AdEngine; publicUrl: string },
): Promise<DrawnCreative> {
  const made: NewAsset[] = []
  const notes = [...draft.notes]
  const assets: Record<string, SentAsset | SentAsset[]> = {}
  for (const one of draft.assets) {
    const { name, content } = one
    const drawn = isPictureWork(content) ? await drawPicture(name, content, job, engine) : undefined
    if (drawn?.note) notes.push(drawn.note)
    if (drawn?.file) made.push(drawn.file)
    const asset = drawn ? assetOf(drawn, content as PictureWork, publicUrl) : (content as SentAsset)
    place(assets, one, asset)
  }
  const carried = draft.assets.filter(({ isCarried }) => isCarried).map(({ name }) => name)
  return {
    manifest: manifestOf(draft, job, assets),
    assets: made,
    carried: new Set(carried),
    notes,
  }
}

function place(
  assets: Record<string, SentAsset | SentAsset[]>,
  { name, part, isGroup }: DraftAsset,
  asset: SentAsset,
): void {
  if (!isGroup) {
    assets[name] = asset
    return
  }
  const before = assets[name]
  const item = part === undefined ? asset : { ...asset, asset_id: part }
  assets[name] = [...(Array.isArray(before) ? before : []), item]
}

interface DrawnPicture {
  /** Undefined when the request's own picture is handed on. */
  file?: EncodedImage
  note?: string
}

async function drawPicture(
  name: string,
  work: PictureWork,
  { material }: BuildJob,
  engine: AdEngine,
): Promise<DrawnPicture> {
  const { from, width, height, limits } = work
  if ('svg' in from) return { file: await drawSvg(name, from.svg, work, engine) }
  if (from.asset && (await fitsAsItIs(from.bytes, work))) {
    return { note: `${name}: kept as it is` }
  }
  const { focus, keepsWhole, background } = material.instructions
  const fitted = await fitImage(
    from.bytes,
    { width, height, ...limits },
    {
      keepsWhole: keepsWhole || from.keepsWhole,
      ...(focus && !from.keepsWhole ? { focus } : {}),
      ...(background ? { background } : {}),
    },
  )
  if (!fitted.ok) {
    const pointer = `/creative_manifest/assets/${name}/url`
    const message = `the picture for ${name} cannot be used: ${fitted.reason}`
    throw new ProtocolError('CREATIVE_INACCESSIBLE', message, { field: pointer })
  }
  const where = fitted.way === 'cropped' && focus ? ` (${focus})` : ''
  const grown = fitted.isEnlarged ? ', enlarged: a larger original would be sharper' : ''
  const { bytes, media_type } = fitted
  const note = `${name}: ${fitted.way}${where} to ${width}x${height}${grown}`
  return { file: { bytes, media_type }, ...(from.asset ? { note } : {}) }
}

/** The sharpest file that the slot takes. */
async function drawSvg(
  name: string,
  svg: string,
  { width, height, limits }: PictureWork,
  engine: AdEngine,
): Promise<EncodedImage> {
  const png = await engine.drawImage(svg, { width, height, type: 'png' })
  const isPng = limits.types.includes('image/png') && png.byteLength <= limits.maxBytes
  if (isPng) return { bytes: png, media_type: 'image/png' }
  const encoded = await encodeImage(sharp(png), limits)
  if (encoded) return encoded
  throw new ProtocolError(
    'UNSUPPORTED_FEATURE',
    `${name} takes at most ${limits.maxBytes} bytes, and no picture of ${width}x${height} is that small`,
  )
}

const MAGIC: readonly [number, string][] = [
  [0x89, 'image/png'],
  [0xff, 'image/jpeg'],
  [0x52, 'image/webp'],
  [0x47, 'image/gif'],
]

async function fitsAsItIs(bytes: Uint8Array, { width, height, limits }: PictureWork) {
  const type = MAGIC.find(([first]) => bytes[0] === first)?.[1]
  if (!limits.types.some((allowed) => allowed === type)) return false
  if (bytes.byteLength > limits.maxBytes) return false
  const size = await readSize(bytes)
  return size.ok && size.width === width && size.height === height
}

function assetOf({ file }: DrawnPicture, work: PictureWork, publicUrl: string): SentAsset {
  const { from, width, height, altText } = work
  if (!file) {
    return { ...('asset' in from ? from.asset : {}), asset_type: 'image', width, height }
  }
  return {
    asset_type: 'image',
    url: publicUrl.replace(/\/+$/, '') + assetPath(digestOf(file.bytes), file.media_type),
    width,
    height,
    format: ASSET_EXTENSIONS[file.media_type],
    file_size_bytes: file.bytes.byteLength,
    ...(altText ? { alt_text: altText } : {}),
  }
}

/** With what belongs to the creative and not to its format. */
function manifestOf(
  { format }: Draft,
  { material, offering }: BuildJob,
  assets: SentCreativeManifest['assets'],
): SentCreativeManifest {
  const { brand, rights, industry_identifiers, provenance, ext, promoted_offering } =
    material.manifest
  const promoted = promoted_offering ?? offering?.name
  const kept = {
    brand: brand ?? material.promoted.brand,
    rights,
    industry_identifiers,
    provenance,
    ext,
    promoted_offering: promoted,
  }
  const given = Object.entries(kept).filter(([, value]) => value !== undefined)
  return { format_id: format.format_id, assets, ...Object.fromEntries(given) }
}
