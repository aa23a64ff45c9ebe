// Encodes a picture as a file that a slot accepts (spec 2.3): of an allowed type and below its size limit, with the
// best quality that allows.

import type { Sharp } from 'sharp'
import type { NewAsset, PictureMediaType } from '../assets/asset-store.ts'
import type { FileLimits } from './file-limits.ts'

/** Undefined when even the smallest file is too large. */
export async function encodeImage(
  picture: Sharp,
  { types, maxBytes }: FileLimits,
): Promise<NewAsset | undefined> {
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

const ENCODINGS: Record<PictureMediaType, readonly Encode[]> = {
  'image/png': [
    (picture) => picture.png({ compressionLevel: 9 }),
    (picture) => picture.png({ compressionLevel: 9, palette: true, colours: 256 }),
    (picture) => picture.png({ compressionLevel: 9, palette: true, colours: 64 }),
  ],
  // It has no transparency: transparent areas would become black.
  'image/jpeg': QUALITIES.map(
    (quality) => (picture) =>
      picture.flatten({ background: '#ffffff' }).jpeg({ quality, mozjpeg: true }),
  ),
  'image/webp': QUALITIES.map((quality) => (picture) => picture.webp({ quality })),
  'image/gif': [(picture) => picture.gif(), (picture) => picture.gif({ colours: 32 })],
}
