// Classifies canvases by size: what suits a leaderboard does not suit a story.

export type Family = 'strip' | 'wide' | 'box' | 'tall' | 'column'

/**
 * strip: 320x50, 728x90. wide: 970x250, 1200x628, 16:9. box: 300x250, 336x280, 1080x1080.
 * tall: 4:5, 9:16, 300x600. column: 160x600, 120x600.
 */
export function familyOf(width: number, height: number): Family {
  const ratio = width / height
  if (ratio >= 4.6) return 'strip'
  if (ratio >= 1.45) return 'wide'
  if (ratio >= 0.88) return 'box'
  return ratio >= 0.4 ? 'tall' : 'column'
}

/** The side of a square with the same area; less on a flat canvas, where height is scarce. */
export function unitOf(family: Family, width: number, height: number): number {
  const side = Math.sqrt(width * height)
  return family === 'wide' ? Math.min(side, height * 1.3) : side
}

/** Empty space along the edges, in pixels. */
export function marginOf(family: Family, width: number, height: number): number {
  const share = { strip: 0.2, wide: 0.1, box: 0.08, tall: 0.085, column: 0.1 }[family]
  return Math.round(Math.min(width, height) * share)
}
