// SVG files that were refused, or whose drawing had to be stopped. Their digests are remembered for a while, so that
// the same file is not tried repeatedly. The memory is local to this process.

import { hash } from 'node:crypto'
import { createRecentCache } from '../../lib/recent-cache.ts'
import { MAX_REFUSED_SVGS, REFUSED_SVG_MINUTES } from '../limits.ts'

export interface RefusedSvgs {
  /** Why the file was refused before; undefined if it was not. */
  reason(svg: Uint8Array): string | undefined
  remember(svg: Uint8Array, reason: string, minutes?: number): void
}

/** `now` is in milliseconds. */
export function createRefusedSvgs(now: () => number = () => performance.now()): RefusedSvgs {
  const refused = createRecentCache<{ reason: string; until: number }>(2 * MAX_REFUSED_SVGS)
  const keyOf = (svg: Uint8Array) => hash('sha256', svg, 'base64url')
  return {
    reason: (svg) => {
      const known = refused.get(keyOf(svg))
      return known && known.until > now() ? known.reason : undefined
    },
    remember: (svg, reason, minutes = REFUSED_SVG_MINUTES) =>
      refused.set(keyOf(svg), { reason, until: now() + minutes * 60_000 }),
  }
}
