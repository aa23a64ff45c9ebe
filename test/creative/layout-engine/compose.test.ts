import fc from 'fast-check'
import { XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { type AdInput, LAYOUTS } from '../../../src/creative/layout-engine/ad-input.ts'
import { type ComposedAd, composeAd } from '../../../src/creative/layout-engine/compose.ts'
import type { Rect } from '../../../src/creative/layout-engine/scene.ts'
import { runs } from '../../support/runs.ts'
import { adInput, SIZES } from './composing.ts'

const LOGO = {
  dataUri: `data:image/png;base64,${Buffer.from('a logo').toString('base64')}`,
  width: 400,
  height: 100,
}

describe('spec 4.2: an advertisement is composed', () => {
  test.each(SIZES)('%ix%i: with brand, headline and button in every layout', (width, height) => {
    for (const layout of LAYOUTS) {
      const ad = composeAd(adInput({ width, height, layout }))
      const roles = ad.parts.map(({ role }) => role)
      expect(roles, layout).toEqual(expect.arrayContaining(['brand', 'headline', 'call_to_action']))
      expect(
        ad.shortened.filter((role) => role !== 'description'),
        layout,
      ).toEqual([])
      expect(ad.svg).toContain(`width="${width}" height="${height}"`)
    }
  })

  test('the same input gives the same advertisement, another seed another', () => {
    const of = (seed: string) => composeAd(adInput({ seed })).svg
    expect(of('a')).toBe(of('a'))
    expect(new Set(['a', 'b', 'c', 'd', 'e'].map(of)).size).toBeGreaterThan(2)
  })

  test('a disclaimer that is required is displayed, one that is not is omitted', () => {
    const disclaimers = [{ text: 'Terms apply.' }, { text: 'While stocks last.', required: false }]
    const ad = composeAd(adInput({ brand: { ...adInput().brand, disclaimers } }))
    expect(ad.svg).toContain('Terms apply.')
    expect(ad.svg).not.toContain('stocks')
  })

  test('on a strip a disclaimer is a line along the edge; one that is too long for it is reported', () => {
    const of = (text: string, height: number) => {
      const brand = { ...adInput().brand, disclaimers: [{ text }] }
      return composeAd(adInput({ brand, width: 320, height }))
    }
    const short = of('Terms apply.', 50)
    expect(printableText(short, 'disclaimer')).toBe('Terms apply.')
    expect(short.shortened).toEqual(['description'])
    expect(of('Terms apply. '.repeat(20), 50).shortened).toContain('disclaimer')
    expect(of('Terms apply.', 30).shortened).toContain('disclaimer')
  })

  test('another layout is taken where the first has no room for all words', () => {
    const input = { offering: { name: 'Herbstsonderangebote für alle Wanderfreunde' } }
    const seeds = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    for (const seed of seeds) {
      const ad = composeAd(adInput({ ...input, width: 728, height: 90, seed }))
      expect(ad.shortened, ad.layout).not.toContain('headline')
    }
  })

  test('a logo takes the place of the initial', () => {
    const ad = composeAd(adInput({ brand: { ...adInput().brand, logos: [LOGO] } }))
    expect(ad.svg).toContain(`href="${LOGO.dataUri}"`)
    expect(ad.svg).not.toContain('Northwind')
  })

  test.each([
    'https://cdn.example/logo.png',
    'data:image/svg+xml;base64,PHN2Zy8+',
    'data:image/png;base64,AA"/><script>',
    'file:///etc/passwd',
  ])('a logo that is %j is not used', (dataUri) => {
    const ad = composeAd(adInput({ brand: { ...adInput().brand, logos: [{ ...LOGO, dataUri }] } }))
    expect(ad.svg).not.toContain('<image')
    expect(ad.svg).toContain('Northwind')
  })

  test('letters that no font has are reported, and omitted from the picture', () => {
    const ad = composeAd(adInput({ offering: { name: 'Sale 𒀀 now' } }))
    expect(ad.missing).toEqual([{ role: 'headline', letters: ['𒀀'] }])
    expect(printableText(ad, 'headline')).toBe('Sale now')
    expect(ad.texts.headline).toBe('Sale 𒀀 now')
  })
})

describe('whatever the input', () => {
  test('every text lies within the canvas and no two parts overlap', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const ad = composeAd(input)
        const canvas = { x: 0, y: 0, width: input.width, height: input.height }
        for (const part of ad.parts) {
          expectInside(part.box, canvas, part.role)
          // The letters of a button may be taller than its capitals' middle says, by a hair.
          for (const text of part.texts)
            expectInside(text.box, grown(part.box, text.set.size * 0.3), part.role)
          for (const text of part.texts) expectInside(text.box, canvas, part.role)
        }
        expect(overlaps(ad)).toEqual([])
      }),
      { numRuns: runs({ usual: 100, all: 400 }) },
    )
  })

  test('the SVG is well-formed and refers to nothing outside', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { svg } = composeAd(input)
        expect(XMLValidator.validate(svg)).toBe(true)
        const markup = svg.replace(/>[^<]*</g, '><')
        expect(markup.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
          /:\/\/|<script|<foreignObject|\son\w+=|NaN|Infinity|undefined/,
        )
      }),
      { numRuns: runs({ usual: 60, all: 200 }) },
    )
  })
})

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)
const words = fc.oneof(
  fc.lorem({ maxCount: 20 }),
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.constantFrom(
    '',
    'W'.repeat(80),
    '<script>alert("1")</script> & "more"',
    ']]>',
    'Ärger mit Öl',
  ),
)
const anyInput: fc.Arbitrary<AdInput> = fc.record(
  {
    brand: fc.record(
      {
        name: words,
        colors: fc.record(
          { primary: colour, secondary: colour, accent: colour },
          { requiredKeys: [] },
        ),
        logos: fc.constantFrom(
          [],
          [LOGO],
          [{ ...LOGO, width: 1, height: 900 }],
          [{ ...LOGO, width: 5000, height: 3 }],
        ),
        disclaimers: fc.array(fc.record({ text: words }), { maxLength: 2 }),
        tone: fc.constantFrom('premium', 'urgent', ''),
      },
      { requiredKeys: [] },
    ),
    offering: fc.record({ name: words, description: words }),
    message: words,
    width: fc.oneof(fc.integer({ min: 1, max: 2400 }), fc.constantFrom(300, 320, 728)),
    height: fc.oneof(fc.integer({ min: 1, max: 2400 }), fc.constantFrom(50, 90, 250)),
    layout: fc.constantFrom(...LAYOUTS),
  },
  { requiredKeys: ['brand', 'width', 'height', 'layout'] },
)

function printableText({ parts }: ComposedAd, role: string): string | undefined {
  return parts.find((part) => part.role === role)?.texts.at(-1)?.set.text
}

function expectInside(box: Rect, room: Rect, role: string): void {
  const hair = 0.01
  expect(box.x, role).toBeGreaterThanOrEqual(room.x - hair)
  expect(box.y, role).toBeGreaterThanOrEqual(room.y - hair)
  expect(box.x + box.width, role).toBeLessThanOrEqual(room.x + room.width + hair)
  expect(box.y + box.height, role).toBeLessThanOrEqual(room.y + room.height + hair)
}

function grown(box: Rect, by: number): Rect {
  return { x: box.x, y: box.y - by, width: box.width, height: box.height + 2 * by }
}

function overlaps({ parts }: ComposedAd): string[] {
  const hair = 0.01
  return parts.flatMap((a, i) =>
    parts
      .slice(i + 1)
      .filter(
        ({ box: b }) =>
          a.box.x + hair < b.x + b.width &&
          b.x + hair < a.box.x + a.box.width &&
          a.box.y + hair < b.y + b.height &&
          b.y + hair < a.box.y + a.box.height,
      )
      .map((b) => `${a.role} and ${b.role}`),
  )
}

test('spec 4.2: words that are given are drawn as they are written, quotation marks and all', () => {
  const headline = 'Say "yes" to 5.5" screens'
  const { texts, parts } = composeAd(adInput({ width: 970, height: 250, texts: { headline } }))
  const drawn = parts.find(({ role }) => role === 'headline')?.texts.flatMap(({ set }) => set.lines)
  expect(texts.headline).toBe(headline)
  expect(drawn?.join(' ')).toBe(headline)
})
