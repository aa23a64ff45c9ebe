import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import { describe, expect, test } from 'vitest'
import { composeAd } from '../../../src/creative/layout-engine/compose.ts'
import {
  type Face,
  FONT_FILES,
  WEIGHTS,
  widthOf,
} from '../../../src/creative/layout-engine/faces.ts'
import { fitSentences, fitText } from '../../../src/creative/layout-engine/fit-text.ts'
import { drawable } from '../../../src/creative/layout-engine/shaping/drawable.ts'
import { subsetFont } from '../../../src/creative/layout-engine/subset-font.ts'
import { adInput } from './composing.ts'

const SAMPLES = [
  'AVATAR To. Wave',
  'Größe Łódź façade',
  'Ταχίστη αλώπηξ',
  'Съешь ещё',
  '€ 1,299.00 – 20%',
]

test.each(FONT_FILES)('%s is small enough to ship', (file) => {
  expect(statSync(file).size).toBeLessThan(200_000)
})

describe('a line is measured as it is drawn', () => {
  test.each(Object.keys(WEIGHTS) as Face[])('in %s', (face) => {
    for (const text of SAMPLES)
      expect(Math.abs(widthOf(text, face, 100) - drawnWidth(text, face)), text).toBeLessThan(1.1)
  })

  test('kerning brings the letters of AV together', () => {
    const apart = widthOf('A', 'black', 100) + widthOf('V', 'black', 100)
    expect(widthOf('AV', 'black', 100)).toBeLessThan(apart - 2)
  })
})

test('what no font can draw is reported, and omitted with the gap it would leave', () => {
  expect(drawable('Hot 🔥 deal 今日 \u{12000} now', 'ja')).toEqual({
    text: 'Hot 🔥 deal 今日 now',
    missing: ['\u{12000}'],
  })
  expect(drawable('A\u030angstrom', '')).toEqual({ text: 'Ångstrom', missing: [] })
})

describe('a text is set into its box', () => {
  const options = {
    face: 'black',
    writing: { language: '', direction: 'ltr' },
    width: 200,
    height: 100,
    largest: 40,
    smallest: 12,
    lines: 3,
    leading: 1.1,
  } as const

  test('in the largest size at which it fits', () => {
    expect(fitText({ ...options, text: 'Sale' })).toMatchObject({ size: 40, lines: ['Sale'] })
    expect(fitText({ ...options, text: 'A much longer line of words' })?.size).toBeLessThan(40)
  })

  test('with lines of about one length', () => {
    const lines =
      fitText({ ...options, text: 'one two three four five six', largest: 14, width: 140 })
        ?.lines ?? []
    expect(lines).toEqual(['one two three', 'four five six'])
  })

  test('with an ellipsis when no size is small enough, and not at all without room', () => {
    const long = 'word '.repeat(60).trim()
    expect(fitText({ ...options, text: long })?.lines.at(-1)).toMatch(/word…$/)
    expect(fitText({ ...options, text: 'W'.repeat(60) })?.lines).toEqual([
      expect.stringMatching(/^W+…$/),
    ])
    expect(fitText({ ...options, text: 'Sale', height: 5 })).toBeUndefined()
    expect(fitText({ ...options, text: 'Sale', width: 5 })).toBeUndefined()
  })

  test('by whole sentences where it may', () => {
    const text = 'Short one. And a second one that is far too long to be set in here.'
    expect(fitSentences({ ...options, text, lines: 1 })?.lines).toEqual(['Short one.'])
  })
})

test('a font of some letters draws them as the whole one does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-fonts-'))
  try {
    const ad = composeAd(
      adInput({ offering: { name: 'AVATAR Öl & Tö', description: 'Ελλάδα. To Wave.' } }),
    )
    const files = (Object.keys(WEIGHTS) as Face[]).map((face) => {
      const letters = ad.parts
        .flatMap(({ texts }) => texts)
        .flatMap(({ set }) => set.lines)
        .join('')
      const file = join(folder, `${face}.ttf`)
      const bytes = subsetFont(face, letters)
      expect(bytes.byteLength).toBeLessThan(25_000)
      writeFileSync(file, bytes)
      return file
    })
    expect(pixels(ad.svg, files).equals(pixels(ad.svg, FONT_FILES))).toBe(true)
    expect(pixels(ad.svg, []).equals(pixels(ad.svg, FONT_FILES))).toBe(false)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** In whole pixels of some hundreds: the distance between the same line drawn from its beginning and drawn up to its end. */
function drawnWidth(text: string, face: Face): number {
  const left = (anchor: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="200"><text x="2000" y="120" font-family="Adwire Sans" font-size="100" font-weight="${WEIGHTS[face]}" text-anchor="${anchor}">${text}</text></svg>`
    return new Resvg(svg, { font: fonts(FONT_FILES) }).innerBBox()?.x ?? 0
  }
  return left('start') - left('end')
}

function pixels(svg: string, files: string[]): Buffer {
  return new Resvg(svg, { font: fonts(files) }).render().pixels
}

function fonts(fontFiles: string[]) {
  return { loadSystemFonts: false, fontFiles, defaultFontFamily: 'Adwire Sans' }
}
