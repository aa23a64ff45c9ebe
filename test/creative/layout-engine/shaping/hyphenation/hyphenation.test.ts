import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { composeAd } from '../../../../../src/creative/layout-engine/compose.ts'
import { composeHtml } from '../../../../../src/creative/layout-engine/compose-html.ts'
import { fitText } from '../../../../../src/creative/layout-engine/fit-text.ts'
import {
  type HyphenOptions,
  hyphensFor,
} from '../../../../../src/creative/layout-engine/shaping/hyphenation/hyphen-breaks.ts'
import {
  commonPartingsOf,
  partingsOf,
} from '../../../../../src/creative/layout-engine/shaping/hyphenation/hyphenate.ts'
import { HYPHENATED_LANGUAGES } from '../../../../../src/creative/layout-engine/shaping/hyphenation/patterns.ts'
import { likelyLanguages } from '../../../../../src/creative/message/language.ts'
import { adInput } from '../../composing.ts'

function parted(word: string, places: readonly number[]): string {
  return [0, ...places].map((from, index) => word.slice(from, places[index])).join('-')
}

describe('a word is parted by the rules of its language', () => {
  test.each([
    ['de', 'Do-nau-dampf-schiff-fahrts-ge-sell-schaft'],
    ['fi', 'Len-to-ko-ne-suih-ku-tur-bii-ni-moot-tori'],
    ['nl', 'Ziek-te-kos-ten-ver-ze-ke-rin-gen'],
    ['sv', 'För-säk-rings-bo-lags-för-med-ling'],
    ['da', 'Ejen-doms-mæg-ler-virk-som-hed'],
    ['nb', 'Men-neske-ret-tig-hets-or-ga-ni-sa-sjon'],
    ['es', 'Elec-tro-do-més-ti-cos'],
    ['fr', 'An-ti-cons-ti-tu-tion-nel-le-ment'],
    ['it', 'Pre-ci-pi-te-vo-lis-si-me-vol-mente'],
    ['pt', 'Pro-mo-ções'],
    ['pl', 'Naj-przed-niej-sze'],
    ['cs', 'Elek-tro-spo-tře-biče'],
    ['hu', 'Biz-to-sí-tó-tár-sa-sá-gok'],
    ['tr', 'De-ğer-len-di-ri-le-bi-lir-lik'],
    ['en', 'Inter-na-tion-al-iza-tion'],
    ['ru', 'До-сто-при-ме-ча-тель-но-сти'],
    ['uk', 'Най-не-пе-ре-вер-ше-ні-ший'],
    ['el', 'Ηλε-κτρο-ε-γκε-φα-λο-γρά-φημα'],
    ['bg', 'За-бе-ле-жи-тел-ности'],
  ])('%s: %s', (language, expected) => {
    const word = expected.replaceAll('-', '')
    expect(parted(word, partingsOf(word, language))).toBe(expected)
  })

  test('capitals are parted as small letters are, and where two languages may be meant as both do', () => {
    expect(partingsOf('VERSICHERUNGEN', 'de')).toEqual(partingsOf('Versicherungen', 'de'))
    const word = 'Verzekeringen'
    const both = commonPartingsOf(word, ['nl', 'de'])
    expect(both.length).toBeGreaterThan(0)
    for (const language of ['nl', 'de'])
      expect(partingsOf(word, language)).toEqual(expect.arrayContaining(both))
  })

  test('short words, endless ones and other languages are not parted', () => {
    expect(partingsOf('Hütte', 'de')).toEqual([])
    expect(partingsOf('schaft'.repeat(40), 'de')).toEqual([])
    expect(partingsOf('Donaudampfschiff', 'xx')).toEqual([])
  })

  test('every language has its patterns, and every file the word of its author', () => {
    const folder = new URL(
      '../../../../../src/creative/layout-engine/shaping/hyphenation/patterns/',
      import.meta.url,
    )
    const files = readdirSync(folder).filter((name) => name !== 'LICENSES.txt')
    expect(files.sort()).toEqual(HYPHENATED_LANGUAGES.map((language) => `${language}.txt`).sort())
    const licences = readFileSync(new URL('LICENSES.txt', folder), 'utf8')
    for (const file of files) expect(licences).toMatch(new RegExp(`^(?:---- )?${file}`, 'm'))
  })

  test('a part has at least two letters at the beginning and three at the end, in whatever word', () => {
    const letters = fc.constantFrom(
      ...'abcdefghijklmnopqrstuvwxyzäöüåøæéèçñßłőşığžčабвгдежиоуαβγεοω',
    )
    const words = fc.array(letters, { minLength: 1, maxLength: 40 }).map((all) => all.join(''))
    fc.assert(
      fc.property(words, fc.constantFrom(...HYPHENATED_LANGUAGES), (word, language) => {
        for (const place of partingsOf(word, language)) {
          expect(place).toBeGreaterThanOrEqual(2)
          expect(word.length - place).toBeGreaterThanOrEqual(3)
        }
      }),
    )
  })
})

describe('the language is detected from the words', () => {
  test.each([
    ['de', 'Kraftfahrzeughaftpflichtversicherung'],
    ['de', 'Wohnungsbaugenossenschaft'],
    ['nl', 'Hypotheekadviesgesprek bij ons op kantoor'],
    ['fi', 'Asuntolainaneuvottelu'],
    ['sv', 'Bostadsrättsförening för alla'],
    ['da', 'Boligselskabets hjemmeside og åbningstider'],
    ['es', 'Descuentos extraordinarios en electrodomésticos'],
    ['fr', 'Développement durable pour votre maison'],
    ['it', 'Assicurazioni per la tua automobile'],
    ['pt', 'Condições especiais de financiamento'],
    ['pl', 'Ubezpieczenie mieszkaniowe'],
    ['cs', 'Nejvýhodnější pojištění'],
    ['hu', 'Lakásbiztosítási kedvezmények'],
    ['tr', 'Sigortalarınızı karşılaştırın'],
    ['en', 'Housewarming gifts for your neighbourhood'],
    ['ru', 'Электростанции'],
    ['uk', 'Електростанції'],
    ['el', 'Ασφάλειες αυτοκινήτου'],
  ])('%s: %s', (language, text) => {
    expect(likelyLanguages(text)[0]).toBe(language)
  })

  test('and not where there is nothing to detect it from', () => {
    expect(likelyLanguages('Xkcd 2000')).toEqual([])
    expect(likelyLanguages('12 %')).toEqual([])
  })
})

const breaks = (text: string, options: Partial<HyphenOptions> = {}) => {
  const hyphens = hyphensFor({ languages: ['de'], marked: [], names: [], ...options })
  return parted(
    text,
    hyphens.breaksIn(text).map(({ to }) => to),
  )
}

describe('what stays whole', () => {
  test.each([
    'www.versicherungsgesellschaft.example/lebensversicherung',
    'kundenbetreuung@versicherung.example',
    'SOMMERSCHLUSS24',
    'EUR1.299,00',
    'VersicherungsKammer',
    'MERCEDES',
  ])('%s', (text) => {
    expect(breaks(text)).toBe(text)
  })

  test('the words of the brand’s name', () => {
    expect(breaks('Die Sparkassenversicherung', { names: ['SPARKASSENVERSICHERUNG'] })).toBe(
      'Die Sparkassenversicherung',
    )
  })

  test('in languages with small nouns a capital within a sentence, not in a line of capitals', () => {
    const english = { languages: ['en'] }
    expect(breaks('Meet our new friends in Philadelphia today', english)).toContain(
      ' Philadelphia ',
    )
    expect(breaks('Exceptional Craftsmanship', english)).toContain('Crafts-man')
    expect(breaks('great offers. Craftsmanship for everyone', english)).toContain('Crafts-man')
  })
})

test('a word with soft hyphens is parted there and nowhere else, also when it is a name', () => {
  const marked = ['Stau\u00adbecken\u00adwerk heute']
  expect(breaks('Staubeckenwerk heute', { marked, names: ['Staubeckenwerk'] })).toBe(
    'Stau-becken-werk heute',
  )
})

describe('a text is set with hyphens', () => {
  const set = (text: string, textOptions = {}) =>
    fitText({
      text,
      face: 'black',
      writing: {
        language: 'de',
        direction: 'ltr',
        hyphens: hyphensFor({ languages: ['de'], marked: [], names: [] }),
      },
      width: 140,
      height: 200,
      largest: 30,
      smallest: 14,
      lines: 6,
      leading: 1.1,
      ...textOptions,
    })

  test('when a word is too long for a line, and readers of the text get it whole', () => {
    const word = 'Donaudampfschifffahrtsgesellschaft'
    const result = set(word)
    expect(result?.text).toBe(word)
    expect(result?.lines.length).toBeGreaterThan(1)
    expect(result?.parted).toEqual(result?.lines.slice(0, -1).map((_line, index) => index))
    for (const line of result?.lines.slice(0, -1) ?? []) expect(line).toMatch(/\p{L}-$/u)
    expect(result?.lines.join('').replaceAll('-', '')).toBe(word)
    expect(result?.size).toBeGreaterThanOrEqual(14)
    expect(result?.width).toBeLessThanOrEqual(140)
  })

  test('not when its words fit', () => {
    const result = set('Familienermäßigung heute', { width: 400 })
    expect(result?.parted).toBeUndefined()
    expect(result?.lines.join(' ')).toBe('Familienermäßigung heute')
  })

  test('instead of very small for the sake of one word', () => {
    const textOptions = { width: 260, smallest: 8 }
    const result = set('Lebensversicherungsgesellschaft', textOptions)
    expect(result?.lines).toHaveLength(2)
    const whole = set('Lebensversicherungsgesellschaft', { ...textOptions, lines: 1 })
    expect(result?.size).toBeGreaterThan((whole?.size ?? 0) * 1.35)
  })

  test('and on a button never', () => {
    const result = set('Versicherungsgesellschaft', { lines: 1 })
    expect(result?.lines).toHaveLength(1)
    expect(result?.lines[0]).not.toMatch(/-$/)
  })
})

test('spec 4.2: picture and banner part the same words, and nothing counts as shortened', () => {
  const offering = { name: 'Donaudampfschifffahrtsgesellschaft', description: 'Für alle.' }
  const ad = composeAd(adInput({ offering, width: 160, height: 600 }))
  expect(ad.shortened).toEqual([])
  expect(ad.scene.writing.language).toBe('de')
  const headline = ad.parts.find(({ role }) => role === 'headline')?.texts[0]?.set
  const html = composeHtml(ad)
  for (const line of headline?.lines ?? []) {
    expect(ad.svg).toContain(`>${line}</text>`)
    expect(html).toContain(`>${line}</text>`)
  }
  expect(html).toContain('<html lang="de">')
  expect(html).toContain('<title>Donaudampfschifffahrtsgesellschaft</title>')
})

test('two words that could be of any language are said to be of none', () => {
  const html = (name: string) =>
    composeHtml(composeAd(adInput({ offering: { name }, width: 300, height: 250 })))
  expect(html('Super Sport')).not.toContain(' lang=')
  expect(html('New boots for the trail')).toContain('<html lang="en">')
  expect(html('Neue Stiefel für den Weg')).toContain('<html lang="de">')
})

test('spec 4.2: soft hyphens of a headline part it, and are nowhere to be seen', () => {
  const name = 'Kreuz\u00adzügig\u00adkeitsmanufaktur'
  const ad = composeAd(adInput({ offering: { name }, width: 160, height: 600 }))
  const headline = ad.parts.find(({ role }) => role === 'headline')?.texts[0]?.set
  expect(headline?.text).toBe(name.replaceAll('\u00ad', ''))
  expect(headline?.lines.join('')).not.toContain('\u00ad')
  expect(composeHtml(ad)).not.toContain('\u00ad')
})
