// Where a photo stands at each size: what it is cropped to, before anything is composed. Whole pixels.

import type { PhotoLayout } from '../ad-input.ts'
import type { Rect } from '../scene.ts'
import { type Family, familyOf } from './family.ts'

export interface CanvasSize {
  width: number
  height: number
}

/** The layouts that suit a family: a strip is too low for words on a photo. */
export function photoLayoutsOf(family: Family): readonly PhotoLayout[] {
  return family === 'strip' ? ['split'] : ['bleed', 'split']
}

/** Of a split canvas at the left or at the top. */
export function photoArea(layout: PhotoLayout, { width, height }: CanvasSize): Rect {
  const whole = { x: 0, y: 0, width, height }
  if (layout === 'bleed') return whole
  const family = familyOf(width, height)
  switch (family) {
    // A square beside the words, or a little more where there is much room.
    case 'strip':
      return { ...whole, width: Math.round(height * (width / height > 7.5 ? 1.5 : 1)) }
    case 'wide':
      return { ...whole, width: Math.round(width * (width / height > 2.4 ? 0.34 : 0.44)) }
    default:
      return {
        ...whole,
        height: Math.round(height * { box: 0.38, tall: 0.46, column: 0.4 }[family]),
      }
  }
}
