// The price of an offering in readable form: `99`, `"€ 99"`, `{amount, currency}`, or a currency next to the price.

import { isObject } from '../../protocol/schemas/checks.ts'

/** Undefined if it has none, or a blank one. */
export function priceWords(offering: Readonly<Record<string, unknown>>): string | undefined {
  const { price } = offering
  const { amount, value, currency } = isObject(price)
    ? price
    : { amount: price, value: undefined, currency: offering.currency }
  const sum = wordsOf(amount) ?? wordsOf(value)
  const unit = typeof currency === 'string' ? currency.trim() : ''
  // `€ 99` says its currency itself.
  const isBare = sum !== undefined && /^[\d.,' ]+$/.test(sum)
  return isBare && unit !== '' ? `${sum} ${unit}` : sum
}

function wordsOf(sum: unknown): string | undefined {
  if (typeof sum === 'number') return String(sum)
  return typeof sum === 'string' && sum.trim() !== '' ? sum.trim() : undefined
}
