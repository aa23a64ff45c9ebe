import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitWords } from '../../../src/creative/layout-engine/fit-words.ts'
import { textsOf } from '../../../src/creative/layout-engine/texts.ts'
import { adInput } from './composing.ts'

const texts = (message: string, changes = {}) => textsOf(adInput({ message, ...changes }))

describe('spec 4.2: the words follow the message', () => {
  test('without one the offering speaks for itself', () => {
    expect(textsOf(adInput())).toEqual({
      headline: 'Summer trail collection',
      description: 'Light boots, packs and shells for long days outside. Free shipping.',
      call_to_action: 'Shop now',
    })
  })

  test.each([
    ['headline: Walk further', 'Walk further'],
    ['Please make it green. Headline should be "Walk further"; keep it calm', 'Walk further'],
    ['The headline is Walk further, call to action: Go outside', 'Walk further'],
    ['Use “Walk further” on a dark ground', 'Walk further'],
  ])('%j gives the headline', (message, headline) => {
    expect(texts(message).headline).toBe(headline)
  })

  test.each([
    ['call to action: Find yours', 'Find yours'],
    ['CTA "Find yours", headline "Walk further"', 'Find yours'],
    ['button text should say Find yours', 'Find yours'],
  ])('%j gives the call to action', (message, expected) => {
    expect(texts(message).call_to_action).toBe(expected)
  })

  test('what should be mentioned comes first in the description, once', () => {
    expect(texts('Mention 10% off until Sunday.').description).toMatch(
      /^10% off until Sunday\. Light/,
    )
    expect(texts('mention free shipping').description.match(/free shipping/gi)).toHaveLength(1)
  })

  test('an instruction is never printed', () => {
    const written = Object.values(texts('Make the logo bigger and use more white space')).join(' ')
    expect(written).not.toMatch(/logo|bigger|white space/)
  })

  test('without an offering the subject of the message is the headline', () => {
    const { headline } = textsOf({
      brand: { name: 'Acme' },
      message: 'Create a banner promoting our winter sale',
    })
    expect(headline).toBe('Winter sale')
  })

  test('the name of an offering keeps its end, where no limit was stated', () => {
    const name = 'Because the people you love should never have to worry about the cost'
    const brand = { name: 'Harbour' }
    expect(textsOf({ brand, offering: { name } }).headline).toBe(name)
    const limits = { headline: 60 }
    expect(textsOf({ brand, offering: { name }, limits }).headline.length).toBeLessThanOrEqual(60)
  })

  test('the tone opens a short English name, and leaves another language alone', () => {
    expect(texts('a playful ad').headline).toBe('Say hello to Summer trail collection')
    const offering = { name: 'Sommerkollektion', description: 'Leichte Schuhe.' }
    expect(texts('a playful ad', { offering }).headline).toBe('Sommerkollektion')
  })

  test.each([
    ['Weekend flights to Rome', 'Book now'],
    ['Jazz festival', 'Get tickets'],
    ['Budget planner: start your free trial', 'Start free trial'],
    ['Quantum thinking', 'Learn more'],
  ])('%j calls to %j', (name, action) => {
    expect(textsOf({ brand: {}, offering: { name } }).call_to_action).toBe(action)
  })
})

describe('a text is fitted to its limit', () => {
  test.each([
    ['Fresh bread every day. And more.', 24, 'Fresh bread every day.'],
    ['Fresh bread and the best of cakes', 20, 'Fresh bread…'],
    ['Fresh bread', 11, 'Fresh bread'],
    ['Donaudampfschifffahrt', 8, 'Donauda…'],
    ['a\u202e\u0000b\n\nc', 9, 'a b c'],
  ])('%j in %i characters', (text, limit, expected) => {
    expect(fitWords(text, limit)).toBe(expected)
  })

  test('whatever the text and the limits, no text is longer', () => {
    const limits = fc.record({
      headline: fc.integer({ min: 1, max: 90 }),
      description: fc.integer({ min: 1, max: 200 }),
      call_to_action: fc.integer({ min: 1, max: 30 }),
    })
    const words = fc.string({ unit: 'grapheme', maxLength: 200 })
    fc.assert(
      fc.property(words, words, words, limits, (name, description, message, most) => {
        const made = textsOf({
          brand: { name },
          offering: { name, description },
          message,
          limits: most,
        })
        for (const slot of ['headline', 'description', 'call_to_action'] as const)
          expect(made[slot].length).toBeLessThanOrEqual(most[slot])
      }),
    )
  })
})
