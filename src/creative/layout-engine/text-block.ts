// Headline and description together, and how large the headline is.

import type { Part } from './scene.ts'

/** The maximum headline size, as a share of the unit. */
export const HEADLINE = { strip: 0.12, wide: 0.15, box: 0.125, tall: 0.115, column: 0.125 } as const

export interface TextBlock {
  parts: Part[]
  height: number
}
