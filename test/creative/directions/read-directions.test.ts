import { describe, expect, test } from 'vitest'
import type { Direction } from '../../../src/creative/directions/direction.ts'
import { readDirections } from '../../../src/creative/directions/read-directions.ts'
import {
  conceptsIn,
  type FoundConcept,
} from '../../../src/creative/message/concepts/concepts-in.ts'

const read = (text: string) => readDirections(conceptsIn(text), text)

/** Concepts of a language that no one speaks: each word is one, as the pairs say. */
function concepts(text: string, names: Readonly<Record<string, string>>): FoundConcept[] {
  return Object.entries(names)
    .map(([word, concept]) => {
      const start = text.indexOf(word)
      return { concept, start, end: start + word.length }
    })
    .sort((a, b) => a.start - b.start)
}

test('directions are read from concepts, whatever the words are', () => {
  const text = 'ru zog, mi lun ti fas'
  const found = concepts(text, { ru: 'logo', zog: 'bigger', mi: 'without', lun: 'photo' })
  expect(readDirections(found, text)).toEqual([
    { kind: 'logo_size', change: 'larger' },
    { kind: 'photo', isWanted: false },
  ])
})

const LARGER_LOGO: Direction = { kind: 'logo_size', change: 'larger' }
const SMALLER_LOGO: Direction = { kind: 'logo_size', change: 'smaller' }
const DARKER: Direction = { kind: 'background', colour: 'darker' }
const WHITE: Direction = { kind: 'background', colour: '#ffffff' }
const not = (of: Exclude<Direction, { kind: 'not' | 'not_supported' }>): Direction => ({
  kind: 'not',
  of,
})

describe('one thing is requested', () => {
  test.each<[string, Direction]>([
    ['make the logo bigger', LARGER_LOGO],
    ['the logo is too big', SMALLER_LOGO],
    ['logo, but not so big', SMALLER_LOGO],
    ['black and white', { kind: 'greyscale' }],
    ['white background', WHITE],
    ['background colour white instead of black', WHITE],
    ['use #ff8800 as background', { kind: 'background', colour: '#ff8800' }],
    ['background in our brand colour', { kind: 'background', colour: 'brand' }],
    ['a darker background', DARKER],
    ['main colour red', { kind: 'main_colour', colour: '#d32f2f' }],
    ['make the button red', { kind: 'button_colour', colour: '#d32f2f' }],
    ['white text', { kind: 'text_colour', colour: '#ffffff' }],
    ['without the logo', { kind: 'logo', isWanted: false }],
    ['no photo please', { kind: 'photo', isWanted: false }],
    ['no button', { kind: 'button', isWanted: false }],
    ['leave out the price', { kind: 'price', isWanted: false }],
    ['show the price', { kind: 'price', isWanted: true }],
    ['smaller font', { kind: 'text_size', change: 'smaller' }],
    ['bigger headline', { kind: 'headline_size', change: 'larger' }],
    ['headline in all caps', { kind: 'letter_case', letters: 'capitals' }],
    ['no capitals', { kind: 'letter_case', letters: 'no_capitals' }],
    ['text centred', { kind: 'text_place', place: 'centre' }],
    ['the photo on the left', { kind: 'photo_place', place: 'left' }],
    ['no emojis', { kind: 'emoji' }],
    ['no exclamation marks', { kind: 'exclamation_marks' }],
    ['just the headline', { kind: 'text_length', length: 'headline_only' }],
    ['less text', { kind: 'text_length', length: 'shorter' }],
    ['button in German', { kind: 'button_language', language: 'de' }],
    ['change the button text to “Book now”', { kind: 'button_words', words: 'Book now' }],
    ['use a playful tone', { kind: 'tone', tone: 'playful' }],
    ['Create a banner', { kind: 'advertisement' }],
  ])('%s', (text, direction) => expect(read(text)).toEqual([direction]))
})

describe('several things are requested at once', () => {
  test.each<[string, Direction[]]>([
    ['bigger logo and a darker background', [LARGER_LOGO, DARKER]],
    ['logo and headline bigger', [{ kind: 'headline_size', change: 'larger' }, LARGER_LOGO]],
    [
      'make the logo bigger and the text smaller',
      [LARGER_LOGO, { kind: 'text_size', change: 'smaller' }],
    ],
    [
      'logo at the bottom left',
      [
        { kind: 'logo_place', place: 'bottom' },
        { kind: 'logo_place', place: 'left' },
      ],
    ],
    ['put the logo on the right of the photo', [{ kind: 'logo_place', place: 'right' }]],
    ['bigger logo without button', [LARGER_LOGO, { kind: 'button', isWanted: false }]],
    ['bigger headline, but not too big', [{ kind: 'headline_size', change: 'larger' }]],
  ])('%s', (text, directions) => expect(read(text)).toEqual(directions))
})

describe('a negation turns around what it is said of, and nothing else', () => {
  test.each<[string, Direction[]]>([
    ["don't make the logo bigger", [not({ kind: 'logo_size', change: 'larger' })]],
    ['no black background', [not({ kind: 'background', colour: '#000000' })]],
    ['the background should not be black', [not({ kind: 'background', colour: '#000000' })]],
    [
      'no black background and a bigger logo',
      [not({ kind: 'background', colour: '#000000' }), LARGER_LOGO],
    ],
    ['das Logo nicht größer machen', [not({ kind: 'logo_size', change: 'larger' })]],
    ['不要黑色背景', [not({ kind: 'background', colour: '#000000' })]],
  ])('%s', (text, directions) => expect(read(text)).toEqual(directions))
})

describe('in several languages', () => {
  test.each<[string, Direction[]]>([
    ['Logo größer, Hintergrund dunkler', [LARGER_LOGO, DARKER]],
    ['Preis weglassen', [{ kind: 'price', isWanted: false }]],
    ['Hintergrund weiß', [WHITE]],
    ['Button auf Englisch', [{ kind: 'button_language', language: 'en' }]],
    ['logo plus grand', [LARGER_LOGO]],
    ['fond blanc', [WHITE]],
    ['pas de bouton', [{ kind: 'button', isWanted: false }]],
    ['le logo est trop gros', [SMALLER_LOGO]],
    ['el fondo más oscuro', [DARKER]],
    ['sin precio', [{ kind: 'price', isWanted: false }]],
    ['背景を白にして', [WHITE]],
    ['ロゴを大きく', [LARGER_LOGO]],
    ['把标志放大一点', [LARGER_LOGO]],
    ['不要按钮', [{ kind: 'button', isWanted: false }]],
  ])('%s', (text, directions) => expect(read(text)).toEqual(directions))
})

describe('what cannot be followed is said to be so, with what to use instead', () => {
  test.each([
    ['make three versions', /max_variants/],
    ['also in 300x600', /target_format_ids/],
    ['as a square', /target_format_ids/],
    ['translate to French', /copy/],
    ['round corners', /round corners/],
    ['make it pop', /make it pop/],
    ['a blue border', /border/],
  ])('%s', (text, reason) => {
    expect(read(text)).toEqual([{ kind: 'not_supported', reason: expect.stringMatching(reason) }])
  })
})

describe('what nothing is understood of is reported beside what is followed', () => {
  test.each<[string, string]>([
    ['bigger logo and zigzags', 'zigzags'],
    ['Make the logo bigger and add zigzags please', 'add zigzags please'],
    ['Logo größer und Girlanden', 'Girlanden'],
    ['logo plus grand et des guirlandes', 'des guirlandes'],
    ['darker background with sparkles', 'sparkles'],
  ])('%s', (text, rest) => {
    const [followed, ...others] = read(text)
    expect(followed).not.toMatchObject({ kind: 'not_supported' })
    expect(others).toEqual([
      { kind: 'not_supported', reason: `Cannot be followed here: “${rest}”.` },
    ])
  })
})

test('words that must not be said are excluded, and a thing of the design is none', () => {
  expect(read('do not use the word "cheap"')).toMatchObject([{ kind: 'avoid' }])
  expect(read('no rounded corners')).toMatchObject([{ kind: 'not_supported' }])
})

test('a colour that is said of goods is no colour of the design', () => {
  expect(read('show the red shoes')).not.toContainEqual(
    expect.objectContaining({ kind: 'main_colour' }),
  )
})

test('thanks request nothing', () => {
  expect(read('Thanks!')).toEqual([])
  expect(read('')).toEqual([])
})

test('one instruction is read as a few requests at most', () => {
  const many = Array.from(
    { length: 200 },
    (_, index) => `background #${(index + 100000).toString()}`,
  )
  expect(read(many.join(', ')).length).toBeLessThanOrEqual(8)
})
