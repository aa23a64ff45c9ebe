import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  contrast,
  groundFor,
  mix,
  readColour,
  SHAPE_CONTRAST,
  TEXT_CONTRAST,
} from '../../../src/creative/layout-engine/colours.ts'
import { diceOf } from '../../../src/creative/layout-engine/dice.ts'
import { paletteOf, surfaceOn } from '../../../src/creative/layout-engine/palette.ts'

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#ff0000', '#ffffff', 4],
])('WCAG 2.2: the contrast of %s and %s is %d', (a, b, ratio) => {
  expect(contrast(a, b)).toBeCloseTo(ratio, 1)
})

test('a mixture begins with one colour and ends with the other', () => {
  expect([0, 0.5, 1].map((share) => mix('#000000', '#ff8040', share))).toEqual([
    '#000000',
    '#804020',
    '#ff8040',
  ])
})

test.each([
  ['#F0a', '#ff00aa'],
  ['#F0a8', '#ff00aa'],
  ['#FF00aa', '#ff00aa'],
  ['#ff00aa80', '#ff00aa'],
])('%s is read as %s', (value, read) => {
  expect(readColour(value)).toBe(read)
})

test.each(['red', '#ff', '#fffff', '#12345g', '#1234567', 7, undefined])(
  '%j is no colour',
  (value) => {
    expect(readColour(value)).toBeUndefined()
  },
)

test('WCAG 1.4.3: whatever the colours of the brand, every text can be read where it stands', () => {
  fc.assert(
    fc.property(
      colour,
      colour,
      colour,
      colour,
      colour,
      (primary, secondary, accent, background, text) => {
        const palette = paletteOf({ primary, secondary, accent, background, text }, diceOf('x'))
        expect(palette.primary).toBe(primary)
        for (const ground of [palette.primary, palette.paper, '#ffffff']) {
          const surface = surfaceOn(ground, palette)
          expect(contrast(surface.text, ground)).toBeGreaterThanOrEqual(TEXT_CONTRAST)
          expect(contrast(surface.quiet, ground)).toBeGreaterThanOrEqual(TEXT_CONTRAST)
          expect(contrast(surface.label, surface.button)).toBeGreaterThanOrEqual(TEXT_CONTRAST)
          expect(contrast(surface.button, ground)).toBeGreaterThanOrEqual(SHAPE_CONTRAST)
        }
      },
    ),
    // No colour of this brand stands out from its primary; black does.
    { examples: [['#097acc', '#003627', '#4a1c4a', '#000000', '#32088e']] },
  )
})

test('a ground is moved only as far as its text needs', () => {
  expect(groundFor('#ffffff', '#000080')).toBe('#000080')
  const repaired = groundFor('#ffffff', '#ff8800')
  expect(contrast(repaired, '#ffffff')).toBeGreaterThanOrEqual(TEXT_CONTRAST)
  expect(contrast(repaired, '#ffffff')).toBeLessThan(5)
})

test('a brand without colours gets its own, the same every time', () => {
  const of = (name: string) => paletteOf(undefined, diceOf(name)).primary
  expect(of('Acme')).toBe(of('Acme'))
  expect(new Set(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(of)).size).toBeGreaterThan(2)
})
