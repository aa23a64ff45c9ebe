// Whether a text has a price (spec 4.2), even if its currency is cut off or on another line: identified by its value
// among the known prices.

import { factsIn, plainDigits } from './facts.ts'

/** The values of the prices in these texts, except values that also count something else. */
export function priceValuesIn(texts: readonly string[]): ReadonlySet<string> {
  const facts = texts.flatMap((text) => factsIn(text))
  const valuesOf = (isPrice: boolean) =>
    facts.filter(({ kind }) => (kind === 'price') === isPrice).map(({ text }) => plainDigits(text))
  const others = new Set(valuesOf(false))
  return new Set(valuesOf(true).filter((value) => !others.has(value)))
}

export function hasPrice(text: string, values: ReadonlySet<string>): boolean {
  return factsIn(text).some(
    (fact) =>
      fact.kind === 'price' || (fact.kind === 'number' && values.has(plainDigits(fact.text))),
  )
}
