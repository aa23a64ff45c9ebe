// Whether a brief requests the whole offer, such as "show all available products": if no product shares a word with
// it, the brief describes no product and requests all of them.

const ALL = new Set(['all', 'every', 'everything', 'any', 'available', 'entire', 'whole', 'full'])
const OFFER = new Set([
  'product',
  'products',
  'inventory',
  'offer',
  'offers',
  'offering',
  'offerings',
])

const WORDS = /[\p{L}\p{N}]+/gu

export function asksForAll(brief: string): boolean {
  const said = brief.toLowerCase().match(WORDS) ?? []
  return [ALL, OFFER].every((kind) => said.some((word) => kind.has(word)))
}
