// The limits of a library (spec 4.5): number of creatives, bytes, and packages per creative.

import type { TaskError } from '../protocol/errors.ts'
import { type QuotaLimits, quotaError } from '../protocol/quota.ts'
import type { LibraryUse, SavedCreative, StoredCreative } from './library-store.ts'

export type LibraryLimits = Pick<QuotaLimits, 'creatives' | 'creative_bytes' | 'assignments'>

/** Size of the stored content of a creative. */
export function creativeBytes(content: Omit<SavedCreative, 'bytes' | 'creative_id'>): number {
  const { name, format_id, assets, tags, others } = content
  return Buffer.byteLength(JSON.stringify([name, format_id, assets, tags, others]))
}

/** An upper bound: some of them may replace existing ones. */
export function aboutToAdd(saved: readonly SavedCreative[], limits: LibraryLimits) {
  const bytes = saved.reduce((sum, creative) => sum + creative.bytes, 0)
  return {
    limits: { creatives: limits.creatives, bytes: limits.creative_bytes },
    toAdd: { creatives: saved.length, bytes },
  }
}

export interface LibraryRoom {
  /** Reserves the room that a change needs; returns the error, and reserves nothing, if there is too little. */
  take(saved: SavedCreative, stored: StoredCreative | undefined): TaskError | undefined
}

/** A change that makes a library smaller, or leaves its size unchanged, always fits. */
export function roomIn(use: LibraryUse, limits: LibraryLimits): LibraryRoom {
  const used = { creatives: use.creatives, creative_bytes: use.bytes }
  return {
    take: (saved, stored) => {
      const more = {
        creatives: stored ? 0 : 1,
        creative_bytes: saved.bytes - (stored?.bytes ?? 0),
      }
      for (const quota of ['creatives', 'creative_bytes'] as const) {
        const limit = limits[quota]
        if (more[quota] > 0 && used[quota] + more[quota] > limit) {
          return quotaError(quota, { limit, used: used[quota] })
        }
      }
      used.creatives += more.creatives
      used.creative_bytes += more.creative_bytes
      return undefined
    },
  }
}
