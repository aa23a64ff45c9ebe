// Stores the assets that builds create (spec 4.2): bytes under their own SHA-256 digest, so that equal bytes are one
// asset, an address never changes its content, and any instance can serve it.

import { createHash } from 'node:crypto'
import type { Transaction } from '../../lib/transaction.ts'

/** Largest asset that is kept. */
export const MAX_ASSET_BYTES = 10_000_000

/** How long an asset is kept after it was last built or requested. */
export const ASSET_RETENTION_MS = 30 * 24 * 60 * 60 * 1_000

/** The media types that are stored and served, with their file extensions. */
export const ASSET_EXTENSIONS = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
} as const
export type AssetMediaType = keyof typeof ASSET_EXTENSIONS
export type PictureMediaType = Extract<AssetMediaType, `image/${string}`>

export interface NewAsset {
  bytes: Uint8Array
  media_type: AssetMediaType
}

/** Everything that is known about an asset without reading it. */
export interface AssetHead {
  digest: string
  media_type: AssetMediaType
  /** In bytes. */
  size: number
  /** By the database's clock, in milliseconds. */
  last_used_at: number
}

export interface StoredAsset extends NewAsset {
  digest: string
  /** By the database's clock, in milliseconds. */
  created_at: number
  last_used_at: number
}

export interface AssetStore {
  /**
   * Adds an asset for an owner, or records that an existing one is used again. Returns its digest, in hex. Throws
   * QUOTA_EXCEEDED when too much is stored for the owner.
   */
  put(tx: Transaction, asset: NewAsset, owner: string): Promise<string>
  get(digest: string): Promise<StoredAsset | undefined>
  head(digest: string): Promise<AssetHead | undefined>
  /** Records that an asset is used, so that it is kept. */
  use(tx: Transaction, digest: string): Promise<void>
  /** Throws the same error if the owner cannot store a single byte more. */
  refuseFull(owner: string): Promise<void>
  /** Deletes some assets that were last used before a time. Returns how many; 0 when none are left. */
  sweep(tx: Transaction, before: number): Promise<number>
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The path at which this server serves an asset. */
export function assetPath(digest: string, mediaType: AssetMediaType): string {
  return `/assets/${digest}.${ASSET_EXTENSIONS[mediaType]}`
}

const ASSET_NAME = /^([0-9a-f]{64})\.(png|jpg|webp|gif|mp4|webm)$/

/** Parses the digest and type from the last part of an asset's path; undefined for any other path. */
export function readAssetName(
  name: string,
): { digest: string; media_type: AssetMediaType } | undefined {
  const [, digest, extension] = ASSET_NAME.exec(name) ?? []
  const found = Object.entries(ASSET_EXTENSIONS).find(([, end]) => end === extension)
  if (digest === undefined || !found) return undefined
  return { digest, media_type: found[0] as AssetMediaType }
}
