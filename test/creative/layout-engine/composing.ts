// An advertisement to compose, with valid defaults.

import type { AdInput } from '../../../src/creative/layout-engine/ad-input.ts'

export function adInput(changes: Partial<AdInput> = {}): AdInput {
  return {
    brand: {
      name: 'Northwind Outfitters',
      url: 'https://northwind.example',
      colors: { primary: '#0B5D4E', secondary: '#F2A541' },
    },
    offering: {
      name: 'Summer trail collection',
      description: 'Light boots, packs and shells for long days outside. Free shipping.',
    },
    width: 300,
    height: 250,
    ...changes,
  }
}

export const SIZES: readonly (readonly [number, number])[] = [
  [320, 50],
  [728, 90],
  [970, 250],
  [300, 250],
  [336, 280],
  [160, 600],
  [300, 600],
  [1080, 1080],
  [1080, 1920],
  [1200, 628],
  [1920, 1080],
]
