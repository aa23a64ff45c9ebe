import { expect, test } from 'vitest'
import { accountOf } from '../../../src/creative/message/account.ts'
import { hasPrice, priceValuesIn } from '../../../src/creative/message/price-values.ts'

test.each<[string, boolean]>([
  ['49,90 €', true],
  ['49,90', true],
  ['Boots 49.90', true],
  ['for 12 months', false],
  ['49', false],
  ['Boots', false],
])('spec 4.2: %s has a price of the message: %s', (text, isPrice) => {
  const values = priceValuesIn(['Boots for 49,90 €, 12 € a month for 12 months'])
  expect(hasPrice(text, values)).toBe(isPrice)
})

test('spec 4.2: a price without its currency is still a price that must not be there', () => {
  const text = 'Boots for 49,90 €. No prices'
  const spans = [
    { start: 0, end: 17, role: 'fact' as const },
    { start: 17, end: text.length, role: 'avoid' as const },
  ]
  const outcome = (printed: string) =>
    accountOf({ text, spans, printed: [printed] }).parts[1]?.outcome
  expect(outcome('Boots for 49,90')).toBe('not_followed')
  expect(outcome('Boots')).toBe('followed')
})
