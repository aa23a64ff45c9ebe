// Where a photo is placed at each size, and so what it is cropped to before anything is composed. Whole pixels.

import type { PhotoCropName, PhotoLayout } from '../ad-input.ts'
import type { Rect } from '../scene.ts'
import { type Family, familyOf } from './family.ts'

export interface CanvasSize {
  width: number
  height: number
}

/** The single-photo layouts that suit a family: a strip is too low for words on a photo. */
export function photoLayoutsOf(family: Family): readonly PhotoLayout[] {
  const beside = ['split', 'inset', 'wedge', 'round'] as const
  return family === 'strip' ? beside : ['bleed', ...beside]
}

/** Which crop a layout shows. */
export function cropOf(layout: PhotoLayout): PhotoCropName {
  if (layout === 'bleed') return 'bleed'
  return layout === 'round' || layout === 'grid' ? 'square' : 'split'
}

/** The area that a photo is cropped to: on the left, or at the top. */
export function photoArea(crop: PhotoCropName, { width, height }: CanvasSize): Rect {
  const whole = { x: 0, y: 0, width, height }
  if (crop === 'bleed') return whole
  const family = familyOf(width, height)
  if (crop === 'square') {
    const side = Math.max(1, Math.round(squareSide(family, width, height)))
    return { ...whole, width: side, height: side }
  }
  switch (family) {
    // A square beside the words, or slightly more if there is much room.
    case 'strip':
      return { ...whole, width: Math.round(height * (width / height > 7.5 ? 1.5 : 1)) }
    case 'wide':
      return { ...whole, width: Math.round(width * (width / height > 2.4 ? 0.34 : 0.44)) }
    default:
      return {
        ...whole,
        height: Math.round(height * { box: 0.4, tall: 0.46, column: 0.4 }[family]),
      }
  }
}

function squareSide(family: Family, width: number, height: number): number {
  switch (family) {
    // With its ring, and a little space above and below.
    case 'strip':
      return height * 0.86
    case 'wide':
      return Math.min(height * 0.84, width * 0.4)
    case 'box':
      return Math.min(width, height) * 0.56
    default:
      return Math.min(width * (family === 'column' ? 0.9 : 0.78), height * 0.42)
  }
}
