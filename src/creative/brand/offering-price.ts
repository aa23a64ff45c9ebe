// What an offering costs, as people read it: `99`, `"€ 99"`, `{amount, currency}`, or a currency beside the price.

import { isObject } from '../../protocol/schemas/checks.ts'

/** Undefined where it has none. */
export function priceWords(offering: Readonly<Record<string, unknown>>): string | undefined {
  const { price } = offering
  const { amount, value, currency } = isObject(price)
    ? price
    : { amount: price, value: undefined, currency: offering.currency }
  const sum = amount ?? value
  if (typeof sum !== 'number' && typeof sum !== 'string') return undefined
  return typeof currency === 'string' ? `${sum} ${currency}` : String(sum)
}
