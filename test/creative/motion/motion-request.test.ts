import { describe, expect, test } from 'vitest'
import { readMotionRequest } from '../../../src/creative/motion/motion-request.ts'

describe('spec 4.2: what a message says of motion', () => {
  test.each([
    ['Make an animated banner for our spring sale', 'animated'],
    ['Animiertes Banner für unseren Frühlingsverkauf', 'animated'],
    ['Bannière animée pour nos soldes', 'animated'],
    ['A static HTML banner for Acme', 'still'],
    ['Watch our new animated series tonight', undefined],
    ['Headline: "Animated movies all week"', undefined],
    ['Static cling? Not with Acme spray.', undefined],
    ['', undefined],
  ])('%j requests %j, and every word of it stays', (message, preference) => {
    expect(readMotionRequest(message)).toEqual({ preference, rest: message })
  })

  test.each([
    ['Spring sale 20% off. Please animate it.', 'animated', 'Spring sale 20% off.'],
    ['Animated, please! Spring sale.', 'animated', 'Spring sale.'],
    ['Frühlingsverkauf. Bitte mit Animation.', 'animated', 'Frühlingsverkauf.'],
    ['Spring sale. No animation.', 'still', 'Spring sale.'],
    [
      'Frühlingsverkauf, alles muss raus! Ohne Animation.',
      'still',
      'Frühlingsverkauf, alles muss raus!',
    ],
    ['Animate it. Spring sale. No, without animation.', 'still', 'Spring sale.'],
  ])(
    '%j requests %j, and a sentence that says nothing else is not copy',
    (message, preference, rest) => {
      expect(readMotionRequest(message)).toEqual({ preference, rest })
    },
  )
})
