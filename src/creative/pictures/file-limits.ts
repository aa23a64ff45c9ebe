// What a slot accepts as a file (spec 2.3): its types, and the maximum size. Pure.

import type { PictureMediaType } from '../assets/asset-store.ts'

export interface FileLimits {
  /** Allowed types, the best first. */
  types: readonly [PictureMediaType, ...PictureMediaType[]]
  maxBytes: number
}

const TYPE_NAMES: ReadonlyMap<string, PictureMediaType> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
])

const USUAL: readonly PictureMediaType[] = ['image/png', 'image/jpeg', 'image/webp']

/**
 * The types that a slot allows, `preferred` first and GIF last; any usual one if it specifies none.
 * Undefined if none of them can be generated.
 */
export function allowedTypes(
  formats: readonly string[] | undefined,
  preferred: PictureMediaType,
): FileLimits['types'] | undefined {
  const named = formats?.map((name) => TYPE_NAMES.get(name.toLowerCase().replace(/^image\//, '')))
  const allowed = new Set(named ? named.filter((type) => type !== undefined) : USUAL)
  const order = [preferred, ...USUAL, 'image/gif'] as PictureMediaType[]
  const [first, ...others] = [...new Set(order)].filter((type) => allowed.has(type))
  return first && [first, ...others]
}
