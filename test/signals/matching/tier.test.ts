import { expect, test } from 'vitest'
import { tierOf } from '../../../src/signals/matching/tier.ts'

test.each([
  ['premium dog food', 'dear'],
  ['High-end phones', 'dear'],
  ['Value Pet Food Buyers', 'cheap'],
  ['cheap phones', 'cheap'],
  ['Used Car Shoppers on a Budget', 'cheap'],
  ['luxury on a budget', undefined],
  ['our budget is 50k', undefined],
  ['people who value of their time', undefined],
  ['Gig Economy Workers', undefined],
] as const)('%j is about the %s kind', (text, tier) => {
  expect(tierOf(text)).toBe(tier)
})
