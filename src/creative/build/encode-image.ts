// A picture as a file that a slot takes (spec 2.3): of an allowed type and under its size, with as much
// quality as that leaves.

import type { Sharp } from 'sharp'
import type { AssetMediaType } from '../assets/asset-store.ts'

export interface FileLimits {
  /** Allowed types, the best first. */
  types: readonly [AssetMediaType, ...AssetMediaType[]]
  maxBytes: number
}

export interface EncodedImage {
  bytes: Buffer
  media_type: AssetMediaType
}

/** Undefined when even the smallest file is too large. */
export async function encodeImage(
  picture: Sharp,
  { types, maxBytes }: FileLimits,
): Promise<EncodedImage | undefined> {
  for (const media_type of types) {
    for (const encode of ENCODINGS[media_type]) {
      const bytes = await encode(picture.clone()).toBuffer()
      if (bytes.byteLength <= maxBytes) return { bytes, media_type }
    }
  }
  return undefined
}

type Encode = (picture: Sharp) => Sharp

const QUALITIES = [90, 80, 70, 60, 45, 30, 15]

const ENCODINGS: Record<AssetMediaType, readonly Encode[]> = {
  'image/png': [
    (picture) => picture.png({ compressionLevel: 9 }),
    (picture) => picture.png({ compressionLevel: 9, palette: true, colours: 256 }),
    (picture) => picture.png({ compressionLevel: 9, palette: true, colours: 64 }),
  ],
  // It knows no transparency: what shows through would come out black.
  'image/jpeg': QUALITIES.map(
    (quality) => (picture) =>
      picture.flatten({ background: '#ffffff' }).jpeg({ quality, mozjpeg: true }),
  ),
  'image/webp': QUALITIES.map((quality) => (picture) => picture.webp({ quality })),
  'image/gif': [(picture) => picture.gif(), (picture) => picture.gif({ colours: 32 })],
}

const TYPE_NAMES: Readonly<Record<string, AssetMediaType>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
}

const USUAL: readonly AssetMediaType[] = ['image/png', 'image/jpeg', 'image/webp']

/**
 * The types that a slot allows, `preferred` first and GIF last; any usual one where it says nothing.
 * Undefined when none of them can be made.
 */
export function allowedTypes(
  formats: readonly string[] | undefined,
  preferred: AssetMediaType,
): FileLimits['types'] | undefined {
  const named = formats?.map((name) => TYPE_NAMES[name.toLowerCase().replace(/^image\//, '')])
  const allowed = new Set(named ? named.filter((type) => type !== undefined) : USUAL)
  const order = [preferred, ...USUAL, 'image/gif'] as AssetMediaType[]
  const [first, ...others] = [...new Set(order)].filter((type) => allowed.has(type))
  return first && [first, ...others]
}
