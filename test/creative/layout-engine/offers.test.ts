import { describe, expect, test } from 'vitest'
import { type ComposedAd, composeAd } from '../../../src/creative/layout-engine/compose.ts'
import { offerIn } from '../../../src/creative/layout-engine/offer.ts'
import { saidIn } from '../../../src/creative/layout-engine/scene.ts'
import { touch } from '../../../src/creative/layout-engine/shapes.ts'
import { adInput, SIZES } from './composing.ts'

const read = (headline: string, description: string) => {
  const offer = offerIn({ headline, description, call_to_action: '' })
  return (
    offer && {
      hero: offer.hero?.figure,
      headline: offer.headline,
      rest: offer.rest,
      said: offer.statements.map(({ kind, text }) => `${kind}: ${text}`),
    }
  )
}

describe('spec 4.2: the offer of an advertisement is read from its words', () => {
  test('a price, the former one, a percentage, a code and a deadline', () => {
    expect(read('Trail boots, 30% off', 'Now £89, was £129. Code TRAIL30 until 14 June.')).toEqual({
      hero: '£89',
      headline: 'Trail boots',
      rest: '',
      said: [
        'percentage: 30% off',
        'price: Now £89',
        'former: was £129',
        'code: Code TRAIL30',
        'deadline: until 14 June',
      ],
    })
  })

  test.each([
    ['Jetzt 49 €, statt 79 €.', '49 €', ['price: Jetzt 49 €', 'former: statt 79 €']],
    [
      'الآن 120 ريال بدلاً من 200 ريال.',
      '120 ريال',
      ['price: الآن 120 ريال', 'former: بدلاً من 200 ريال'],
    ],
    ['通常39,800円が29,800円から。', '29,800円', ['former: 通常39,800円が', 'price: 29,800円から']],
    [
      'เหลือ 299 บาท ใช้โค้ด COFFEE25 ถึง 30 มิถุนายน',
      '299 บาท',
      ['price: เหลือ 299 บาท', 'code: ใช้โค้ด COFFEE25', 'deadline: ถึง 30 มิถุนายน'],
    ],
    ['थाली सिर्फ ₹149, पहले ₹299।', '₹149', ['price: थाली सिर्फ ₹149', 'former: पहले ₹299']],
  ])('in other languages: %s', (description, hero, said) => {
    expect(read('A headline', description)).toMatchObject({ hero, said, rest: '' })
  })

  test('what is no part of it stays in the description', () => {
    const { rest, hero } = read('Lamp', 'Light for dark mornings. $79, was $119.') ?? {}
    expect([rest, hero]).toEqual(['Light for dark mornings.', '$79'])
  })

  test.each([
    'Made of 100% recycled wool.',
    'Free shipping on orders over £50.',
    'Minimum order £25.',
    'Two fittings, thirty years of wear.',
    'Was £129.',
  ])('a figure that is none: %s', (description) => {
    expect(read('Made to be measured', description)).toBeUndefined()
  })
})

const OFFERS = [
  ['Trail boots, 30% off', 'Now £89, was £129. Code TRAIL30 until 14 June.'],
  ['Light that wakes you gently', 'The sunrise lamp for dark mornings. $79, was $119.'],
  ['خصم على العطور', 'الآن 120 ريال بدلاً من 200 ريال. الكود OUD40 حتى 15 مارس.'],
  ['京都の春を歩く二泊三日の旅', '通常39,800円が29,800円から。3月31日まで。'],
  ['घर का खाना, अब ऑफिस में', 'पहले ऑर्डर पर 50% छूट। कोड GHAR50।'],
] as const

const composed = (
  [headline, description]: readonly [string, string],
  [width, height]: readonly [number, number],
): ComposedAd =>
  composeAd(
    adInput({ texts: { headline, description, call_to_action: 'Shop now' }, width, height }),
  )

describe('spec 4.2: an offer is drawn apart from the sentences', () => {
  test.each(OFFERS)('%s: in every size nothing overlaps, and no word is added', (...texts) => {
    for (const size of SIZES) {
      const ad = composed(texts, size)
      const boxes = ad.parts.map(({ box }) => box)
      for (const [index, box] of boxes.entries()) {
        expect(box.x).toBeGreaterThanOrEqual(-0.5)
        expect(box.x + box.width).toBeLessThanOrEqual(ad.width + 0.5)
        expect(box.y + box.height).toBeLessThanOrEqual(ad.height + 0.5)
        for (const other of boxes.slice(index + 1)) expect(touch(box, other, -0.5)).toBe(false)
      }
      const offers = ad.parts.filter(({ role }) => role === 'offer')
      for (const { texts: drawn, box } of offers) {
        for (const { set, box: own } of drawn) {
          expect(texts.join(' ')).toContain(set.text)
          expect(own.x).toBeGreaterThanOrEqual(box.x - 0.5)
          expect(own.x + own.width).toBeLessThanOrEqual(box.x + box.width + 0.5)
        }
      }
    }
  })

  test.each(SIZES)('the price is the largest thing of %ix%i', (...size) => {
    const ad = composed(OFFERS[1], size)
    const figure = ad.parts
      .flatMap(({ texts }) => texts)
      .reduce((a, b) => (b.set.size > a.set.size ? b : a))
    expect(figure.set.text).toBe('$79')
  })

  test('the former price has a line through it, and the code an outline', () => {
    const ad = composed(OFFERS[0], [300, 250])
    const offer = ad.parts.find(({ role }) => role === 'offer')
    const former = offer?.texts.find(({ set }) => set.text === '£129')
    const shapes = offer?.shapes.join('') ?? ''
    expect(former).toBeDefined()
    const line = /<rect[^>]*width="([\d.]+)" height="([\d.]+)" fill="#/.exec(shapes)
    expect(Number(line?.[1])).toBeGreaterThan(former?.set.width ?? Number.POSITIVE_INFINITY)
    expect(Number(line?.[2])).toBeLessThan((former?.set.size ?? 0) / 4)
    expect(shapes).toContain('stroke-dasharray')
    expect(saidIn(ad.parts, 'headline')).toBe(OFFERS[0][0])
    expect(saidIn(ad.parts, 'description')).toBe(OFFERS[0][1])
    expect(ad.shortened).toEqual([])
  })

  test('a strip gives up its slogan before its price', () => {
    const slogan = 'Wärmepumpe einbauen lassen, so bequem und so günstig wie noch nie zuvor'
    const ad = composed([slogan, 'Festpreis 14.900 €, bis 30. April.'], [320, 50])
    expect(saidIn(ad.parts, 'offer')).toContain('14.900 €')
    expect(ad.shortened).toContain('description')
  })
})
