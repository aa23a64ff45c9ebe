import { describe, expect, test } from 'vitest'
import { detectLanguage } from '../../../../src/signals/matching/language/detect-language.ts'
import { gloss } from '../../../../src/signals/matching/language/gloss.ts'
import {
  BRIEF_LANGUAGES,
  LANGUAGES,
} from '../../../../src/signals/matching/language/languages/languages.ts'
import { smallVocabulary } from './words.ts'

const vocabulary = smallVocabulary()

describe('a brief in another language is put into English', () => {
  test.each([
    [
      'es',
      'padres primerizos que buscan un coche eléctrico',
      'first-time parents looking for an electric car',
    ],
    ['es', 'coches electricos', 'electric car'],
    ['es', 'jubilados con alto poder adquisitivo', 'retirees with high income'],
    ['es', 'familias con niños pequeños', 'families with young children'],
    [
      'fr',
      'jeunes parents qui cherchent une voiture électrique',
      'first-time parents looking for an electric car',
    ],
    ['fr', 'propriétaires de chiens', 'dog owners'],
    ['fr', 'chasseurs de bonnes affaires', 'bargain hunters'],
    [
      'fr',
      'jeunes mamans à la recherche de poussettes',
      'first-time mothers looking for baby strollers',
    ],
    ['de', 'Elektroautokäufer', 'electric car buyers'],
    ['de', 'Kaeufer von Gebrauchtwagen', 'buyers of used car'],
    ['de', 'Familien mit kleinen Kindern', 'families with young children'],
    [
      'de',
      'Personen, die sich für Solaranlagen interessieren',
      'people interested in solar panels',
    ],
    ['de', 'Schnäppchenjäger', 'bargain hunters'],
    ['it', 'amanti del vino', 'wine lovers'],
    ['it', 'donne interessate alla cura della pelle', 'women interested in skincare'],
    ['it', 'persone che vogliono comprare casa', 'people who want to buy house'],
    ['pt', 'pessoas que querem comprar um carro usado', 'people who want to buy a used car'],
    ['pt', 'compradores de carros de luxo', 'buyers of luxury car'],
    ['nl', 'hondenbezitters', 'dog owners'],
    [
      'nl',
      'mensen die een elektrische auto willen kopen',
      'people who want to buy an electric car',
    ],
    [
      'nl',
      'ouders met jonge kinderen die op zoek zijn naar een gezinswagen',
      'parents with young children looking for a family car',
    ],
  ] as const)('%s: %j', (language, text, english) => {
    expect(detectLanguage(text, vocabulary)).toBe(language)
    expect(gloss(text, language)).toEqual({ text: english, known: 1 })
  })

  test('with a slip in a word of the lexicon', () => {
    expect(gloss('famlias con perros', 'es').text).toBe('families with dog')
  })

  test('and what is not known stays, and is counted', () => {
    expect(gloss('Liebhaber von Quidditch', 'de')).toEqual({
      text: 'lovers of quidditch',
      known: 0.5,
    })
  })
})

test.each([
  'luxury SUV intenders',
  'people who love la croix',
  'los angeles residents who drive',
  'die hard football fans',
  'men who die for wine',
  'a la carte diners',
  'vegan',
  'in-market auto',
  'single malt whisky fans',
  'no kids and no pets',
  'des moines home buyers',
  '',
  '!!!',
])('%j is not taken for another language', (text) => {
  expect(detectLanguage(text, vocabulary)).toBeUndefined()
})

test.each(LANGUAGES)(
  'the words of %s have at least 250 concepts, no empty ones, and every list',
  (language) => {
    const { small, words, adjectives, parts } = BRIEF_LANGUAGES[language].words
    const meanings = [...Object.values(words), ...Object.values(adjectives)]
    expect(new Set(meanings).size).toBeGreaterThan(250)
    expect(meanings).not.toContain('')
    expect(Object.keys(small).length).toBeGreaterThan(30)
    expect(Object.keys(parts).length > 0).toBe(BRIEF_LANGUAGES[language].hasCompounds)
  },
)
