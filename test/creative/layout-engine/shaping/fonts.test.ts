import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { composeAd } from '../../../../src/creative/layout-engine/compose.ts'
import { FONT_FILES } from '../../../../src/creative/layout-engine/faces.ts'
import { drawable } from '../../../../src/creative/layout-engine/shaping/drawable.ts'
import { openFontInstance } from '../../../../src/creative/layout-engine/shaping/font-instance.ts'
import {
  FONT_PACKAGES,
  isInstalled,
  openPackage,
  packageFor,
} from '../../../../src/creative/layout-engine/shaping/font-packages.ts'
import { useFontsDir } from '../../../../src/creative/layout-engine/shaping/own-fonts.ts'
import { shapeLine } from '../../../../src/creative/layout-engine/shaping/shape-line.ts'
import { lettersIn, subsetCut } from '../../../../src/creative/layout-engine/shaping/subset-font.ts'
import { writingOf } from '../../../../src/creative/layout-engine/shaping/writing.ts'
import { adInput } from '../composing.ts'

describe('font packages', () => {
  test('those that come along are installed, and their files are found by letter', () => {
    for (const fonts of FONT_PACKAGES.filter(({ isUsual }) => isUsual))
      expect(isInstalled(fonts), fonts.name).toBe(true)
    const japanese = FONT_PACKAGES.find(({ scripts }) => scripts === 'Japanese')
    expect(japanese && openPackage(japanese)?.fileFor(0x3042)).toMatch(
      /noto-sans-jp-\d+-wght-normal\.woff2$/,
    )
  })

  test('one that is not there is none', () => {
    const absent = { name: '@fontsource-variable/no-such', scripts: 'None', isUsual: true }
    expect(isInstalled(absent)).toBe(false)
    expect(openPackage(absent)).toBeUndefined()
  })

  test.each([
    ['今日は', '@fontsource-variable/noto-sans-jp'],
    ['今日', '@fontsource-variable/noto-sans-sc'],
    ['สวัสดี', '@fontsource-variable/noto-sans-thai'],
    ['🎉', '@fontsource-variable/noto-emoji'],
    ['𒀀', undefined],
  ])('for %s the one to install is %s', (letters, name) => {
    expect(packageFor(letters, () => false)?.name).toBe(name)
  })

  test('one that is there already is not to be installed: rare Chinese letters need the other', () => {
    expect(packageFor('齜')?.name).toBe('@fontsource-variable/noto-sans-tc')
    expect(packageFor('สวัสดี')).toBeUndefined()
  })

  test('of the 5401 letters of Traditional Chinese that are used most, all but a few are drawn', () => {
    const big5 = new TextDecoder('big5')
    const letters: string[] = []
    for (let row = 0xa4; row <= 0xc6; row++)
      for (let cell = 0x40; cell <= 0xfe; cell++) {
        const isFirstLevel = row < 0xc6 || cell <= 0x7e
        const letter = big5.decode(new Uint8Array([row, cell]))
        if (isFirstLevel && /^\p{sc=Han}$/u.test(letter)) letters.push(letter)
      }
    expect(letters).toHaveLength(5_401)
    expect(drawable(letters.join(''), 'zh').missing.length).toBeLessThanOrEqual(26)
  })
})

describe('letters', () => {
  test('of Arabic join, and stand from right to left', () => {
    const arabic = writingOf(['سلام'])
    expect(arabic).toEqual({ language: 'ar', direction: 'rtl' })
    const word = shapeLine('سلام', 'bold', arabic)
    const apart = [...'سلام'].map((letter) => shapeLine(letter, 'bold', arabic).width)
    expect(word.width).toBeLessThan(apart.reduce((sum, width) => sum + width) * 0.95)
  })

  test('of a Latin name within Hebrew stand from left to right', () => {
    const { runs } = shapeLine('קפה Acme טוב', 'bold', { language: 'he', direction: 'rtl' })
    expect(runs.map(({ text }) => text.trim()).filter(Boolean)).toEqual(['טוב', 'Acme', 'קפה'])
  })

  test.each([
    ['hi', 'क्षेत्र'],
    ['th', 'ทำน้ำผึ้ง'],
    ['ar', 'للأيام'],
    ['vi', 'ướ'],
    ['ja', 'がパー'],
    ['ko', '뷁'],
    ['he', 'שָׁלוֹם'],
  ])(
    'of a few words make a small font that shapes them as the whole one does: %s',
    (language, word) => {
      const isRightToLeft = language === 'ar' || language === 'he'
      const direction = isRightToLeft ? 'rtl' : 'ltr'
      const [run] = shapeLine(word, 'black', { language, direction }).runs
      if (run?.text !== word) throw new Error('it is not one run')
      const bytes = subsetCut(run.cut, lettersIn(word))
      expect(bytes.byteLength).toBeLessThan(run.cut.file.byteLength / 2)
      const small = openFontInstance('small', bytes, 400)
      const piece = { from: 0, to: word.length, isRightToLeft, language }
      const places = (cut: typeof small) =>
        cut.shape(word, piece).map(({ advance, x, y }) => [advance, x, y])
      expect(places(small)).toEqual(places(run.cut))
      expect(small.shape(word, piece).every(({ glyph }) => glyph !== 0)).toBe(true)
      expect(small.has('Q'.codePointAt(0) as number)).toBe(false)
    },
  )
})

describe('fonts of the operator', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'adwire-fonts-'))
    for (const [index, file] of FONT_FILES.entries())
      copyFileSync(file, join(folder, `${index}.ttf`))
    writeFileSync(join(folder, 'broken.otf'), 'this is no font')
    writeFileSync(join(folder, 'readme.txt'), 'not looked at')
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  afterEach(() => void useFontsDir(''))

  test('are used before all others, and a file that is not a font is reported', () => {
    const { families, unused } = useFontsDir(folder)
    expect(families).toEqual(['Adwire Sans'])
    expect(unused).toEqual([{ file: 'broken.otf', reason: 'it is no font with letters' }])
    const headline = composeAd(adInput()).parts.find(({ role }) => role === 'headline')
    const cuts = headline?.texts.flatMap(({ set }) => set.shaped ?? []).flatMap(({ runs }) => runs)
    expect(cuts?.map(({ cut }) => cut.id)).toContain(`${join(folder, '2.ttf')} black`)
  })

  test('are set as wide as without shaping, for the same letters', () => {
    const width = () => {
      const ad = composeAd(adInput({ layout: 'aurora' }))
      const part = ad.parts.find(({ role }) => role === 'description')
      return part?.texts[0]?.set.width ?? 0
    }
    const plain = width()
    useFontsDir(folder)
    expect(Math.abs(width() / plain - 1)).toBeLessThan(0.02)
  })
})

describe('spec 4.2: an advertisement from right to left', () => {
  const ad = (name: string) =>
    composeAd(adInput({ brand: { name, logos: [] }, offering: { name }, layout: 'slant' }))

  test('has brand, texts and button where the others have them, mirrored', () => {
    const [left, right] = [ad('Northwind'), ad('רוח צפונית')]
    expect(left.scene.writing.direction).toBe('ltr')
    expect(right.scene.writing.direction).toBe('rtl')
    for (const role of ['brand', 'headline', 'call_to_action']) {
      const [a, b] = [left, right].map((one) => one.parts.find((part) => part.role === role)?.box)
      if (!a || !b) throw new Error(`no ${role}`)
      expect(b.x + b.width, role).toBeCloseTo(right.width - a.x, 5)
    }
    expect(right.svg).toContain('<g transform="translate(300 0) scale(-1 1)">')
  })

  test('keeps its logo as it is', () => {
    const dataUri = `data:image/png;base64,${Buffer.from('a logo').toString('base64')}`
    const logos = [{ dataUri, width: 400, height: 100 }]
    const { svg } = composeAd(adInput({ brand: { name: 'רוח', logos }, offering: { name: 'רוח' } }))
    expect(svg).toMatch(/<g transform="translate\([\d.]+ 0\)"><image/)
  })
})
