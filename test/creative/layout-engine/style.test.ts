import { describe, expect, test } from 'vitest'
import { LAYOUTS } from '../../../src/creative/layout-engine/ad-input.ts'
import { composeAd } from '../../../src/creative/layout-engine/compose.ts'
import { styleName, styleNamed } from '../../../src/creative/layout-engine/style.ts'
import { adInput, SIZES } from './composing.ts'

const SEEDS = Array.from({ length: 12 }, (_, seed) => String(seed))

describe('spec 4.2: all sizes of a call share one style', () => {
  test('it does not depend on the size', () => {
    for (const seed of SEEDS) {
      const names = SIZES.map(([width, height]) =>
        styleName(composeAd(adInput({ seed, width, height })).style),
      )
      expect(new Set(names).size).toBe(1)
    }
  })

  test('most sizes have its layout', () => {
    const same = SEEDS.flatMap((seed) =>
      SIZES.map(([width, height]) => {
        const { style, layout } = composeAd(adInput({ seed, width, height }))
        return style.layout === layout
      }),
    )
    expect(same.filter(Boolean).length / same.length).toBeGreaterThan(0.7)
  })

  test.each(LAYOUTS)('%s is used where it is requested and suits', (layout) => {
    const ad = composeAd(adInput({ width: 1080, height: 1080, style: { layout } }))
    expect([ad.layout, ad.style.layout]).toEqual([layout, layout])
  })

  test('its name gives the same picture again', () => {
    const style = { layout: 'poster', ground: 'deep', scale: 'loud' } as const
    const first = composeAd(adInput({ style }))
    const named = styleNamed(styleName(first.style))
    expect(named).toEqual(first.style)
    expect(composeAd(adInput({ style: named ?? {} })).svg).toBe(first.svg)
    expect(first.svg).not.toBe(composeAd(adInput({ style: { layout: 'poster' } })).svg)
  })

  test.each([
    '',
    'poster',
    'poster-split-brand',
    'grid-split-brand-even',
    'poster-grid-brand-even',
  ])('no style is named %j', (name) => {
    expect(styleNamed(name)).toBeUndefined()
  })

  test('a louder one has a larger headline', () => {
    const sizeOf = (scale: 'calm' | 'even' | 'loud') =>
      composeAd(adInput({ style: { layout: 'rings', scale }, width: 970 })).parts.find(
        ({ role }) => role === 'headline',
      )?.texts[0]?.set.size ?? 0
    expect(sizeOf('calm')).toBeLessThan(sizeOf('even'))
    expect(sizeOf('even')).toBeLessThan(sizeOf('loud'))
  })
})
