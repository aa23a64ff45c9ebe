// Reads the family and weight of a font file, and checks that it contains letters.

import * as hb from 'harfbuzzjs'
import { unpackFont } from './open-font-file.ts'

export interface FontFile {
  /** Empty when it does not say. */
  family: string
  weight: number
  /** A file with a weight axis has all of them. */
  isVariable: boolean
  /** Tells it from others. */
  id: string
  /** As OpenType. */
  bytes: Uint8Array
}

/** Throws, with the reason, for a file that cannot be used. */
export function readFont(id: string, file: Uint8Array): FontFile {
  const bytes = unpackFont(file)
  const face = new hb.Face(new hb.Blob(bytes))
  if (face.upem === 0 || face.collectUnicodes().length === 0)
    throw new Error('it is no font with letters')
  const family = face.getName(TYPOGRAPHIC_FAMILY, 'en') || face.getName(FAMILY, 'en') || ''
  const metrics = face.referenceTable('OS/2')
  const weight = metrics && metrics.length > 5 ? Buffer.from(metrics).readUInt16BE(4) : 400
  return { family, weight, isVariable: 'wght' in face.getAxisInfos(), id, bytes }
}

const FAMILY = 1
const TYPOGRAPHIC_FAMILY = 16

/** The one whose weight is nearest. */
export function nearestWeight(files: readonly FontFile[], weight: number): FontFile {
  const far = (file: FontFile) => (file.isVariable ? 0 : Math.abs(file.weight - weight))
  return [...files].sort((a, b) => far(a) - far(b))[0] as FontFile
}
