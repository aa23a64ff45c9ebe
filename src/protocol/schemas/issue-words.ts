// The messages for failed rules of a schema (spec 7).

const NOUNS: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['array', 'a list'],
  ['null', 'null'],
])

/** What a schema expects. */
export function articled(expected: string): string {
  return NOUNS.get(expected) ?? `a value of type ${expected}`
}

/** What was found. */
export function nounOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return NOUNS.get(typeof value) ?? `a ${typeof value}`
}

/** The values that would be right. */
export function listed(values: readonly unknown[]): string {
  const words = values.map(String)
  return words.length === 1 ? `${words[0]}` : `one of ${words.join(', ')}`
}

/** A limit with its unit. */
export function amount(limit: number | bigint, origin: string): string {
  const isOne = Number(limit) === 1
  if (origin === 'string') return isOne ? '1 character' : `${limit} characters`
  if (origin === 'array' || origin === 'set') return isOne ? '1 entry' : `${limit} entries`
  return String(limit)
}
