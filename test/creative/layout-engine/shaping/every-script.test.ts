import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  LAYOUTS,
  LIGHT_CELLS,
  PHOTO_LAYOUTS,
  type Photo,
} from '../../../../src/creative/layout-engine/ad-input.ts'
import { type ComposedAd, composeAd } from '../../../../src/creative/layout-engine/compose.ts'
import { fontOf } from '../../../../src/creative/layout-engine/faces.ts'
import type { PlacedText, SceneRole } from '../../../../src/creative/layout-engine/scene.ts'
import { drawable } from '../../../../src/creative/layout-engine/shaping/drawable.ts'
import { GRAPHEMES } from '../../../../src/creative/layout-engine/shaping/runs.ts'
import { shortNames } from '../../../../src/creative/layout-engine/short-names.ts'
import { runs } from '../../../support/runs.ts'
import { SIZES } from '../composing.ts'

/** A pangram, or words with what is hard about each script. */
const SCRIPTS: Readonly<Record<string, string>> = {
  Latin: 'Où l’œuvre façonnée à Łódź grüßt Åsa, Žižek & Ğül – 1 299,00 € naïve',
  Greek: 'Ταχίστη αλώπηξ βαφής ψημένη γη δρασκελίζει υπέρ νωθρού κυνός Ἀθῆναι',
  Cyrillic: 'Съешь же ещё этих мягких французских булок да выпей чаю Ґанок Ђорђе',
  Vietnamese: 'Đậm đà hương vị truyền thống ướp lạnh ngọt ngào trẻ thơ ẵm bế',
  Arabic: 'أحذية خفيفة للأيام الطويلة مع شحن مجاني ٪٢٠ لكل طلب من Northwind الآن',
  Urdu: 'ہلکے جوتے لمبے دنوں کے لیے ٹھنڈے پانی چھوٹے بچے',
  Hebrew: 'דג סקרן שט בים מאוכזב ולפתע מצא לו חברה 20% הנחה Wow שָׁלוֹם',
  Devanagari: 'हर रसोई के लिए शुद्ध मसाले श्री ज्ञान क्षेत्र स्त्री। मुफ़्त डिलीवरी',
  Thai: 'เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน น้ำผึ้ง',
  Chinese: '一杯好茶，慢享时光。精选明前龙井，当日采摘，次日送达。',
  Traditional: '臺灣高山烏龍茶，龜鬱龍鬚麵，讓您享受悠閒時光。',
  Japanese: 'いろはにほへと、長い一日を軽やかに歩く靴。コーヒー「新発売」ヴ',
  Korean: '키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다 뷁',
  Emoji: 'Hot deal 🔥 today 🎉 only 👍🏽 now ❤️ ok',
  German: 'Donaudampfschifffahrtsgesellschaftskapitän für Rindfleischetikettierungsgesetze',
  Finnish: 'Lentokonesuihkuturbiinimoottoriapumekaanikkoaliupseerioppilas nyt kaikille',
  Hungarian: 'Megszentségteleníthetetlenségeskedéseitekért és biztosítótársaságok',
  Russian: 'Водогрязеторфопарафинолечение и достопримечательности',
  Marked: 'Stau\u00adbecken\u00adwerks\u00adverordnung für alle\u00ad samt Ge\u00adbühr',
  Endless: 'A'.repeat(90),
  Mixed: 'Sale 20% هدايا مجانية ٢٠٢٦ 今日 von Northwind สวัสดี -50€ 0800-123456',
  Numbers: 'خصم 20% حتى 31.12.2026 على 3 منتجات (A4/B5) بسعر 1,299.00 €',
}

/** Where hardly anything finds room. */
const SMALL_SIZES = [
  [88, 31],
  [120, 60],
  [120, 600],
  [180, 150],
  [234, 60],
  [468, 60],
  [970, 90],
] as const

const CROP = {
  dataUri: 'data:image/jpeg;base64,/9j/',
  lightest: Array.from({ length: LIGHT_CELLS ** 2 }, () => '#8899aa'),
}
const PHOTO: Photo = { bleed: CROP, split: CROP, square: CROP, products: [CROP, CROP, CROP] }

const words = fc
  .tuple(fc.constantFrom(...Object.values(SCRIPTS)), fc.nat(), fc.integer({ min: 1, max: 70 }))
  .map(([text, from, length]) => {
    const letters = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment)
    const start = from % letters.length
    return [...letters.slice(start), ' ', ...letters].slice(0, length).join('')
  })

describe('spec 4.2: no word is lost, in whatever script', () => {
  test.each(Object.entries(SCRIPTS))('%s has every letter in a font', (_script, text) => {
    expect(drawable(text, '').missing).toEqual([])
  })

  test('the text read from a picture is the intended text, or its beginning, and then it is reported', () => {
    fc.assert(
      fc.property(
        fc.record({ name: words, headline: words, description: words }),
        fc.constantFrom(...SIZES, ...SMALL_SIZES),
        fc.constantFrom(...LAYOUTS, ...PHOTO_LAYOUTS),
        ({ name, headline, description }, [width, height], layout) => {
          const brand = { name, disclaimers: [{ text: headline }] }
          const offering = { name: headline, description }
          const ad = composeAd({ brand, offering, width, height, layout, photo: PHOTO })
          expect(ad.missing).toEqual([])
          for (const [role, text] of wantedOf(ad, name, headline)) expectDisplayed(ad, role, text)
        },
      ),
      { numRuns: runs({ usual: 60, all: 250 }) },
    )
  })
})

function wantedOf(ad: ComposedAd, name: string, disclaimer: string): [SceneRole, string][] {
  const { language } = ad.scene.writing
  const wanted = { brand: name, ...ad.texts, disclaimer }
  return (Object.entries(wanted) as [SceneRole, string][]).map(([role, text]) => [
    role,
    drawable(text, language).text,
  ])
}

function expectDisplayed(ad: ComposedAd, role: SceneRole, wanted: string): void {
  const isReported = ad.shortened.includes(role)
  const placed = ad.parts.find((part) => part.role === role)?.texts.at(-1)
  if (wanted === '' || (role === 'headline' && ad.texts.headline === '')) return
  if (!placed) {
    expect(isReported, `${role} is not shown`).toBe(true)
    return
  }
  const returned = readBack(placed)
  if (!isReported) {
    expect(returned, role).toBe(blankless(wanted))
    return
  }
  // A tile with the initial alone represents a name, and is reported as well.
  if (role === 'brand' && [...GRAPHEMES.segment(returned)].length === 1) return
  // A name has no mark behind it: it is one of its shorter forms, which are whole words of it.
  if (role === 'brand' && shortNames(wanted).map(blankless).includes(returned)) return
  expect(returned, role).toMatch(/[….!?؟۔।。！？]$/)
  const beginning = returned.replace(/…$/, '')
  expect(blankless(wanted).startsWith(beginning), `${beginning} of ${wanted}`).toBe(true)
  expect(endsWithWord(wanted, beginning), `${beginning}| of ${wanted}`).toBe(true)
}

/** Whether a word ends there; one that stands alone and finds no room is cut, and so are scripts without blanks. */
function endsWithWord(text: string, beginning: string): boolean {
  let at = 0
  for (let read = 0; read < beginning.length; at++) if (text[at] !== ' ') read++
  const next = text.slice(at)
  const isFirst = !text.slice(0, at).includes(' ')
  return isFirst || UNSPACED.test(next) || !/^[\p{L}\p{M}\p{N}]/u.test(next)
}

const UNSPACED = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}ー]/u

/** From the glyphs where there are some: each represents letters of its run, and none is a box. */
function readBack({ set }: PlacedText): string {
  const parted = new Set(set.parted)
  for (const [index, line] of set.lines.entries()) {
    const shaped = set.shaped?.[index]
    if (!shaped) {
      for (const letter of line)
        expect(fontOf(set.face).glyphOf(letter.codePointAt(0) as number), letter).toBeDefined()
      continue
    }
    expect(shaped.runs.flatMap(({ glyphs }) => glyphs).every(({ glyph }) => glyph !== 0)).toBe(true)
    const drawn = shaped.runs.flatMap(({ text }) => [...text])
    expect(drawn.sort().join('')).toBe([...line].sort().join(''))
  }
  // A hyphen that parts a word is seen, and is no part of it.
  const lines = set.lines.map((line, index) => (parted.has(index) ? line.slice(0, -1) : line))
  return blankless(lines.join(''))
}

function blankless(text: string): string {
  return text.replaceAll(' ', '')
}
