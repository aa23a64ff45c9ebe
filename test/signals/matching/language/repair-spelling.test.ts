import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { repairSpelling } from '../../../../src/signals/matching/language/repair-spelling.ts'
import { smallVocabulary } from './words.ts'

const vocabulary = smallVocabulary()
const repaired = (text: string) => repairSpelling(text, vocabulary).text

test.each([
  ['luxery suv intneders', 'luxury suv intenders'],
  ['hous hold incme', 'household income'],
  ['vegitarian', 'vegetarian'],
  ['excersise', 'exercise'],
  ['eletric vehical ownres', 'electric vehicle owners'],
  ['gardning enthusiests', 'gardening enthusiasts'],
  ['coffe and wnie', 'coffee and wine'],
  ['morgage', 'mortgage'],
  ['busines decison makers', 'business decision makers'],
  ['yung profesionals', 'young professionals'],
  ['runing', 'running'],
  ['plannning a weding', 'planning a wedding'],
  ['sooo many golfrs', 'so many golfers'],
  ['fodies and sneekerheads', 'foodies and sneakerheads'],
  ['petrolheds', 'petrolheads'],
])('%j is read as %j', (typed, meant) => {
  expect(repaired(typed)).toBe(meant)
})

describe('spaces', () => {
  test.each([
    ['newparents', 'new parents'],
    ['firsttimebuyers', 'first time buyers'],
    ['dogowners', 'dog owners'],
    ['plantbased food', 'plant based food'],
    ['foot ball fans', 'football fans'],
  ])('%j is read as %j', (typed, meant) => {
    expect(repaired(typed)).toBe(meant)
  })

  test('two words that signals use stay two', () => {
    expect(repaired('house hold')).toBe('household')
    expect(repaired('car insurance')).toBe('car insurance')
  })
})

describe('what stays as it is', () => {
  test.each([
    ['a word with a usual ending', 'gamer shopping travelled streamed'],
    ['a word of slang', 'snowbirds and gym rats'],
    ['a name in the middle of a sentence', 'families living near Luxor and Golfo'],
    ['a number', 'adults 25 to 54 with 2cars'],
    ['an abbreviation in capitals', 'SUVX owners'],
    ['a word that is near nothing', 'qwertzuiop zxcvbnm'],
    ['a short word', 'teh dgo'],
  ])('%s', (_, text) => {
    expect(repairSpelling(text, vocabulary)).toEqual({ text, corrected: [] })
  })
})

test('each repair is reported, as it was typed and as it was read', () => {
  expect(repairSpelling('Luxery suv for hous hold', vocabulary).corrected).toEqual([
    { from: 'Luxery', to: 'luxury' },
    { from: 'hous hold', to: 'household' },
  ])
})

test('what is around a repaired word keeps its place', () => {
  expect(repaired('We want: luxery, (organc) food!')).toBe('We want: luxury, (organic) food!')
})

test('a text that is repaired is right', () => {
  const slip = fc.tuple(
    fc.constantFrom('luxury', 'insurance', 'gardening', 'household', 'retirees', 'streaming'),
    fc.nat(20),
    fc.constantFrom('drop', 'double', 'swap'),
  )
  fc.assert(
    fc.property(fc.array(slip, { maxLength: 6 }), (slips) => {
      const typed = slips.map(([word, at, kind]) => misspelt(word, at, kind)).join(' ')
      const once = repaired(typed)
      expect(repaired(once)).toBe(once)
    }),
  )
})

function misspelt(word: string, at: number, kind: string): string {
  const place = 1 + (at % (word.length - 2))
  const letter = word[place] as string
  if (kind === 'drop') return word.slice(0, place) + word.slice(place + 1)
  if (kind === 'double') return word.slice(0, place) + letter + word.slice(place)
  return word.slice(0, place) + word[place + 1] + letter + word.slice(place + 2)
}

test('no text is too strange, and none is repaired twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const { corrected } = repairSpelling(text, vocabulary)
      expect(corrected.length).toBeLessThanOrEqual(24)
      for (const { from, to } of corrected) expect(from).not.toBe(to)
    }),
  )
})
